import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import type { AddressInfo } from 'node:net';
import { AgentTerminal, type AgentTerminalOptions } from '../../../src/adapters/terminal/agentTerminal';
import { onPath } from '../../../src/adapters/processes/onPath';
import type { SandboxOrNot } from '../../../src/adapters/sandbox/sandbox';
import { denialIn, hiddenNetworkWords } from '../../../src/adapters/sandbox/denial';
import { findRuntimeSandbox } from '../../../src/adapters/sandbox/runtimeSandbox';
import { runtimeVersion } from '../../../src/adapters/sandbox/sandboxRuntime';
import { stateFolder } from '../../../src/adapters/storage/stateFolder';
import { processesByPs } from '../../../src/adapters/processes/processTree';
import type { CommandResult } from '../../../src/core/ports/terminal';
import { commandOptions, temporaryFolder, until } from '../../contracts/terminal.contract';

const known = process.platform === 'linux' || process.platform === 'darwin';
const words = (found: SandboxOrNot): string => ('none' in found ? `${found.none}. ${found.next}` : 'a sandbox');

/** A folder of programs with a runtime that runs `cli`. */
function installed(cli: string): string {
  const at = temporaryFolder();
  fs.mkdirSync(path.join(at, 'lib', 'dist'), { recursive: true });
  fs.writeFileSync(
    path.join(at, 'lib', 'package.json'),
    JSON.stringify({ name: '@anthropic-ai/sandbox-runtime', version: runtimeVersion }),
  );
  fs.writeFileSync(path.join(at, 'lib', 'dist', 'cli.js'), cli, { mode: 0o755 });
  fs.symlinkSync(path.join(at, 'lib', 'dist', 'cli.js'), path.join(at, 'srt'));
  fs.writeFileSync(path.join(at, 'socat'), '#!/bin/sh\n', { mode: 0o755 });
  return at;
}

