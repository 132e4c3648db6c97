import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { watchControl, sendControl } from '../../../src/adapters/log/control';
import { openEventLog, type OpenedLog } from '../../../src/adapters/log/eventLog';
import { stateFolder } from '../../../src/adapters/storage/stateFolder';
import type { ControlWord } from '../../../src/core/session/outsideControl';
import { temporaryLog, wordEvents } from '../../support/eventLogs';

describe('control messages from another process to a run', () => {
  let log: ReturnType<typeof temporaryLog>;
  let opened: OpenedLog;
  let heard: ControlWord[];
  let stops: (() => void)[];

  const control = (): string => path.join(stateFolder(), 'control');
  const heed = (answer?: string): void => {
    stops.push(
      watchControl(log.file, (word) => {
        heard.push(word);
        return answer;
      }),
    );
  };

  beforeEach(async () => {
    log = temporaryLog();
    await log.write(wordEvents(1));
    opened = openEventLog(log.file);
    heard = [];
    stops = [];
  });
  afterEach(async () => {
    for (const stop of stops) stop();
    await opened.store?.close();
    log.stop();
  });

  it('arrive in order, also if the log is named through a link', async () => {
    heed();
    const link = `${log.file}.link`;
    fs.symlinkSync(path.dirname(log.file), link);
    try {
      await sendControl(log.file, 'pause');
      await sendControl(path.join(link, path.basename(log.file)), 'resume');
      assert.deepEqual(heard, ['pause', 'resume']);
    } finally {
      fs.rmSync(link);
    }
  });

  it('are answered with the error of the run that received them', async () => {
    heed('Nothing runs in it.');
    await assert.rejects(sendControl(log.file, 'step'), { message: 'Nothing runs in it.' });
    assert.deepEqual(heard, ['step']);
  });

  it('are refused if no process has the log open, also after a process died', async () => {
    heed();
    await opened.store!.close();
    await assert.rejects(sendControl(log.file, 'stop'), /^Error: No Waymark run has .* open/);
    assert.deepEqual(heard, []);
  });

  it('wait for a process that has just opened the log', async () => {
    const sent = sendControl(log.file, 'pause');
    setTimeout(() => heed(), 100);
    await sent;
    assert.deepEqual(heard, ['pause']);
  });

  it('use a folder that only its owner can access, and ignore other files there', async () => {
    const earlier = new Set(fs.existsSync(control()) ? fs.readdirSync(control()) : []);
    heed();
    const [folder = ''] = fs.readdirSync(control()).filter((name) => !earlier.has(name));
    const place = path.join(control(), folder);
    assert.equal(fs.statSync(place).mode & 0o777, 0o700);
    for (const name of ['0-a.approve', '0-b.stop.new', '0-c', '0-d.stop.answer'])
      fs.writeFileSync(path.join(place, name), 'yes');
    await sendControl(log.file, 'pause');
    assert.deepEqual(heard, ['pause']);
  });

  it('are not accepted in a folder that others can write to', async function () {
    if (process.getuid === undefined) this.skip(); // Windows has no such permissions
    fs.mkdirSync(control(), { recursive: true });
    fs.chmodSync(control(), 0o777);
    try {
      heed();
      await assert.rejects(sendControl(log.file, 'stop'), /cannot be controlled from outside/);
      assert.deepEqual(heard, []);
    } finally {
      fs.chmodSync(control(), 0o700);
    }
  });
});
