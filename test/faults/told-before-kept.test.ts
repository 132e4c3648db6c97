import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { openEventLog, readEventLog, type EventLog } from '../../src/adapters/log/eventLog';
import { Agent } from '../../src/core/agent/agent';
import { Conversation } from '../../src/core/session/conversation';
import type { ConversationListener } from '../../src/core/session/publication';
import { defaultRetryTimes } from '../../src/core/session/durableRetry';
import type { Event } from '../../src/protocol/events/event';
import { call, partsFor, plays, ran as done, says, task } from '../core/agent/story';
import { quickFolder, temporaryLog } from '../support/eventLogs';
import { momentsOf, putBack } from './support/crashes';
import { smallDisk, type SmallDisk } from './support/smallDisk';

let log: ReturnType<typeof temporaryLog>, file: string, stores: EventLog[];
beforeEach(() => {
  stores = [];
  log = temporaryLog(undefined, quickFolder());
  ({ file } = log);
  done.splice(0);
});
afterEach(() => log.stop());

const until = async (what: string, isSo: () => boolean): Promise<void> => {
  for (const end = Date.now() + 20_000; !isSo();) {
    assert.ok(Date.now() < end, `${what} did not happen`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

const twoCommands = () =>
  plays(says('first', call('look', { name: 'a' })), says('second', call('command', { name: 'b' })), says('bye'));

/** A run over the log of this test that records its reports. */
function opened(model: ReturnType<typeof plays>, listener: ConversationListener = {}, patience = defaultRetryTimes) {
  const { store, events } = openEventLog(file);
  stores.push(store!);
  const conversation = new Conversation(new Agent(partsFor(model)), { events, store: store! }, listener, patience);
  if (events.length === 0) conversation.append(task);
  return { conversation, store: store! };
}

describe('fault 39: listeners hear no event that a crash takes back', () => {
  it('whether the program is killed or the power fails, at any write', async () => {
    const told: Event[] = [];
    const moments = await momentsOf(log.folder, async (safe) => {
      const { conversation, store } = opened(twoCommands(), { onEvent: (event) => safe(told.push(event)) });
      conversation.wake();
      await conversation.rested();
      await store.close();
    });
    assert.deepEqual(
      told.map(({ type }) => type),
      readEventLog(file).events.map(({ type }) => type),
      'all are told, in order',
    );
    assert.ok(
      moments.some(({ safe }) => safe > 0 && safe < told.length),
      'it tells while it works',
    );
    for (const { name, killed, dark, safe } of moments) {
      for (const disk of [killed, dark]) {
        putBack(disk, log.folder);
        const kept = fs.existsSync(file) ? readEventLog(file).events : [];
        assert.deepEqual(kept.slice(0, safe), told.slice(0, safe), name);
      }
    }
  });

  it('and hear streamed text after the events before it', async () => {
    const heard: string[] = [];
    const model = plays(says('first', call('look', { name: 'a' })), says('bye'));
    const { complete } = model;
    const streaming: typeof model = {
      ...model,
      complete: (request, signal) => {
        request.onDelta?.({ kind: 'text', text: 'streamed' });
        return complete(request, signal);
      },
    };
    const { conversation, store } = opened(streaming, {
      onEvent: ({ type }) => heard.push(type),
      onDelta: ({ kind }) => heard.push(kind),
    });
    conversation.wake();
    await conversation.rested();
    await store.close();
    assert.deepEqual(heard, [
      'task_started',
      'reading',
      'text',
      'agent_response',
      'action_started',
      'observation',
      'reading',
      'text',
      'agent_response',
    ]);
  });

  it('and can read the saved history, which trails the current one', async () => {
    const { conversation, store } = opened(twoCommands());
    conversation.append({ type: 'notice', level: 'info', text: 'not on disk yet' });
    assert.deepEqual([conversation.history.length, conversation.savedHistory.length], [2, 0]);
    await store.durable();
    assert.deepEqual(conversation.savedHistory, conversation.history);
    await store.close();
  });
});

/**
 * Calls `use` with a small disk and closes what was opened there. Skips the test, with a reason, if none can be
 * mounted.
 */
async function onSmallDisk(test: Mocha.Context, use: (disk: SmallDisk) => Promise<void>): Promise<void> {
  const disk = smallDisk();
  if (!disk) {
    test.test!.title += ' (a disk cannot be mounted here)';
    return test.skip();
  }
  try {
    await use(disk);
  } finally {
    for (const store of stores) await store.close();
    disk.stop();
  }
}

/** More than the free space in the last page of a file on a full disk. */
const page = 'x'.repeat(5000);

describe('fault 43: a disk that fills, empties and fills again', () => {
  it('pauses the run each time with a notice, and the run finishes when there is room', async function () {
    this.timeout(120_000);
    await onSmallDisk(this, async (disk) => {
      file = path.join(disk.folder, 'logs', 'session.waymark.jsonl');
      const problems: (string | undefined)[] = [];
      const onUnkept = (problem: string | undefined): void => {
        problems.push(problem);
        // The disk is full again as soon as it is written again.
        if (problems.length === 2) disk.fill(0);
      };
      const model = plays(
        says(`one${page}`, call('command', { name: 'one' })),
        says(`two${page}`, call('command', { name: 'two' })),
        says('bye'),
      );
      const { conversation, store } = opened(model, { onUnkept }, { ...defaultRetryTimes, pause: 20 });
      await store.durable();
      disk.fill(0);
      conversation.wake();
      await until('words about the full disk', () => problems.length === 1);
      await until('the run to wait', () => conversation.history.at(-1)!.type === 'notice');
      assert.deepEqual(
        [done, conversation.savedHistory.map(({ type }) => type)],
        [[], ['task_started']],
        'nothing is done or told',
      );
      disk.free();
      await until('the second time', () => problems.length === 3);
      assert.deepEqual(
        problems.map((problem) => problem !== undefined),
        [true, false, true],
      );
      for (const problem of [problems[0], problems[2]])
        assert.match(
          problem!,
          /log cannot be written \(ENOSPC.*Free some space on the disk that contains the folder .*the run then continues by itself/,
        );
      disk.free();
      await conversation.rested();
      assert.deepEqual(done, ['command one', 'command two']);
      assert.deepEqual([conversation.history.at(-1)!.type, problems.at(-1)], ['agent_response', undefined]);
      await store.close();
      assert.deepEqual(readEventLog(file).events, JSON.parse(JSON.stringify(conversation.history)));
    });
  });

  it('and does not make the run wait endlessly', async function () {
    await onSmallDisk(this, async (disk) => {
      file = path.join(disk.folder, 'logs', 'session.waymark.jsonl');
      const model = plays(says(`one${page}`, call('command', { name: 'one' })), says('bye'));
      const { conversation, store } = opened(model, {}, { pause: 20, passing: 200, lasting: 20 });
      await store.durable();
      disk.fill(0);
      conversation.wake();
      await conversation.rested();
      const end = conversation.history.at(-1)!;
      assert.ok(end.type === 'finished' && end.status === 'failed');
      assert.match(
        `${end.problem!.what} ${end.problem!.why} ${end.problem!.next}`,
        /cannot be written.*ENOSPC.*Resume the run/s,
      );
      assert.deepEqual(done, []);
      disk.free();
      conversation.resume();
      await conversation.rested();
      await store.close();
      assert.deepEqual(
        readEventLog(file).events,
        JSON.parse(JSON.stringify(conversation.history)),
        'it can be resumed, and all is kept',
      );
    });
  });
});
