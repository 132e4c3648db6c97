import { strict as assert } from 'node:assert';
import type { SessionEvent } from '../../../api/waymark';
import { SessionEvents } from '../../../src/extension/contributed/sessionEvents';
import type { Event } from '../../../src/protocol/events/event';

const event = (seq: number): Event => ({ type: 'user_message', seq, at: 0, text: `Words ${seq}.` });
const soon = () => new Promise((resolve) => setImmediate(resolve));

describe('the session events that other extensions receive', () => {
  it('arrive in order, slightly later, until the listener is removed', async () => {
    const [events, heard] = [new SessionEvents(), [] as SessionEvent[]];
    const listening = events.listen((each) => heard.push(each));
    events.emit('one', event(0));
    events.emit('two', event(1));
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
    events.emit('one', event(2));
    await soon();
    assert.equal(heard.length, 2);
  });

  it('can be limited to one session, from its start', async () => {
    const [events, heard] = [new SessionEvents(), [] as number[]];
    events.listen(({ seq }) => heard.push(seq), 'one', [event(0), event(1)]);
    events.emit('two', event(9));
    events.emit('one', event(2));
    await soon();
    assert.deepEqual(heard, [0, 1, 2]);
  });

  it('are copies: changes and exceptions of a listener affect neither the log nor other listeners', async () => {
    const [events, heard, problems, logged] = [new SessionEvents(), [] as string[], [] as unknown[], event(0)];
    events.onProblem = (thrown) => problems.push(thrown);
    events.listen((each) => {
      (each as { text: string }).text = 'spoilt';
      throw new Error('first');
    });
    events.listen(() => Promise.reject(new Error('second')));
    events.listen((each) => heard.push((each as { text: string }).text));
    events.emit('one', logged);
    await soon();
    assert.deepEqual(heard, ['Words 0.']);
    assert.equal((logged as { text: string }).text, 'Words 0.');
    assert.deepEqual(problems.map((problem) => (problem as Error).message).sort(), ['first', 'second']);
  });
});
