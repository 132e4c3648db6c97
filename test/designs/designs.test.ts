import { strict as assert } from 'node:assert';
import { documents, stated } from './support/statement';
import './miniOne';
import './miniTwo';
import './hermes';
import './openhands';
import './agentFoundation';
import './commandLines';

describe('the table of statements', () => {
  it('numbers the statements of each document without a gap', () => {
    for (const family of Object.keys(documents)) {
      const numbers = stated.flatMap(({ id }) => (id.startsWith(`${family}-`) ? [Number(id.split('-')[1])] : []));
      assert.deepEqual(
        numbers,
        numbers.map((_, index) => index + 1),
        family,
      );
    }
  });
});
