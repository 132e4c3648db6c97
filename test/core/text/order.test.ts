import { strict as assert } from 'node:assert';
import { compareNumbered } from '../../../src/core/text/order';

describe('order of numbered names', () => {
  it('is by the value of numbers and otherwise by character', () => {
    const sorted = ['a.1.txt', 'a.2.txt', 'a.10.txt', 'a.txt', 'a/1', 'a1', 'a01b', 'a1b', 'a10', 'ab', 'b', 'b2'];
    for (const mixed of [sorted.toReversed(), [...sorted.slice(5), ...sorted.slice(0, 5)]])
      assert.deepEqual(mixed.sort(compareNumbered), [
        'a.1.txt',
        'a.2.txt',
        'a.10.txt',
        'a.txt',
        'a/1',
        'a01b',
        'a1',
        'a1b',
        'a10',
        'ab',
        'b',
        'b2',
      ]);
  });
});
