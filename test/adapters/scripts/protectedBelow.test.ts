import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { diskScripts } from '../../../src/adapters/scripts/diskScripts';
import { assessWithScripts } from '../../../src/core/security/scripts/assessWithScripts';
import { loadPowerShell } from '../../../src/adapters/scripts/powerShellParser';
import type { SyntaxNode } from '../../../src/core/ports/scripts';
import type { Assessment } from '../../../src/protocol/events/event';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

describe('a command that moves, copies or deletes a whole folder', () => {
  let workspace: TemporaryWorkspace;
  let outside: TemporaryWorkspace;
  beforeEach(() => {
    workspace = temporaryWorkspace('work');
    outside = temporaryWorkspace('outside');
    for (const name of ['x/.git/hooks/pre-commit', 'y/deep/.vscode/tasks.json', '.claude/plain/a.txt'])
      outside.place(name, '1');
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
  afterEach(() => {
    workspace.stop();
    outside.stop();
  });
  let powershell: (text: string) => SyntaxNode;
  before(async () => {
    powershell = await loadPowerShell();
  });
  const judge = (command: string, shell = 'bash', folder = '.'): Promise<Assessment> =>
    assessWithScripts(
      command,
      { workspace: workspace.root, folder, shell, powershell },
      diskScripts(workspace.root),
      [],
    );

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
    [
      'tar cf - tools | (cd sub && tar xf -)',
      'Copies tools/.vscode, which contains editor settings that can run programs.',
    ],
    [
      'tar cf a.tar tools; tar xf a.tar -C sub',
      'Copies tools/.vscode, which contains editor settings that can run programs.',
    ],
    [
      'Copy-Item tools sub -Recurse',
      'Copies tools/.vscode, which contains editor settings that can run programs.',
      'powershell',
    ],
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

  it('touches those in a folder from outside the workspace, under the names that they get', async () => {
    const at = path.relative(workspace.root, outside.root);
    const x = outside.at('x');
    for (const [command, says] of [
      [`mv ${x} sub`, `Moves ${x}/.git, which contains internal data of Git.`],
      [`cp -r ${x} sub`, `Copies ${x}/.git to sub, which contains internal data of Git.`],
      [`cp -a ${x}/. .`, `Copies ${x}/.git to ., which contains internal data of Git.`],
      [`rsync -a ${at}/x sub`, `Copies ${at}/x/.git to sub, which contains internal data of Git.`],
      [`tar cf - -C ${x} . | tar xf -`, `Copies ${x}/.git, which contains internal data of Git.`],
      [
        `mv ${outside.root}/? sub`,
        `Moves ${outside.root}/y/deep/.vscode, which contains editor settings that can run programs.`,
      ],
    ] as const) {
      const { level, guarded, reasons } = await judge(command);
      assert.deepEqual([level, guarded], ['high', true], command);
      assert.ok(reasons.includes(says), reasons.join('\n'));
    }
    for (const command of [`cp -r ${outside.at('.claude/plain')} sub`, `cp -r ${outside.at('missing')} sub`])
      assert.equal((await judge(command)).guarded, undefined, command);
  });

  it('asks if a folder has too many entries to search', async () => {
    fs.mkdirSync(workspace.at('large/a'), { recursive: true });
    for (let at = 0; at <= 20_000; at++) fs.writeFileSync(workspace.at(`large/a/f${at}`), '');
    workspace.place('large/z/zz/.vscode/tasks.json', '1');
    for (const [command, verb] of [
      ['mv large away', 'Moves'],
      ['cp -r large away', 'Copies'],
      ['rm -rf large', 'Deletes'],
    ] as const) {
      const { level, guarded, reasons } = await judge(command);
      assert.deepEqual([level, guarded], ['high', true], command);
      assert.ok(reasons.includes(`${verb} large, which could not be searched completely for protected files.`));
    }
    fs.renameSync(workspace.at('large'), workspace.at('dist'));
    assert.equal((await judge('rm -rf dist')).guarded, undefined);
    assert.equal((await judge('mv dist away')).guarded, true);
  });

  it('does not follow a pattern into folders that it does not match', async () => {
    workspace.place('.vscode/tasks.json', '1');
    fs.rmSync(workspace.at('tools'), { recursive: true });
    fs.rmSync(workspace.at('sub'), { recursive: true });
    fs.rmSync(workspace.at('other'), { recursive: true });
    assert.equal((await judge('cp -r * ../away')).guarded, undefined);
    assert.equal((await judge('cp -r * away')).guarded, undefined);
    assert.equal((await judge('cp -r .v* away')).guarded, true);
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
