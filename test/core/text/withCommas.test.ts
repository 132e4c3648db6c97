import assert from 'node:assert/strict';
import fc from 'fast-check';
import { withCommas } from '../../../src/core/text/withCommas';

describe('a count with commas', () => {
  it('is what Intl makes of it', () => {
    const english = new Intl.NumberFormat('en');
    for (const count of [0, 9, 99, 999, 1000, 12_345, 123_456, 1_000_000])
      assert.equal(withCommas(count), english.format(count));
    fc.assert(fc.property(fc.maxSafeNat(), (count) => assert.equal(withCommas(count), english.format(count))));
  });
});
