import { strict as assert } from 'node:assert';
import { truncate } from '../../../src/protocol/plain/truncate';

describe('truncate', () => {
  it('keeps a text that fits, and otherwise ends it with "…" within the limit', () => {
    assert.deepEqual(
      [truncate('abc', 3), truncate('abcd', 3), truncate('', 1), truncate('ab', 1)],
      ['abc', 'ab…', '', '…'],
    );
  });

  it('never keeps half of a character', () => {
    const text = 'a😀b😀😀c';
    for (let limit = 1; limit <= text.length; limit++) {
      const cut = truncate(text, limit);
      assert.ok(cut.length <= limit && encodeURI(cut), `${limit}: ${JSON.stringify(cut)}`);
    }
  });
});
