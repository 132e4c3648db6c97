import assert from 'node:assert/strict';
import type { Printer } from '../../../src/cli/output/output';
import { transcript } from '../../../src/cli/run/transcript';
import type { Event, NewEvent } from '../../../src/protocol/events/event';
import { action, agentResponse, taskStarted } from '../../support/newEvents';

describe('the transcript of a run', () => {
  const reads = (...ids: string[]) => ids.map((id) => action(id, 'read_file', { path: id }, `Read ${id}`));
  const ends = (actionId: string): NewEvent => ({
    type: 'observation',
    actionId,
    outcome: 'ok',
    content: '',
    durationMs: 1,
  });

  /** Returns a listener and the lines about actions that it has printed so far. */
  function listening(): { readonly send: (event: NewEvent) => void; readonly lines: () => string[] } {
    let printed = '';
    const out: Printer = {
      isTTY: false,
      pending: false,
      write: (text) => void (printed += text),
      drained: () => Promise.resolve(),
    };
    const listener = transcript(out);
    let seq = 0;
    return {
      send: (event) => void listener.onEvent?.({ ...event, seq: seq++, at: 0 } as Event),
      lines: () => [...printed.matchAll(/^▸ (.*)$/gm)].map(([, words]) => words!),
    };
  }

  it('lists reads that run together in the order of their calls, whichever ends first', () => {
    const { send, lines } = listening();
    send(taskStarted('t'));
    send(agentResponse('', { readUpTo: 0, actions: reads('a', 'b', 'c') }));
    send(ends('c'));
    assert.deepEqual(lines(), []);
    send(ends('a'));
    assert.deepEqual(lines(), ['Read a']);
    send(ends('b'));
    assert.deepEqual(lines(), ['Read a', 'Read b', 'Read c']);
  });

  it('shows everything that ended once the run goes on, and holds nothing back for a call that does more', () => {
    const { send, lines } = listening();
    send(taskStarted('t'));
    send(agentResponse('', { readUpTo: 0, actions: reads('a', 'b') }));
    send(ends('b'));
    send({ type: 'paused', cause: 'user', reason: 'You paused this run.' } as NewEvent);
    assert.deepEqual(lines(), ['Read b']);
    const child = action('d', 'delegate', {}, 'Delegate d');
    send(agentResponse('', { readUpTo: 0, actions: [child, ...reads('e')] }));
    send(ends('e'));
    assert.deepEqual(lines(), ['Read b', 'Read e']);
    send(ends('d'));
    assert.deepEqual(lines(), ['Read b', 'Read e', 'Delegate d']);
  });
});
