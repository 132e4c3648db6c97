import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { exitCodes } from '../../../src/cli/output/exitCodes';
import { Event } from '../../../src/protocol/events/event';
import { failure, reply, toolCall, toolCalls } from '../../support/modelServer';
import { cliFile, ensureBuilt, onMachine } from '../support/commandLine';
import { eventsPrinted } from '../../support/loggedEvents';

const finish = toolCall('finish', { summary: 'The greeting is friendlier.' });

describe('the output of waymark run', () => {
  before(ensureBuilt);

  it('with --json, contains each event of the log on its own line and nothing else', () =>
    onMachine(
      [toolCall('run_command', { command: 'printf "a\\nb\\n"' }, { text: 'I look.' }), finish],
      async ({ run, events, log }) => {
        const { code, stdout, stderr } = await run('Look.', '--json');
        assert.deepEqual([code, stderr], [0, '']);
        const lines = stdout.trimEnd().split('\n');
        for (const line of lines) Event.parse(JSON.parse(line));
        assert.equal(
          stdout,
          fs
            .readFileSync(log, 'utf8')
            .split('\n')
            .slice(1)
            .join('\n')
            .replaceAll(/,"frame":"[^"]*"\}$/gm, '}'),
        );
        assert.equal(lines.length, events().length);
      },
    ));

  it('with --json, contains only new events if a log is continued', () =>
    onMachine([reply('One.'), reply('Two.')], async ({ run, events }) => {
      await run('First.');
      const before = events().length;
      const { stdout } = await run('Second.', '--json');
      const seqs = eventsPrinted(stdout).map(({ seq }) => seq);
      assert.deepEqual(
        seqs,
        events()
          .slice(before)
          .map(({ seq }) => seq),
      );
    }));

  it('says that a medium-risk action ran only if it did', () =>
    onMachine(
      [
        toolCall('write_file', { path: 'greeting.txt', content: 'Other.\n' }),
        toolCall('run_command', { command: 'echo x > made.txt; exit 3' }),
        finish,
      ],
      async ({ run, workspace }) => {
        workspace.place('greeting.txt', 'Hello\n');
        fs.chmodSync(workspace.at('greeting.txt'), 0o444);
        const { stdout } = await run('Write.');
        assert.match(stdout, /greeting\.txt exists and was not read yet/);
        assert.deepEqual(stdout.match(/ran, medium risk: .*/g), ['ran, medium risk: Changes made.txt.']);
      },
    ));

  it('is a readable transcript', () =>
    onMachine(
      [
        toolCall('read_file', { path: 'greeting.txt' }, { text: 'I read the greeting first.' }),
        toolCalls([
          {
            tool: 'edit_file',
            input: { path: 'greeting.txt', edits: [{ old_text: 'Hello', new_text: 'Good morning' }] },
          },
          { tool: 'run_command', input: { command: 'cat greeting.txt' } },
        ]),
        toolCall('run_command', { command: 'echo out; exit 3' }),
        toolCall('run_command', { command: 'seq 100' }),
        finish,
      ],
      async ({ run, workspace, server }) => {
        workspace.place('greeting.txt', 'Hello\n');
        const { code, stdout, stderr } = await run('Make the greeting friendlier.', '--confirm', 'never');
        assert.equal(code, 0);
        assert.match(stderr, /^1 changed file\..*\n$/);
        const masked = stdout
          .replaceAll(workspace.root, 'FOLDER')
          .replaceAll(String(server.port), 'PORT')
          .replace(/\d+\.\d s/g, 'TIME')
          .replace(/^! Commands run without a sandbox.*\n/m, ''); // printed if there is no sandbox
        assert.equal(
          masked,
          `● Make the greeting friendlier.  gpt-5 · openai-compatible at 127.0.0.1:PORT · FOLDER
I read the greeting first.
▸ Read greeting.txt
▸ Edit greeting.txt  +1 −1
    1 - Hello
    1 + Good morning
▸ Run cat greeting.txt  exit 0 · TIME
  Good morning
  [exit code 0]
▸ Run echo out; exit 3  exit 3 · TIME
  out
  [exit code 3; the shell exited as well
  A new shell replaces the old one, in the folder where this command began. Exported variables are kept; other variables and functions are lost.]
▸ Run seq 100  exit 0 · TIME
  1
  2
  3
  4
  5
  … 91 lines …
  97
  98
  99
  100
  [exit code 0]
✓ The greeting is friendlier.
`,
        );
      },
    ));

  it('omits empty lines before and after the text of a reply, but keeps those within it', () =>
    onMachine(
      [
        toolCall('list_files', {}, { text: '\n' }),
        toolCall('list_files', {}, { text: '\n\n  Indented.\n\nSecond.\n\n' }),
        finish,
      ],
      async ({ run }) => {
        const { stdout } = await run('Look.');
        assert.match(
          stdout,
          /^● Look\..*\n▸ List .*\n {2}Indented\.\n\nSecond\.\n▸ List .*\n✓ The greeting is friendlier\.\n/,
        );
      },
    ));

  it('shows a text after reasoning without an opening tag once', () =>
    onMachine([toolCall('list_files', {}, { text: 'Hm.\n</think>\n\nLook there.' }), finish], async ({ run }) => {
      const { stdout } = await run('Look.');
      assert.match(stdout, /\nHm\.\n<\/think>\n\nLook there\.\n▸ List /);
    }));

  it('escapes control characters from a model, a server or a program', () =>
    onMachine(
      [
        toolCall(
          'run_command',
          { command: "printf '\\033]0;title\\007plain\\n'" },
          { text: 'I \u001b[2Jhide \u202etxet' },
        ),
        failure(400, 'bad \u001b[31mred\u001b[0m request'),
      ],
      async ({ run }) => {
        const { stdout, stderr } = await run('Title \u001b[5m', '--confirm', 'never');
        assert.doesNotMatch(stdout + stderr, /[\u0000-\u0008\u000b-\u001f\u202e]/);
        assert.match(stdout, /I \\u\{1b\}\[2Jhide \\u\{202e\}txet/);
        assert.match(stdout, /^ {2}plain$/m);
      },
    ));

  it('never contains the key, and neither does the log or the environment of a command', () =>
    onMachine(
      [
        toolCall('run_command', { command: 'env; echo "[$CANARY_HOLDER][$OPENAI_API_KEY]"' }),
        failure(401, 'Incorrect key: canary-5d41402abc4b'),
      ],
      async ({ start, args, server, log }) => {
        const { code, stdout, stderr } = await start(
          args('Look.', '--confirm', 'never', '--api-key-env', 'CANARY_HOLDER'),
          { CANARY_HOLDER: 'canary-5d41402abc4b', OPENAI_API_KEY: 'canary-of-another' },
        ).ended;
        assert.equal(code, 1);
        assert.equal(server.requests[0]!.headers.authorization, 'Bearer canary-5d41402abc4b');
        assert.match(stdout, /^ {2}\[\]\[\]$/m);
        const folder = path.dirname(log);
        const written = fs
          .readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => fs.readFileSync(path.join(entry.parentPath, entry.name), 'latin1'));
        for (const text of [stdout, stderr, ...written, ...server.requests.map(({ text: body }) => body)])
          assert.doesNotMatch(text, /canary-/);
      },
    ));

  it('includes help for waymark --help and for every command with all its exit codes', function () {
    this.timeout(120_000);
    ensureBuilt();
    const help = (...args: string[]) => spawnSync(process.execPath, [cliFile, ...args], { encoding: 'utf8' });
    const commands = [...help('--help').stdout.matchAll(/^ {2}([a-z][a-z-]*)\b/gm)].map(([, name]) => name!);
    const known = Object.keys(exitCodes).filter((name) => !name.includes(' '));
    assert.deepEqual(commands.filter((name) => name !== 'help').sort(), known.sort());
    for (const [name, meanings] of Object.entries(exitCodes).filter(([name]) => known.includes(name))) {
      const told = help(name, '--help').stdout.replace(/\s+/g, ' ');
      assert.ok(
        told.includes(
          `Exit codes: ${Object.entries(meanings)
            .map(([code, words]) => `${code} ${words}`)
            .join(' ')}`,
        ),
        told,
      );
    }
    assert.match(help('--help').stdout, /^Usage: waymark /);
    const { version } = JSON.parse(fs.readFileSync(path.join(process.env.REPOSITORY!, 'package.json'), 'utf8')) as {
      version: string;
    };
    assert.equal(help('--version').stdout, `${version}\n`);
    assert.match(
      help('run', '--help').stdout.replace(/\s+/g, ' '),
      /0 done 1 failed 2 limit reached 3 approval needed 130 interrupted/,
    );
    const { bin } = JSON.parse(fs.readFileSync(path.join(process.env['REPOSITORY']!, 'package.json'), 'utf8')) as {
      bin: { waymark: string };
    };
    assert.equal(path.join(process.env['REPOSITORY']!, bin.waymark), cliFile);
    assert.match(fs.readFileSync(cliFile, 'utf8'), /^#!\/usr\/bin\/env node\n/);
  });
});
