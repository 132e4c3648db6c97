import { strict as assert } from 'node:assert';
import { openQuestions, pendingActions } from '../../../src/core/log/openActions';
import { settingsOf } from '../../../src/core/log/runSettings';
import { statusOf } from '../../../src/core/log/status';
import { endOfStep, forkFrom, forkPoints } from '../../../src/core/trajectory/forkFrom';
import type { Event, NewEvent } from '../../../src/protocol/events/event';
import { begin, call, plays, says, types } from '../agent/story';

const grown = (history: readonly Event[], more: readonly NewEvent[]): Event[] => [
  ...history,
  ...more.map((event, place): Event => ({ ...event, seq: history.length + place, at: 9 })),
];

describe('going on from a step', () => {
  const told = async () => {
    const conversation = begin(
      plays(
        says('I look.', call('look', { name: 'a' }), call('look', { name: 'b' })),
        says('Risky.', call('risk', { name: 'c' })),
      ),
    );
    await conversation.go();
    return conversation.history;
  };

  it('is offered after the task and after each step with all that came of it', async () => {
    const history = await told();
    const points = forkPoints(history);
    assert.deepEqual(
      points.map(({ step }) => step),
      [undefined, 1, 2],
    );
    assert.deepEqual(
      points.map(({ seq }) => history[seq]!.type),
      ['task_started', 'observation', 'confirmation_requested'],
    );
    assert.equal(endOfStep(history, points[1]!.begins), points[1]!.seq);
    assert.equal(endOfStep(history, points[1]!.begins + 1), points[1]!.seq);
  });

  it('says where it goes on from and that files are not rewound', async () => {
    const history = await told();
    const before = history.slice(0, forkPoints(history)[1]!.seq + 1);
    const fork = grown(before, forkFrom(before, 'Try another way.'));
    assert.equal(settingsOf(fork)!.title, 'Do it. · from step 1');
    assert.match(JSON.stringify(fork), /Files are not restored/);
    assert.deepEqual([statusOf(fork), fork.at(-1)!.type], ['ready', 'user_message']);
    assert.equal(
      settingsOf(grown(fork, forkFrom(fork, 'Again.')))!.title,
      'Do it. · from step 1',
      'a fork of a fork is not called after both',
    );
  });

  it('leaves out what waited, where something else is to be done, and keeps it where not', async () => {
    const history = await told();
    assert.equal(statusOf(history), 'waiting_for_confirmation');
    const other = grown(history, forkFrom(history, 'Do it without that.'));
    assert.deepEqual(
      [pendingActions(other).length, types(other).at(-2), statusOf(other)],
      [0, 'observation:skipped', 'ready'],
    );
    const same = grown(history, forkFrom(history));
    assert.equal(pendingActions(same).length, 1);
  });

  it('never does again what had begun', async () => {
    const history = await told();
    const started = history.findIndex(({ type }) => type === 'action_started');
    const before = history.slice(0, started + 2);
    for (const instruction of [undefined, 'Do another thing.']) {
      const fork = grown(before, forkFrom(before, instruction));
      assert.deepEqual(types(fork).filter((type) => type === 'observation:unknown').length, 2);
      assert.equal(statusOf(fork), 'ready');
    }
  });

  it('answers an open question otherwise, and wakes what rested', async () => {
    const asked = await begin(plays(says('Which?', call('ask', { question: 'A or B?' })))).go();
    const fork = grown(asked.history, forkFrom(asked.history, 'B'));
    assert.deepEqual(
      [openQuestions(fork).length, fork.at(-1)!.type === 'observation' && fork.at(-1)!.type, statusOf(fork)],
      [0, 'observation', 'ready'],
    );
    const idle = await begin(plays(says('Done.'))).go();
    assert.equal(statusOf(idle.history), 'idle');
    assert.equal(statusOf(grown(idle.history, forkFrom(idle.history))), 'ready');
  });
});
