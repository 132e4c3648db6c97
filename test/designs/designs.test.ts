import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { documents, stated, titleOf } from './support/statement';
import './miniOne';
import './miniTwo';
import './hermes';
import './openhands';
import './agentFoundation';
import './commandLines';

describe('the table of statements', () => {
  it('numbers the statements of each document without gaps', () => {
    for (const family of Object.keys(documents)) {
      const numbers = stated.flatMap(({ id }) => (id.startsWith(`${family}-`) ? [Number(id.split('-')[1])] : []));
      assert.deepEqual(
        numbers,
        numbers.map((_, index) => index + 1),
        family,
      );
    }
  });

  it('is in docs/conformance.md, with every statement once and in its own words', () => {
    const rows = fs
      .readFileSync(path.join(process.env['REPOSITORY']!, 'docs/conformance.md'), 'utf8')
      .split('## What the originals do')[0]!
      .split('\n')
      .filter((line) => /^\| [A-Z]+\d?-\d/.test(line))
      .map((line) => line.split(/(?<!\\)\|/).slice(1, -1))
      .map((cells) => cells.map((cell) => cell.trim().replaceAll('\\|', '|')))
      .map(([id, , words, ours]) => titleOf({ id: id!, words: words!, ...(ours && { ours }) }));
    assert.deepEqual(rows, stated.map(titleOf), 'run npm run conformance');
  });
});
