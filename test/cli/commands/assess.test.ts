import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { cliWords, ensureBuilt } from '../support/commandLine';
import { temporaryWorkspace } from '../../support/temporaryWorkspace';

const waymark = (args: readonly string[], input = '', cwd = process.cwd()) =>
  spawnSync(process.execPath, [...cliWords, 'assess', ...args], { input, cwd, encoding: 'utf8' });

describe('waymark assess', () => {
  before(ensureBuilt);

  it('explains how a command is judged, which part decides, and by which rule', () => {
    const { status, stdout } = waymark(['cat README.md && rm -rf src']);
    assert.equal(status, 0);
    assert.match(stdout, /^High risk\. It waits for approval\.\n\nReasons\n {2}Deletes (changes in )?src\b.*\n/);
    assert.match(stdout, /The deciding part\n {2}rm -rf src\n|The deciding part\n {2}src\n/);
    assert.match(stdout, / {4}low {5}reads README\.md {2}\(rule: secret reads and places outside\)\n/);
    assert.match(stdout, / {2}→ high {4}deletes src and everything in it {2}\(rule: deletions\)\n/);
  });

  it('names the rule that holds in every mode, and writes invisible characters as codes', () => {
    assert.match(waymark(['rm -rf ~']).stdout, /in every mode[\s\S]*\(rule: floor\)/);
    assert.match(waymark(['ls \u202esrc']).stdout, /U\+202E/);
    assert.ok(!waymark(['ls \u202esrc']).stdout.includes('\u202e'));
  });

  it('judges each line of standard input in one process and answers every line, even invalid ones', () => {
    const lines = [
      '{"id":"a","command":"ls","shell":"bash"}',
      'nonsense',
      '{"id":"b"}',
      '',
      '{"id":7,"command":"git push"}',
      '[1]',
      '{"id":"c","command":"ls","shell":"fish"}',
    ];
    const { status, stdout } = waymark(['--jsonl'], lines.join('\n'));
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown; level: string; reasons: string[]; error?: string });
    assert.equal(status, 0);
    assert.deepEqual(
      answers.map(({ id, level, error }) => [id, level, error !== undefined]),
      [
        ['a', 'low', false],
        [null, 'high', true],
        ['b', 'high', true],
        [7, 'high', false],
        [null, 'high', true],
        ['c', 'high', false],
      ],
    );
    assert.deepEqual(answers[0]!.reasons, []);
  });

  it('looks at scripts and links of the folder for every line', () => {
    const workspace = temporaryWorkspace();
    try {
      workspace.place('package.json', '{"scripts":{"lint":"rm -rf ~/x","test":"echo ok"}}');
      workspace.place('.vscode/settings.json', '{}');
      fs.symlinkSync('.vscode', workspace.at('editor'));
      const commands = ['npm run lint', 'npm test', 'echo 1 > editor/settings.json', 'cd editor && ls'];
      const lines = commands.map((command, id) => JSON.stringify({ id, command })).join('\n');
      const answers = waymark(['--jsonl'], lines, workspace.root).stdout.trimEnd().split('\n');
      const levels = answers.map((line) => (JSON.parse(line) as { level: string }).level);
      assert.deepEqual(levels, ['high', 'low', 'high', 'low']);
    } finally {
      workspace.stop();
    }
  });

  it('treats absolute paths in the given folder as inside the workspace', () => {
    const workspace = temporaryWorkspace();
    try {
      const line = JSON.stringify({ id: 'a', command: `cat ${workspace.root}/notes.txt` });
      assert.equal(
        (JSON.parse(waymark(['--jsonl', '--cwd', workspace.root], line).stdout) as { level: string }).level,
        'low',
      );
      assert.equal((JSON.parse(waymark(['--jsonl'], line).stdout) as { level: string }).level, 'high');
    } finally {
      workspace.stop();
    }
  });

  it('reads the script that a command runs and says which part of the command decides', () => {
    const workspace = temporaryWorkspace();
    try {
      workspace.place('package.json', '{"scripts":{"check":"eslint src && git push"}}');
      assert.match(
        waymark(['npm run check', '--cwd', workspace.root]).stdout,
        /^High risk[\s\S]*The script "check": Pushes commits[\s\S]*The deciding part\n {2}npm run check\n/,
      );
    } finally {
      workspace.stop();
    }
  });

  it('refuses missing or conflicting arguments and a folder that does not exist', () => {
    assert.equal(waymark([]).status, 1);
    assert.match(waymark(['ls', '--jsonl']).stderr, /come from standard input/);
    assert.match(waymark(['ls', '--cwd', '/nowhere-at-all']).stderr, /is not a folder/);
  });
});
