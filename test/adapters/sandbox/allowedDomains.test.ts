import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import type { AddressInfo } from 'node:net';
import { AgentTerminal } from '../../../src/adapters/terminal/agentTerminal';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox';
import { domainsFor, isDomain } from '../../../src/adapters/sandbox/domains';
import { findSandboxRuntime, runtimeVersion } from '../../../src/adapters/sandbox/sandboxRuntime';
import { onPath } from '../../../src/adapters/processes/onPath';

const linux = process.platform === 'linux';
let folder: string;
before(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'domains-'));
});
after(() => fs.rmSync(folder, { recursive: true, force: true }));

/** A folder of programs with a package that pretends to be the runtime. */
function installed({
  name = '@anthropic-ai/sandbox-runtime',
  version = runtimeVersion,
  socat = true,
}: { name?: string; version?: string; socat?: boolean } = {}): string {
  const at = fs.mkdtempSync(path.join(folder, 'bin-'));
  const dist = path.join(at, 'lib', 'dist');
  fs.mkdirSync(dist, { recursive: true });
  fs.writeFileSync(path.join(at, 'lib', 'package.json'), JSON.stringify({ name, version }));
  fs.writeFileSync(path.join(dist, 'cli.js'), '#!/bin/sh\n', { mode: 0o755 });
  fs.symlinkSync(path.join(dist, 'cli.js'), path.join(at, 'srt'));
  if (socat) fs.writeFileSync(path.join(at, 'socat'), '#!/bin/sh\n', { mode: 0o755 });
  return at;
}

const why = (found: ReturnType<typeof domainsFor>): string =>
  found && 'why' in found ? `${found.why}. ${found.next}` : '';

describe('the list of domains the sandbox may reach', () => {
  it('accepts only domain names and no pattern that matches all of them', () => {
    for (const good of ['registry.npmjs.org', '*.example.com', 'example.com:443', 'a-b.example.co.uk'])
      assert.ok(isDomain(good), good);
    for (const bad of [
      '*',
      '*.com',
      '*:443',
      '',
      'https://example.com',
      'example',
      'exa mple.com',
      'a.com/x',
      '-a.com',
      'a.com,b.com',
      '*.*.com',
      'a..com',
      '"a.com"',
    ])
      assert.ok(!isDomain(bad), bad);
    assert.match(why(domainsFor(['*'], {}, [])), /not a domain.*registry\.npmjs\.org/);
  });

  it('needs nothing if it is empty', () => assert.equal(domainsFor([], {}, []), undefined));

  it('reports what is missing: the tested version of the runtime, or socat', function () {
    if (!linux) this.skip(); // other systems report that it is only for Linux
    const found = (at: string, folders: readonly string[] = []) =>
      why(domainsFor(['example.com'], { PATH: at }, folders));
    assert.match(
      found(folder),
      /not installed.*npm install --global --ignore-scripts @anthropic-ai\/sandbox-runtime@0\.0\.78/,
    );
    assert.match(found(installed({ version: '0.0.80' })), /version 0\.0\.80, but only 0\.0\.78/);
    assert.match(found(installed({ name: 'srt' })), /belongs to another package/);
    assert.match(found(installed({ socat: false })), /socat is not installed/);
    const good = installed();
    assert.ok('index' in findSandboxRuntime({ PATH: good }, []));
    assert.match(found(good, [good]), /not installed/, 'one that lies in the workspace was taken');
  });
});

