import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

describe('npm run corpus', () => {
  it('judges lines like the one in the guide, and says which line is different', function () {
    this.timeout(60_000);
    const root = process.env['REPOSITORY']!;
    const guide = fs.readFileSync(path.join(root, 'docs/architecture/adding-a-program.md'), 'utf8');
    const [, line] = /`(\{"command": [^`]*\})`/.exec(guide)!;
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'corpus-test-'));
    const judge = (text: string) => {
      fs.writeFileSync(path.join(folder, 'commands.jsonl'), text);
      const words = ['scripts/checks/corpus.mjs', path.join(folder, 'commands.jsonl'), '--wrong'];
      return spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' });
    };
    try {
      assert.match(judge(`${line}\n`).stdout, /bash: 1 commands[^]*pijul log/);
      const { status, stderr } = judge(`${line}\n{"command":"ls","level":"low"}\n`);
      assert.equal(status, 1);
      assert.match(stderr, /^Line 2 of \S+ must be like \{"command":"jj log","expected":"low"\}/);
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });

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
