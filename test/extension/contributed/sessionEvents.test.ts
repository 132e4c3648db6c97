import { strict as assert } from 'node:assert';
import type { SessionEvent } from '../../../api/waymark';
import { SessionEvents } from '../../../src/extension/contributed/sessionEvents';
import type { Event } from '../../../src/protocol/events/event';

const event = (seq: number): Event => ({ type: 'user_message', seq, at: 0, text: `Words ${seq}.` });
const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('what other extensions hear of sessions', () => {
  it('is every event in order, a moment later, until they do not listen any more', async () => {
    const [events, heard] = [new SessionEvents(), [] as SessionEvent[]];
    const listening = events.listen((each) => heard.push(each));
    events.tell('one', event(0));
    events.tell('two', event(1));
    assert.deepEqual(heard, []);
    await soon();
    assert.deepEqual(
      heard.map(({ session, seq }) => [session, seq]),
      [
        ['one', 0],
        ['two', 1],
      ],
    );
    listening.dispose();
    events.tell('one', event(2));
    await soon();
    assert.equal(heard.length, 2);
  });

  it('is of one session alone where that was asked for, from its beginning', async () => {
    const [events, heard] = [new SessionEvents(), [] as number[]];
    events.listen(({ seq }) => heard.push(seq), 'one', [event(0), event(1)]);
    events.tell('two', event(9));
    events.tell('one', event(2));
    await soon();
    assert.deepEqual(heard, [0, 1, 2]);
  });

  it('is theirs: what they do to it, or throw, reaches neither the log nor the others', async () => {
    const [events, heard, problems, logged] = [new SessionEvents(), [] as string[], [] as unknown[], event(0)];
    events.onProblem = (thrown) => problems.push(thrown);
    events.listen((each) => {
      (each as { text: string }).text = 'spoilt';
      throw new Error('first');
    });
    events.listen(() => Promise.reject(new Error('second')));
    events.listen((each) => heard.push((each as { text: string }).text));
    events.tell('one', logged);
    await soon();
    assert.deepEqual(heard, ['Words 0.']);
    assert.equal((logged as { text: string }).text, 'Words 0.');
    assert.deepEqual(problems.map((problem) => (problem as Error).message).sort(), ['first', 'second']);
  });
});
