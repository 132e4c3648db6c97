import assert from 'node:assert/strict';
import { Agent } from '../../../../src/core/agent/agent';
import { eventsOfType } from '../../../../src/core/log/projection';
import { settingsOf } from '../../../../src/core/log/runSettings';
import { statusOf } from '../../../../src/core/log/status';
import { continueFromCandidate, type ReadAgain } from '../../../../src/core/agent/thinking/continueFromCandidate';
import { sessionSpending } from '../../../../src/core/log/spending';
import { sampling } from '../../../../src/core/model/sampling/sampling';
import type { Event } from '../../../../src/protocol/events/event';
import { format, settings } from '../../model/sampling/samplingStory';
import { assertAccepted, begin, call, partsFor, plays, ran, revived, says } from '../story';

const readAgain: ReadAgain = (reply, before) => new Agent(partsFor(plays())).readAgain(reply, before);

const looks = (name: string, text = '') => says(text, call('look', { name }));
const sampled = (...replies: ReturnType<typeof says>[]) =>
  sampling(plays(...replies), {
    settings: settings({ candidates: 2 }),
    reader: { read: format.read, textIsAnswer: true },
    render: (source) => source,
  });

/** Two steps with two candidates each, then an answer. */
async function ranOnce(): Promise<readonly Event[]> {
  const run = await begin(
    sampled(looks('a'), looks('b'), looks('c', 'First c.'), looks('d', 'No, d.'), says('Done.'), says('')),
  ).go();
  return revived(run.history);
}
const responses = (history: readonly Event[]) => eventsOfType(history, 'agent_response');

describe('another candidate', () => {
  it('starts a new session that equals the old one up to that step', async () => {
    const history = await ranOnce();
    const [, second] = responses(history);
    const events = revived(await continueFromCandidate(history, { seq: second!.seq, index: 1 }, readAgain, 5));
    assert.deepEqual(events.slice(0, second!.seq), history.slice(0, second!.seq));
    assert.deepEqual(
      events.map(({ seq }) => seq),
      events.map((_event, index) => index),
    );
    assert.deepEqual(
      events.slice(second!.seq).map(({ type, at }) => [type, at]),
      [
        ['settings_changed', 5],
        ['notice', 5],
        ['agent_response', 5],
      ],
    );
    assert.equal(statusOf(events), 'ready');
    assertAccepted(events);
  });

  it('runs in place of the chosen one', async () => {
    const history = await ranOnce();
    const events = await continueFromCandidate(history, { seq: responses(history)[1]!.seq, index: 1 }, readAgain, 5);
    ran.length = 0;
    const going = await begin(plays(says('Went on.')), { saved: events }).go();
    assert.deepEqual(ran, ['look d']);
    assert.equal(responses(going.history).at(-1)!.text, 'Went on.');
    assertAccepted(going.history);
  });

  it('is recorded as chosen by the user, with all other candidates', async () => {
    const history = await ranOnce();
    const before = responses(history)[1]!;
    const picked = responses(await continueFromCandidate(history, { seq: before.seq, index: 1 }, readAgain, 5)).at(-1)!;
    assert.deepEqual(
      [picked.text, picked.actions.map(({ summary }) => summary), picked.by],
      ['No, d.', ['look d'], undefined],
    );
    assert.deepEqual(
      [picked.sampling!.chosen, picked.sampling!.by, picked.sampling!.candidates],
      [1, 'person', before.sampling!.candidates],
    );
    assert.match(picked.sampling!.reason, /instead of candidate 1/);
    assert.equal(picked.readUpTo, before.readUpTo);
  });

  it('includes the steps and cost up to that point', async () => {
    const history = await ranOnce();
    const events = await continueFromCandidate(history, { seq: responses(history)[1]!.seq, index: 1 }, readAgain, 5);
    assert.deepEqual([sessionSpending(events).steps, sessionSpending(events).usage.cost], [2, 0.04]);
  });

  it('names the session it continues, and says that files are not restored', async () => {
    const history = await ranOnce();
    const events = await continueFromCandidate(history, { seq: responses(history)[0]!.seq, index: 1 }, readAgain, 5);
    assert.equal(settingsOf(events)!.title, 'Do it. · candidate 2');
    assert.match(
      eventsOfType(events, 'notice')[0]!.text,
      /candidate 2 of a step of “Do it\.”\. Files stay as they are now/,
    );
  });

  it('keeps the parent of a subsession', async () => {
    const history = (await ranOnce()).map((event) =>
      event.type === 'task_started' ? { ...event, parent: { session: 's', actionId: 'a' } } : event,
    );
    const [first] = await continueFromCandidate(history, { seq: responses(history)[0]!.seq, index: 1 }, readAgain, 5);
    assert.deepEqual(first, history[0]);
  });

  it('is refused with a reason if it does not exist or has no action', async () => {
    const history = await ranOnce();
    const last = responses(history)[2]!.seq;
    await assert.rejects(
      continueFromCandidate(history, { seq: 0, index: 0 }, readAgain, 5),
      /does not have that candidate/,
    );
    await assert.rejects(
      continueFromCandidate(history, { seq: last, index: 7 }, readAgain, 5),
      /does not have that candidate/,
    );
    await assert.rejects(
      continueFromCandidate(history, { seq: last, index: 1 }, readAgain, 5),
      /Candidate 2 cannot be continued: It contains no action\./,
    );
  });
});
