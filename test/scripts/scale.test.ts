import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const repository = process.env['REPOSITORY']!;

describe('the page about many machines', () => {
  it('contains the tables that the simulation prints', () => {
    const page = fs.readFileSync(path.join(repository, 'docs/use/scale.md'), 'utf8').split('\n');
    const printed = execFileSync(process.execPath, [path.join(repository, 'bench/scale.mjs')], { encoding: 'utf8' });
    const lines = printed.split('\n').filter((line) => line !== '');
    assert.ok(lines.length > 10, printed);
    assert.deepEqual(
      lines.filter((line) => !page.includes(line)),
      [],
    );
  });
});