describe('the sandbox runtime as a sandbox', () => {
  before(function () {
    if (!known || onPath('bash', []).length === 0) this.skip();
  }); // the runtime does not support this system

  it('is offered with its install command if it is missing', async () => {
    assert.match(
      words(await findRuntimeSandbox([], { PATH: temporaryFolder() }, [])),
      /the sandbox runtime is not installed\. Install it with "npm install --global --ignore-scripts @anthropic-ai\/sandbox-runtime@[\d.]+" and start a new session\./,
    );
  });

  it('is rejected if it does not start, does not confine, or would misread the folder name', async () => {
    const find = (cli: string, folder = '/x'): Promise<SandboxOrNot> =>
      findRuntimeSandbox([folder], { ...process.env, PATH: `${installed(cli)}:${process.env['PATH']}` }, []);
    assert.match(
      words(await find('console.error("It is broken."); process.exit(1);')),
      /does not work here \(It is broken\.\)/,
    );
    const open =
      'const { spawnSync } = require("node:child_process"); process.exit(spawnSync("bash", ["-c", process.argv.at(-1)], { stdio: "inherit", cwd: process.cwd() }).status);';
    assert.match(
      words(await find(open)),
      /does not work here \(files outside the workspace can be written, protected files can be written, secrets can be read, the network can be reached\)/,
    );
    assert.match(words(await find(open, '/a[b]c')), /reads the name .* as a pattern/);
  });

  it('counts as present if the system is out of processes, and is tried again', async () => {
    const seen = path.join(temporaryFolder(), 'seen');
    const short = `const fs = require('node:fs');
      const first = !fs.existsSync(${JSON.stringify(seen)});
      fs.writeFileSync(${JSON.stringify(seen)}, '');
      console.error(first ? 'Error: spawn sandbox-exec EAGAIN' : 'It is broken.');
      process.exit(1);`;
    const environment = { ...process.env, PATH: `${installed(short)}:${process.env['PATH']}` };
    const found = await findRuntimeSandbox(['/x'], environment, []);
    assert.equal('none' in found && found.exhausted, true);
    assert.match(
      words(found),
      /is installed but could not be started now \(Error: spawn .* EAGAIN\)\.? .*raise the limits/,
    );
    const later = await findRuntimeSandbox(['/x'], environment, []);
    assert.equal('none' in later && later.exhausted, undefined);
    assert.match(words(later), /does not work here \(It is broken\.\)/);
  });

  it('is told apart from its shell using ps, as on macOS', function () {
    if (onPath('ps', []).length === 0) this.skip(); // ps is not installed
    const child = spawn('sleep', ['300'], { detached: true, stdio: 'ignore' });
    try {
      const found = processesByPs().find(({ pid }) => pid === child.pid);
      assert.deepEqual([found?.parent, found?.group], [process.pid, child.pid]);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('has its denials recognized on macOS', () => {
    const failed = { end: 'exited', exitCode: 1, output: 'touch: /x: Operation not permitted' } as CommandResult;
    assert.deepEqual([denialIn(failed, 'darwin'), denialIn(failed, 'linux')], ['files', undefined]);
  });

  it('is mentioned if a command hides that it missed the network, but not if it found such words in a file', () => {
    const succeeded = (output: string) => ({ end: 'exited', exitCode: 0, output }) as CommandResult;
    const hidden = succeeded('npm error code EAI_AGAIN\nnpm error network request to https://registry failed\n');
    assert.equal(denialIn(hidden), undefined);
    assert.match(hiddenNetworkWords(hidden), /no network .* without hiding its exit code/);
    for (const harmless of ['src/net.ts:36:  EAI_AGAIN\n', 'added 3 packages\n'])
      assert.equal(hiddenNetworkWords(succeeded(harmless)), '');
  });
});

describe('the terminal in the sandbox runtime', function () {
  this.timeout(60_000);
  const opened: AgentTerminal[] = [];
  before(async function () {
    if (!known || 'none' in (await findRuntimeSandbox([], process.env, []))) this.skip();
  }); // the runtime or its prerequisites are not installed
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.dispose()));
  });

  const open = (
    cwd = fs.realpathSync(temporaryFolder()),
    { allowed = [], ...more }: Partial<AgentTerminalOptions> & { allowed?: readonly string[] } = {},
  ): { terminal: AgentTerminal; cwd: string; notices: string[]; inside(command: string): Promise<CommandResult> } => {
    const notices: string[] = [];
    const terminal = new AgentTerminal({
      cwd,
      folders: [cwd],
      wanted: 'on',
      outputFolder: temporaryFolder(),
      shell: 'bash',
      find: () => findRuntimeSandbox([cwd], process.env, allowed),
      onNotice: (text) => notices.push(text),
      ...more,
    });
    opened.push(terminal);
    return { terminal, cwd, notices, inside: (command) => terminal.run(command, commandOptions()) };
  };

  it('can write only the workspace and a temporary folder', async () => {
    const elsewhere = temporaryFolder();
    const { cwd, inside } = open();
    const result = await inside(
      'echo in > file; mkdir -p deep; echo on > deep/er; echo t > "$TMPDIR/t" && cat "$TMPDIR/t"',
    );
    assert.deepEqual([result.exitCode, result.output.trim(), result.sandbox], [0, 't', 'inside']);
    assert.equal(fs.readFileSync(path.join(cwd, 'deep/er'), 'utf8'), 'on\n');
    for (const place of [
      path.join(elsewhere, 'x'),
      path.join(os.homedir(), '.waymark-runtime-probe'),
      '/usr/waymark-runtime-probe',
    ]) {
      const { exitCode, denied } = await inside(`echo out > '${place}'`);
      assert.deepEqual([exitCode, denied, fs.existsSync(place)], [1, 'files', false], place);
    }
  });

  it('cannot change files that other programs obey, existing or new, and can commit', async () => {
    const cwd = fs.realpathSync(temporaryFolder());
    for (const folder of ['.git/objects', '.git/refs', '.git/hooks', '.vscode', '.agents'])
      fs.mkdirSync(path.join(cwd, folder), { recursive: true });
    const files: Record<string, string> = {
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/config': '[core]\n\trepositoryformatversion = 0\n',
      '.vscode/settings.json': '{}',
      'AGENTS.md': 'rules',
    };
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(cwd, name), text);
    const { terminal, inside } = open(cwd);
    for (const place of [
      '.git/config',
      '.git/hooks/post-commit',
      '.git/commondir',
      '.vscode/settings.json',
      '.vscode/tasks.json',
      '.agents/x.md',
      'AGENTS.md',
    ]) {
      assert.notEqual((await inside(`echo planted > ${place}`)).exitCode, 0, place);
    }
    for (const command of ['mv .vscode elsewhere', 'mv .git/hooks elsewhere', 'rm -rf AGENTS.md'])
      assert.notEqual((await inside(command)).exitCode, 0, command);
    assert.equal((await inside('echo x > .git/objects/x && echo x > .git/index')).exitCode, 0);
    await terminal.dispose();
    for (const [name, text] of Object.entries(files))
      assert.equal(fs.readFileSync(path.join(cwd, name), 'utf8'), text, name);
    const bare = open();
    for (const place of ['.git/hooks/post-commit', '.git/config', '.vscode/tasks.json'])
      assert.notEqual(
        (await bare.inside(`mkdir -p ${path.dirname(place)} && echo planted > ${place}`)).exitCode,
        0,
        place,
      );
    await bare.terminal.dispose();
    assert.ok(!fs.existsSync(path.join(bare.cwd, '.git')));
  });

  it('cannot read secrets, even if its own outputs are beside them', async () => {
    const outputFolder = path.join(stateFolder(), 'sessions', 'runtime', 'outputs');
    fs.mkdirSync(stateFolder(), { recursive: true });
    fs.writeFileSync(path.join(stateFolder(), 'probe'), 'hidden words');
    const { inside } = open(undefined, { outputFolder });
    const { output, fullOutput } = await inside(`cat '${stateFolder()}/probe'; seq 1 20000`);
    assert.doesNotMatch(output, /hidden words/);
    assert.ok(fullOutput?.startsWith(outputFolder));
  });

  it('keeps folder, variables and functions, stops interrupted commands and reports having no terminal', async () => {
    const { inside, terminal, notices } = open();
    await inside('mkdir -p sub && cd sub && kept=1 && exported() { echo "function $kept"; }');
    const { output, cwd } = await inside('exported; pwd; env | grep -c ELECTRON_RUN_AS_NODE');
    assert.match(output, /^function 1\n.*\/sub\n0/);
    assert.match(cwd, /\/sub$/);
    assert.equal((await inside('(exit 7)')).exitCode, 7);
    const stop = new AbortController();
    const running = terminal.run('touch begun; sleep 300', { ...commandOptions(), signal: stop.signal });
    await until(() => fs.existsSync(path.join(cwd, 'begun')));
    stop.abort();
    assert.equal((await running).end, 'interrupted');
    assert.match((await inside('exported')).output, /function 1/);
    assert.match((await terminal.run('true', { ...commandOptions(), tty: true })).note ?? '', /without a terminal/);
    assert.match(notices.join(' '), /the sandbox of this system does not provide one/);
  });

  it('ends with all its processes', async () => {
    const { inside, terminal, cwd } = open();
    // Each writes a heartbeat.
    const beat = (name: string): string => `while :; do date +%s%N > ${name}; sleep 0.05; done`;
    await inside(`(${beat('one')}) & (setsid bash -c '${beat('two')}' &) ; true`);
    const setsid = process.platform === 'linux';
    const names = ['one', ...(setsid ? ['two'] : [])].map((name) => path.join(cwd, name));
    await until(() => names.every((name) => fs.existsSync(name)));
    assert.ok((await terminal.processes()) >= names.length);
    await terminal.dispose();
    for (const name of names) fs.rmSync(name, { force: true });
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.deepEqual(
      names.filter((name) => fs.existsSync(name)),
      [],
    );
  });

  it('reaches no network, or only the allowed domains', async function () {
    if (onPath('curl', []).length === 0) this.skip(); // curl is not installed
    const asked: string[] = [];
    // Stands in for the internet: a proxy that the runtime itself uses.
    const server = http
      .createServer((request, answer) => {
        asked.push(String(request.url));
        answer.end(`reached ${request.headers.host}`);
      })
      .listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    try {
      const port = (server.address() as AddressInfo).port;
      const { HTTPS_PROXY, NO_PROXY, http_proxy, https_proxy, no_proxy, ALL_PROXY, all_proxy, ...rest } = process.env;
      const environment = { ...rest, HTTP_PROXY: `http://127.0.0.1:${port}` };
      const none = open(undefined, { environment });
      for (const command of ['curl -sSf http://allowed.test/', `curl -sSf --noproxy '*' http://127.0.0.1:${port}/`])
        assert.notEqual((await none.inside(command)).exitCode, 0, command);
      assert.equal(await none.terminal.isConfined(), true);
      const some = open(undefined, { environment, allowed: ['allowed.test'] });
      assert.match((await some.inside('curl -sS http://allowed.test/a')).output, /reached allowed\.test/);
      for (const command of [
        'curl -sSf http://other.test/',
        `curl -sSf --noproxy '*' http://127.0.0.1:${port}/`,
        'curl -sSfk https://other.test/',
      ])
        assert.notEqual((await some.inside(command)).exitCode, 0, command);
      assert.equal((await some.inside('curl -sSk https://other.test/')).denied, 'network');
      assert.equal(await some.terminal.isConfined(), false);
      assert.deepEqual(asked, ['http://allowed.test/a']);
    } finally {
      server.close();
    }
  });
});
