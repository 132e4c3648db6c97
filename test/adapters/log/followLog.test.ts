import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import { openEventLog, type EventLog } from '../../../src/adapters/log/eventLog';
import { followLog } from '../../../src/adapters/log/followLog';
import { temporaryLog, wordEvents } from '../../support/eventLogs';

describe('a log that another process writes', function () {
  this.timeout(30_000);
  let log: ReturnType<typeof temporaryLog>;
  let writer: EventLog;
  let seen: number[];
  let ends: number;
  let stop: () => void;

  const follow = (): void => {
    const { elsewhere, store } = openEventLog(log.file);
    assert.equal(store, undefined);
    stop = followLog(elsewhere!, {
      onEvent: ({ seq }) => seen.push(seq),
      onEnd: () => void ends++,
    });
  };
  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const write = async (count: number, from: number): Promise<void> => {
    for (const event of wordEvents(count, from)) writer.append(event);
    await writer.durable();
  };

  beforeEach(async () => {
    log = temporaryLog();
    await log.write(wordEvents(2));
    writer = openEventLog(log.file).store!;
    seen = [];
    ends = 0;
    stop = () => undefined;
  });
  afterEach(async () => {
    stop();
    await writer.close();
    log.stop();
  });

  it('is followed from where it was read, until that process releases it', async () => {
    follow();
    await write(3, 2);
    await write(1, 5);
    await until(() => seen.length === 4);
    assert.deepEqual([seen, ends], [[2, 3, 4, 5], 0]);
    await write(1, 6);
    await writer.close();
    await until(() => ends > 0);
    assert.deepEqual([seen, ends], [[2, 3, 4, 5, 6], 1]);
  });

  it('is followed with what was written between reading and following', async () => {
    const { elsewhere } = openEventLog(log.file);
    await write(1, 2);
    stop = followLog(elsewhere!, { onEvent: ({ seq }) => seen.push(seq), onEnd: () => void ends++ });
    await until(() => seen.length === 1);
    assert.deepEqual([seen, ends], [[2], 0]);
  });

  it('is not read further after a line that was changed, nor after it was stopped', async () => {
    follow();
    fs.appendFileSync(log.file, '{"seq":2,"at":1,"type":"user_message","text":"forged"}\n');
    await until(() => ends > 0);
    assert.deepEqual([seen, ends], [[], 1]);
    stop();
    fs.appendFileSync(log.file, '{"seq":3}\n');
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual([seen, ends], [[], 1]);
  });

  it('is not followed if it is damaged', async () => {
    fs.appendFileSync(log.file, '{"seq":2}\n');
    assert.equal(openEventLog(log.file).elsewhere, undefined);
  });
});
