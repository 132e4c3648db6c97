import assert from 'node:assert/strict';
import { loadPowerShell } from '../../../src/adapters/scripts/powerShellParser';
import type { Scripts, SyntaxNode } from '../../../src/core/ports/scripts';
import { mayRun } from '../../../src/core/security/scripts/mayRun';
import { assessCommand } from '../../../src/core/shell/assessCommand';

let powershell: (text: string) => SyntaxNode;
before(async () => {
  powershell = await loadPowerShell();
});

/** A folder of which nothing is known. */
const noScripts: Scripts = {
  read: async () => undefined,
  usualPlaces: async () => [],
  linkTargets: async () => [],
  protectedBelow: async () => ({ found: [], isComplete: true }),
  excludedPath: async () => undefined,
  inGit: async () => [],
  temporaryFile: async () => 'none',
  gitSettings: async () => '',
  gitSettingsBelow: async () => [],
  powershell: () => loadPowerShell(),
  hash: (text) => text,
};

const level = (shell: string, command: string, workspace = 'C:/Work'): string =>
  assessCommand(command, { workspace, folder: '.', shell, powershell }).level;

describe('a file that cmd.exe or PowerShell may open under another name', () => {
  for (const [shell, commands] of Object.entries({
    cmd: [
      'type CREDEN~1.JSO',
      'type src\\SECRET~12\\a.txt',
      'findstr /s x CREDEN~1.JSO',
      'echo x > PACKAG~1.JSO',
      'copy a.txt PACKAG~1.JSO',
    ],
    powershell: [
      'gc CREDEN~1.JSO',
      "Get-Content -Path 'src\\SECRET~1\\a.txt'",
      'gc a.txt:hidden',
      'Set-Content "a.txt:hidden" x',
      'Copy-Item a.txt PACKAG~1.JSO',
      'echo x > PACKAG~1.JSO',
    ],
  }))
    for (const command of commands)
      it(`is asked about in ${shell}: ${command}`, () => assert.equal(level(shell, command), 'high'));
  it('is not assumed for a revision of Git and for other names', () => {
    assert.equal(level('cmd', 'git show HEAD~1'), 'medium');
    assert.equal(level('powershell', 'gc a~b.txt'), 'low');
  });
});

describe('the files that copy of cmd.exe joins', () => {
  for (const command of ['copy .env+a.txt b.txt', 'copy a.txt+src\\.env b.txt', 'copy .env+ b.txt'])
    it(`are each read: ${command}`, () => assert.equal(level('cmd', command), 'high'));
  it('may be any of the workspace', () => assert.equal(level('cmd', 'copy a.txt+b.txt c.txt'), 'medium'));
});

describe('an absolute path of Windows', () => {
  for (const path of ['C:\\Work\\src\\a.txt', 'c:\\WORK\\a.txt', 'C:/Work/src/../a.txt', 'C:\\..\\Work\\a.txt'])
    it(`is in the workspace: ${path}`, () => {
      assert.equal(level('powershell', `gc ${path}`), 'low');
      assert.equal(level('cmd', `type ${path}`), 'medium');
    });
  it('is in a workspace that is a drive', () => {
    assert.equal(level('powershell', 'gc D:\\src\\a.txt', 'D:/'), 'low');
    assert.equal(level('powershell', 'gc D:\\.env', 'D:/'), 'high');
  });
  for (const path of [
    'C:\\Work\\.env',
    'C:\\work\\.ENV.',
    'C:\\Work\\..\\a.txt',
    'C:\\Workbench\\a.txt',
    'D:\\Work\\a.txt',
    'C:Work\\a.txt',
    'C:\\Work\\a.txt:b',
    '\\\\server\\Work\\a.txt',
    '\\\\?\\C:\\Work\\a.txt',
  ])
    it(`is asked about: ${path}`, () => assert.equal(level('powershell', `gc '${path}'`), 'high'));
  it('is a secret of the workspace in the reason', () => {
    const { reasons } = assessCommand('type C:\\work\\.env', { workspace: 'C:/Work', folder: '.', shell: 'cmd' });
    assert.match(reasons.join('\n'), /Reads \.env, which usually contains secrets/);
  });
  for (const [shell, command, named] of [
    ['cmd', '"%CLAUDE_PROJECT_DIR%\\run.bat"', 'run.bat'],
    ['cmd', 'node %cd%\\srv.mjs', 'srv.mjs'],
    ['cmd', 'node c:\\work\\sub\\srv.mjs', 'sub/srv.mjs'],
    ['bash', "'node' '--import' 'C:/Work/srv.mjs' '-e' '1'", 'srv.mjs'],
    ['bash', "'node' 'C:/Work/sub/srv.mjs'", 'sub/srv.mjs'],
    ['bash', "'node' 'file:///C:/Work/srv.mjs'", 'srv.mjs'],
    ['bash', "'node' 'file://C:/Work/srv.mjs'", 'srv.mjs'],
    ['bash', "'node' '../Work/srv.mjs'", 'srv.mjs'],
  ] as const)
    it(`names the program behind a hook or an MCP server: ${command}`, async () => {
      const context = { workspace: 'C:/Work', folder: '.', shell, variables: { CLAUDE_PROJECT_DIR: 'C:\\Work' } };
      const { named: all, scripts } = await mayRun(command, context, noScripts);
      assert.ok([...all, ...scripts].includes(named), [...all, ...scripts].join());
    });
});
