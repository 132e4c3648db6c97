import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

describe('npm run corpus', () => {
  it('fails if there is nothing to measure, unless that is allowed', () => {
    const root = process.env['REPOSITORY']!;
    const alone = fs.mkdtempSync(path.join(os.tmpdir(), 'corpus-test-'));
    try {
      // A repository without the shared corpus beside it.
      const copy = path.join(alone, 'repository');
      fs.mkdirSync(path.join(copy, 'scripts/checks'), { recursive: true });
      fs.symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
      for (const name of ['scripts/checks/corpus.mjs', 'scripts/repository.mjs', 'package.json'])
        fs.copyFileSync(path.join(root, name), path.join(copy, name));
      const run = (...more: string[]) =>
        spawnSync(process.execPath, ['scripts/checks/corpus.mjs', ...more], { cwd: copy, encoding: 'utf8' });
      for (const named of [[], ['missing.jsonl']]) {
        const { status, stderr } = run(...named);
        assert.match(stderr, /no corpus at .*nothing was measured/);
        assert.equal(status, 1);
        assert.equal(run('--if-there', ...named).status, 0);
      }
    } finally {
      fs.rmSync(alone, { recursive: true, force: true });
    }
  });
});
