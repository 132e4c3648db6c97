import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { holdsHome } from '../../../src/adapters/files/holdsHome';
import { reply, toolCall } from '../../support/modelServer';
import { readOnlyDisk } from '../../faults/support/smallDisk';
import { cliFile, ensureBuilt, onMachine } from '../support/commandLine';

describe('a run in the home folder', () => {
  before(ensureBuilt);

  /** Runs one call in the home folder, in a mode that asks nothing. Returns the exit code and what is printed. */
  const inHome = (call: ReturnType<typeof toolCall>, where = (home: string) => home) =>
    onMachine([call, reply('Done.')], async ({ run, environment }) => {
      const home = environment['HOME']!;
      for (const [name, text] of [
        ['.ssh/id_ed25519', 'key\n'],
        ['.ssh/config', 'Host a\n'],
        ['.bashrc', 'a=1\n'],
        ['notes/a.txt', 'a\n'],
      ] as const) {
        fs.mkdirSync(path.dirname(path.join(home, name)), { recursive: true });
        fs.writeFileSync(path.join(home, name), text);
      }
      const ended = await run('Go.', '--cwd', where(home), '--trust-folder', '--mode', 'auto', '--sandbox', 'off');
      return { ...ended, bashrc: fs.readFileSync(path.join(home, '.bashrc'), 'utf8') };
    });
  const warning =
    /^Warning: the folder of this run, .*, contains your home folder\. .*Run Waymark in a project folder/m;

  it('says what is at stake and what to do', async () => {
    const { code, stderr } = await inHome(toolCall('read_file', { path: 'notes/a.txt' }));
    assert.equal(code, 0);
    assert.match(stderr, warning);
  });

  it('does not say so in a folder below it', async () => {
    const { code, stderr } = await inHome(toolCall('read_file', { path: 'a.txt' }), (home) => path.join(home, 'notes'));
    assert.equal(code, 0);
    assert.doesNotMatch(stderr, /Warning/);
  });

  for (const [name, input] of [
    ['write_file', { path: '.zshenv', content: 'a=2\n' }],
    ['edit_file', { path: '.bashrc', edits: [{ old: 'a=1', new: 'a=2' }] }],
    ['run_command', { command: 'echo a=2 >> .bashrc' }],
    ['read_file', { path: '.ssh/id_ed25519' }],
    ['run_command', { command: 'cat .ssh/config' }],
    ['run_command', { command: 'cp .ssh/id_ed25519 notes/x' }],
  ] as const)
    it(`asks in every mode: ${name} ${JSON.stringify(input)}`, async () => {
      const { code, bashrc, stderr } = await inHome(toolCall(name, input));
      assert.deepEqual([code, bashrc], [3, 'a=1\n'], stderr);
    });
});

describe('a folder holds the home folder', () => {
  it('if it is that folder or one above, also through a link', () => {
    for (const [folder, holds] of [
      ['/home/me', true],
      ['/home', true],
      ['/', true],
      ['/home/me/project', false],
      ['/home/other', false],
      ['/home/m', false],
      ['/home/..me', false],
    ] as const)
      assert.equal(holdsHome(['/nowhere', folder], '/home/me'), holds, folder);
  });
});

describe('a run whose sessions cannot be saved', () => {
  before(ensureBuilt);

  it('ends before the model is asked, and says what to do', () =>
    onMachine([reply('Done.')], async ({ server, workspace, start }) => {
      workspace.place('taken', 'a file\n');
      const args = ['run', 'Go.', '--base-url', server.baseUrl, '--model', 'gpt-5', '--trust-folder'];
      const { code, stderr } = await start(args, { XDG_STATE_HOME: workspace.at('taken/below') }).ended;
      assert.equal(code, 1);
      assert.match(
        stderr,
        /Nothing was started: the folder for sessions, .*, cannot be written \((ENOTDIR|EEXIST)\)\. Set XDG_STATE_HOME/,
      );
      assert.equal(server.requests.length, 0);
    }));

  it('ends the same way if the home folder is on a read-only disk', function () {
    const disk = readOnlyDisk();
    if (!disk) return this.skip(); // a disk cannot be mounted read-only here
    return onMachine([reply('Done.')], async ({ server, start }) => {
      const args = ['run', 'Go.', '--base-url', server.baseUrl, '--model', 'gpt-5', '--trust-folder'];
      const { code, stderr } = await start(args, { HOME: disk.folder, XDG_STATE_HOME: '' }).ended;
      assert.equal(code, 1);
      assert.match(stderr, /Nothing was started: .*, cannot be written \(EROFS\)\. Set XDG_STATE_HOME/);
      assert.equal(server.requests.length, 0);
    }).finally(() => disk.stop());
  });
});

describe('a HOME that names no folder', function () {
  before(function () {
    if (process.platform === 'win32') this.skip(); // HOME is not used there
    ensureBuilt();
  });

  for (const HOME of ['', 'relative'])
    it(`is replaced by the home folder of the account: ${JSON.stringify(HOME)}`, () =>
      onMachine([toolCall('run_command', { command: 'echo home: "$HOME"' }), reply('Done.')], async (machine) => {
        const { server, workspace, start, environment } = machine;
        const args = ['run', 'Go.', '--base-url', server.baseUrl, '--model', 'gpt-5', '--trust-folder'];
        const { code, stdout, stderr } = await start(args, { HOME }).ended;
        assert.equal(code, 0, stderr);
        assert.match(stdout, new RegExp(`home: ${os.userInfo().homedir}$`, 'm'));
        await start(['skills'], { HOME, XDG_STATE_HOME: '' }).ended;
        assert.deepEqual(workspace.names(), [], environment['XDG_STATE_HOME']);
      }));

  it('is an error if the account has none', function () {
    const env = { PATH: process.env['PATH'] };
    const asNobody = (...args: string[]) =>
      spawnSync(process.execPath, [cliFile, ...args], { cwd: '/', env, uid: 54_321, gid: 54_321, encoding: 'utf8' });
    if (asNobody('--version').status !== 0) this.skip(); // this account cannot start it as another one
    const { status, stderr } = asNobody('sessions');
    assert.equal(status, 1);
    assert.match(stderr, /^Your account has no home folder\. Set HOME to the absolute path of a folder of yours/);
  });
});
