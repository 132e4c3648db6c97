import { strict as assert } from 'node:assert';
import { lastOutput, maxOutputCharacters } from '../../../src/extension/window/lastOutput';
import type { Event } from '../../../src/protocol/events/event';

/** A log of commands and their output. Counts how many of its events were read. */
function logOf(outputs: readonly string[]): { history: readonly Event[]; looked: () => number } {
  const events = outputs.flatMap((content, index) => [
    { type: 'agent_response', actions: [{ id: `c${index}`, input: { command: `print ${index}` } }] },
    { type: 'observation', actionId: `c${index}`, content, details: { kind: 'command' } },
  ]) as unknown as Event[];
  let looked = 0;
  const history = new Proxy(events, {
    get(target, key) {
      if (typeof key === 'string' && /^\d+$/.test(key)) looked++;
      return Reflect.get(target, key) as unknown;
    },
  });
  return { history, looked: () => looked };
}

describe('the initial text of a terminal', () => {
  it('contains each command and its output, in order', () => {
    const { history } = logOf(['one', 'two']);
    assert.equal(lastOutput(history), '$ print 0\none\n$ print 1\ntwo\n');
  });

  it('contains the end of a long log and marks it as the end', () => {
    const { history } = logOf(['a'.repeat(maxOutputCharacters), 'last']);
    const shown = lastOutput(history);
    assert.ok(shown.startsWith('[…]\n'));
    assert.ok(shown.endsWith('$ print 1\nlast\n'));
    assert.equal(shown.length, maxOutputCharacters + '[…]\n'.length);
  });

  it('is created without reading much more of a long log than it shows', () => {
    const { history, looked } = logOf(Array.from({ length: 10_000 }, (_, index) => `${index} ${'x'.repeat(1_000)}`));
    assert.ok(lastOutput(history).endsWith(`9999 ${'x'.repeat(1_000)}\n`));
    assert.ok(looked() < 1_000, `${looked()} events were looked at`);
  });

  it('is empty for a log without commands', () => {
    assert.equal(lastOutput([]), '');
  });
});
