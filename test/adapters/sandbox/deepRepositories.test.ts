import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { AgentTerminal } from '../../../src/adapters/terminal/agentTerminal';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox';
import { deepRepositories } from '../../../src/adapters/sandbox/guardedPlaces';
import { commandOptions, temporaryFolder } from '../../contracts/terminal.contract';

describe('repositories deep below the workspace folder', () => {
  it('are found down to a maximum depth and number, except in packages and behind links', () => {
    const root = temporaryFolder();
    const make = (...names: string[]) => {
      for (const name of names) fs.mkdirSync(path.join(root, name, '.git'), { recursive: true });
    };
    make(
      '.',
      'one',
      'one/two',
      'one/two/three/four/five/six',
      'one/two/three/four/five/six/seven',
      'node_modules/a/b',
      'x/node_modules/a',
      'libs/a',
      'libs/b',
    );
    fs.mkdirSync(path.join(root, 'module/a'), { recursive: true });
    fs.writeFileSync(path.join(root, 'module/a/.git'), 'gitdir: ../../.git/modules/a\n');
    fs.symlinkSync(path.join(root, 'libs'), path.join(root, 'link'));
    assert.deepEqual(
      deepRepositories(root)
        .map((found) => path.relative(root, found))
        .sort(),
      ['libs/a/.git', 'libs/b/.git', 'module/a/.git', 'one/two/.git', 'one/two/three/four/five/six/.git'],
    );
    make(...Array.from({ length: 60 }, (_, index) => `many/r${index}`));
    assert.equal(deepRepositories(root).length, 40);
    for (let index = 0; index < 1200; index++) fs.mkdirSync(path.join(root, 'aaa', `f${index}`), { recursive: true });
    make('zzz/late/later');
    assert.ok(deepRepositories(root).length <= 40);
  });

  it('keep their hooks and settings unchanged in the sandbox, and accept commits', async function () {
    const cwd = temporaryFolder();
    if ('none' in (await findSandbox([cwd]))) this.skip(); // this machine does not support a sandbox
    const open = () =>
      new AgentTerminal({ cwd, folders: [cwd], wanted: 'on', outputFolder: temporaryFolder(), shell: '/bin/bash' });
    const first = open();
    const made = await first.outside.run(
      'mkdir -p libs/deep/one && cd libs/deep/one && git init -q . && git config user.email a@b.c && git config user.name A && rm -rf .git/hooks',
      commandOptions(),
    );
    await first.dispose();
    if (made.exitCode !== 0) this.skip(); // Git is not installed
    const terminal = open();
    try {
      const run = (command: string) => terminal.run(`cd '${cwd}/libs/deep/one' && ${command}`, commandOptions());
      for (const command of [
        'mkdir -p .git/hooks && echo evil > .git/hooks/pre-commit',
        'git config core.fsmonitor evil',
        'echo evil >> .git/config',
        'echo ../evil > .git/commondir',
        'mv .git aside',
        'echo "* filter=x" > .git/info/attributes',
      ]) {
        const { exitCode, output } = await run(command);
        assert.notEqual(exitCode, 0, command);
        assert.match(output, /Read-only|busy/, command);
      }
      assert.equal((await run('echo text > file && git add file && git commit -qm first')).exitCode, 0);
    } finally {
      await terminal.dispose();
    }
    assert.ok(!fs.existsSync(path.join(cwd, 'libs/deep/one/.git/hooks')), 'what was made goes when the session ends');
    assert.ok(!fs.existsSync(path.join(cwd, 'libs/deep/one/.git/commondir')));
  });
});
