import assert from 'node:assert/strict';
import fs from 'node:fs';
import { diskScripts } from '../../../src/adapters/scripts/diskScripts';
import { assessWithScripts } from '../../../src/core/security/scripts/assessWithScripts';
import type { Assessment } from '../../../src/protocol/events/event';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

describe('a command that moves, copies or deletes a whole folder', () => {
  let workspace: TemporaryWorkspace;
  beforeEach(() => {
    workspace = temporaryWorkspace('work');
    for (const name of [
      'sub/deep/AGENTS.md',
      'sub/a.txt',
      'other/deep/AGENTS.md',
      'tools/.vscode/tasks.json',
      'plain/a.txt',
      'plain/node_modules/x/AGENTS.md',
      'plain/package.json',
      'node_modules/x/.npmrc',
    ])
      workspace.place(name, '1');
    fs.symlinkSync('../sub', workspace.at('plain/link'));
  });
  afterEach(() => workspace.stop());
  const judge = (command: string, shell = 'bash', folder = '.'): Promise<Assessment> =>
    assessWithScripts(command, { workspace: workspace.root, folder, shell }, diskScripts(workspace.root), []);

  for (const [command, says, shell, folder] of [
    ['mv sub away', 'Moves sub/deep/AGENTS.md, which contains instructions that agents follow.'],
    ['mv sub away && mv other sub', 'Moves other/deep/AGENTS.md, which contains instructions that agents follow.'],
    ['mv -T other sub', 'Moves other/deep/AGENTS.md, which contains instructions that agents follow.'],
    ['mv -t away sub plain', 'Moves sub/deep/AGENTS.md, which contains instructions that agents follow.'],
    ['mv s*b away', 'Moves sub/deep/AGENTS.md, which contains instructions that agents follow.'],
    ['mv ./plain/../sub away', 'Moves sub/deep/AGENTS.md, which contains instructions that agents follow.'],
    ['mv deep away', 'Moves sub/deep/AGENTS.md, which contains instructions that agents follow.', 'bash', 'sub'],
    ['cd sub && mv deep away', 'Moves sub/deep/AGENTS.md, which contains instructions that agents follow.'],
    ['mv tools t', 'Moves tools/.vscode, which contains editor settings that can run programs.'],
    ['git mv sub away', 'Moves sub/deep/AGENTS.md, which contains instructions that agents follow.'],
    ['cp -r other/. sub', 'Copies other/deep/AGENTS.md to sub, which contains instructions that agents follow.'],
    ['cp -a -t sub other', 'Copies other/deep/AGENTS.md to sub, which contains instructions that agents follow.'],
    ['rsync -a other/ sub/', 'Copies other/deep/AGENTS.md to sub/, which contains instructions that agents follow.'],
    ['rm -rf sub', 'Deletes sub/deep/AGENTS.md, which contains instructions that agents follow.'],
    ['git rm -rq sub', 'Deletes sub/deep/AGENTS.md, which contains instructions that agents follow.'],
    ['move sub away', 'Moves sub/deep/AGENTS.md, which contains instructions that agents follow.', 'cmd'],
    ['rd /s /q sub', 'Deletes sub/deep/AGENTS.md, which contains instructions that agents follow.', 'cmd'],
  ] as const)
    it(`touches the protected files in it: ${command}`, async () => {
      const { level, guarded, reasons } = await judge(command, shell, folder);
      assert.deepEqual([level, guarded], ['high', true]);
      assert.ok(reasons.includes(says), reasons.join('\n'));
    });

  it('is judged as before if there are none, and links and packages in it do not count', async () => {
    for (const command of [
      'mv plain away',
      'cp -r plain away',
      'mv node_modules away',
      'mv missing away',
      'cp sub/a.txt b',
    ])
      assert.deepEqual([(await judge(command)).level, (await judge(command)).guarded], ['medium', undefined], command);
    assert.equal((await judge('rm -rf node_modules')).guarded, undefined);
  });
});