describe('npm in a sandbox without network', function () {
  this.timeout(60_000);
  before(async function () {
    if (!linux || 'none' in (await findSandbox([folder])) || onPath('npm', []).length === 0) this.skip(); // not installed
  });

  it('fails at once, and the failure counts as a denial', async () => {
    const cwd = fs.mkdtempSync(path.join(folder, 'work-'));
    const terminal = new AgentTerminal({
      wanted: 'on',
      cwd,
      folders: [cwd],
      outputFolder: `${cwd}-outputs`,
      shell: 'bash',
      onNotice: () => undefined,
      find: () => findSandbox([cwd]),
    });
    try {
      // Shorter than the first two of the waits that npm makes by default.
      const options = { timeoutMs: 50_000, tty: false, signal: new AbortController().signal };
      const result = await terminal.run('npm view left-pad --cache ./cache --registry http://registry.test/', options);
      assert.deepEqual([result.end, result.denied, result.offline], ['exited', 'network', true], result.output);
    } finally {
      await terminal.dispose();
    }
  });
});

describe('commands in a sandbox with allowed domains', function () {
  this.timeout(60_000);
  let server: http.Server;
  const asked: string[] = [];
  before(async function () {
    if (
      !linux ||
      'none' in (await findSandbox([folder])) ||
      'why' in findSandboxRuntime(process.env, []) ||
      onPath('curl', []).length === 0
    )
      this.skip(); // bubblewrap, the runtime, socat or curl is not installed
    // Stands in for the internet: a proxy that the runtime itself uses.
    server = http
      .createServer((request, answer) => {
        asked.push(String(request.url));
        answer.end(`reached ${request.headers.host}`);
      })
      .listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
  });
  after(() => {
    server?.close();
  });

  const inTerminal = async (
    allowed: readonly string[],
    use: (
      run: (command: string) => Promise<{ exitCode: number | null; output: string; denied?: string }>,
      terminal: AgentTerminal,
      notices: string[],
    ) => Promise<void>,
  ): Promise<void> => {
    const cwd = fs.mkdtempSync(path.join(folder, 'work-'));
    const notices: string[] = [];
    const environment = {
      ...process.env,
      HTTP_PROXY: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      http_proxy: undefined,
      NO_PROXY: undefined,
      no_proxy: undefined,
    };
    const terminal = new AgentTerminal({
      wanted: 'on',
      cwd,
      folders: [cwd],
      outputFolder: `${cwd}-outputs`,
      shell: 'bash',
      onNotice: (text) => notices.push(text),
      find: () => findSandbox([cwd], { environment, allowed }),
    });
    try {
      await use(
        async (command) =>
          (await terminal.run(command, { timeoutMs: 20_000, tty: false, signal: new AbortController().signal })) as {
            exitCode: number | null;
            output: string;
            denied?: string;
          },
        terminal,
        notices,
      );
    } finally {
      await terminal.dispose();
    }
  };

  it('reach those domains and no others, whatever they try', () =>
    inTerminal(['allowed.test', '*.wide.test'], async (run, terminal, notices) => {
      assert.deepEqual(notices, []);
      assert.equal((await run('true')).exitCode, 0);
      assert.deepEqual(notices, []);
      assert.match((await run('curl -sS http://allowed.test/a')).output, /reached allowed\.test/);
      assert.match((await run('curl -sS http://deep.wide.test/a')).output, /reached deep\.wide\.test/);
      for (const command of [
        'curl -sSf http://other.test/a',
        'curl -sSf http://allowed.test.evil.test/',
        'curl -sSf http://user@other.test/',
        'curl -sSf -H "Host: allowed.test" http://other.test/',
        'curl -sSf --noproxy "*" http://allowed.test/',
        'curl -sSfk https://other.test/',
        'env -u HTTP_PROXY -u http_proxy curl -sSf http://127.0.0.1:1/',
        'curl -sSf -x http://127.0.0.1:3128 http://allowed.test/',
      ]) {
        assert.notEqual((await run(command)).exitCode, 0, command);
      }
      assert.deepEqual(
        asked.filter((url) => !/^http:\/\/(allowed|deep\.wide)\.test\//.test(url)),
        [],
      );
      const refused = await run('curl -sSk https://other.test/');
      assert.equal(refused.denied, 'network', `a refusal can be asked about: ${refused.output}`);
      assert.equal(
        await terminal.isConfined(),
        false,
        'programs that nobody knows are asked about as they are where there is a network',
      );
    }));

  it('reach them only at the ports of HTTP and HTTPS, unless the list names another port', () =>
    inTerminal(['allowed.test', 'other.test:8080'], async (run) => {
      assert.match((await run('curl -sS http://other.test:8080/a')).output, /reached other\.test:8080/);
      const before = asked.length;
      for (const address of ['http://allowed.test:8080/', 'http://allowed.test:22/', 'http://other.test/'])
        assert.notEqual((await run(`curl -sSf ${address}`)).exitCode, 0, address);
      const tunnel = await run('curl -sSp -x "$HTTP_PROXY" http://allowed.test:22/');
      assert.match(tunnel.output, /403/, 'no other protocol is tunneled');
      assert.deepEqual(asked.slice(before), []);
    }));

  it('keep the other limits: only the workspace is writable, and no process of the sandbox is counted', () =>
    inTerminal(['allowed.test'], async (run, terminal) => {
      assert.notEqual((await run('touch ~/.waymark-probe')).exitCode, 0);
      assert.equal((await run('touch here && cd /tmp && false')).exitCode, 1);
      assert.match((await run('pwd; trap "echo caught; exit 3" INT; kill -INT $$')).output, /\/tmp/);
      assert.match((await run('curl -sS http://allowed.test/again')).output, /reached/);
      assert.equal(await terminal.processes(), 0, 'what serves the sandbox is no process of a command');
      assert.equal((await run('sleep 100 & echo $!')).exitCode, 0);
      assert.equal(await terminal.processes(), 1);
      await terminal.endProcesses();
      assert.match((await run('curl -sS http://allowed.test/later')).output, /reached/, 'a new shell has it too');
    }));

  it('end with the session, together with the helper process', () =>
    inTerminal(['allowed.test'], async (run, terminal) => {
      await run('true');
      const running = (): string[] =>
        fs
          .readdirSync('/proc')
          .filter((name) => /^\d+$/.test(name))
          .filter((pid) => {
            try {
              return (
                fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('getLinuxHttpSocketPath') &&
                fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')[1] === String(process.pid)
              );
            } catch {
              return false;
            }
          });
      assert.equal(running().length, 1);
      await terminal.dispose();
      for (let waited = 0; running().length > 0 && waited < 200; waited++)
        await new Promise((resolve) => setTimeout(resolve, 50));
      assert.deepEqual(running(), []);
    }));

  it('have no network, with a notice, if the runtime does not start', async () => {
    const cwd = fs.mkdtempSync(path.join(folder, 'work-'));
    const at = installed();
    fs.writeFileSync(
      path.join(at, 'lib', 'dist', 'index.js'),
      'export const SandboxManager = { initialize() { throw new Error("It is broken."); } };\n',
    );
    fs.writeFileSync(
      path.join(at, 'lib', 'package.json'),
      JSON.stringify({ name: '@anthropic-ai/sandbox-runtime', version: runtimeVersion, type: 'module' }),
    );
    const notices: string[] = [];
    const terminal = new AgentTerminal({
      wanted: 'on',
      cwd,
      folders: [cwd],
      outputFolder: `${cwd}-outputs`,
      shell: 'bash',
      onNotice: (text) => notices.push(text),
      find: () =>
        findSandbox([cwd], {
          environment: { ...process.env, PATH: `${at}:${process.env['PATH']}` },
          allowed: ['allowed.test'],
        }),
    });
    try {
      const result = await terminal.run('curl -sSf http://allowed.test/', {
        timeoutMs: 20_000,
        tty: false,
        signal: new AbortController().signal,
      });
      assert.notEqual(result.exitCode, 0);
      assert.match(
        notices.join(' '),
        /No domain can be reached from the sandbox: the sandbox runtime does not start \(It is broken\.\)/,
      );
    } finally {
      await terminal.dispose();
    }
  });
});
