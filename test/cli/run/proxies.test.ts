// Requests of the command line go through the proxies of the environment, as real programs behind a company's proxy do.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import tls from 'node:tls';
import { reply, toolCall, type Answering } from '../../support/modelServer';
import { startProxy, type ProxyServer } from '../../support/proxyServer';
import { ensureBuilt, onMachine, type Ended, type Machine } from '../support/commandLine';

const look = toolCall('list_files', {});
/** Takes long enough for the connection to be free again. */
const pause = toolCall('run_command', { command: 'sleep 0.2' });

/** `run`: works on a task with the model server at `address`. */
interface Behind {
  readonly machine: Machine;
  readonly proxy: ProxyServer;
  run(address: string, environment: NodeJS.ProcessEnv): Promise<Ended>;
}

/** Puts a proxy in front of a model server. All hosts lead to that server. */
const behindProxy = (answers: readonly Answering[], use: (behind: Behind) => Promise<void>, status = 200) =>
  onMachine(answers, async (machine) => {
    const proxy = await startProxy(() => machine.server.port, status);
    const run = (address: string, environment: NodeJS.ProcessEnv): Promise<Ended> => {
      const args = machine.args('Look.', '--confirm', 'never');
      args[args.indexOf('--base-url') + 1] = address;
      return machine.start(args, environment).ended;
    };
    try {
      await use({ machine, proxy, run });
    } finally {
      await proxy.stop();
    }
  });

describe('behind a proxy, the command line', function () {
  this.timeout(60_000);
  before(ensureBuilt);

  it('reaches a model server over http, and signs in to the proxy', () =>
    behindProxy([look, reply('Done.')], async ({ machine, proxy, run }) => {
      const { code, stderr } = await run('http://model.test/v1', { http_proxy: `user:p%40ssword-1@${proxy.host}` });
      assert.equal(code, 0, stderr);
      assert.deepEqual(
        proxy.requests.map(({ method, target, signIn }) => [method, target, atob(signIn.replace('Basic ', ''))]),
        [
          ['POST', 'http://model.test/v1/chat/completions', 'user:p@ssword-1'],
          ['POST', 'http://model.test/v1/chat/completions', 'user:p@ssword-1'],
        ],
      );
      assert.equal(machine.server.requests[0]!.headers['proxy-authorization'], undefined);
      assert.doesNotMatch(fs.readFileSync(machine.log, 'utf8'), /ssword-1/);
    }));

  it('reaches a model server over https through one tunnel for all requests', async function () {
    const folder = fs.mkdtempSync(`${process.env['TMPDIR'] ?? '/tmp'}/waymark-proxy-`);
    const [key, certificate] = [`${folder}/key.pem`, `${folder}/certificate.pem`];
    const subject = ['-subj', '/CN=model.test', '-addext', 'subjectAltName=DNS:model.test'];
    const kind = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1'];
    const made = spawnSync('openssl', ['req', ...kind, ...subject, '-keyout', key, '-out', certificate]);
    if (made.status !== 0) this.skip();
    try {
      await onMachine([pause, pause, reply('Done.')], async (machine) => {
        const secure = tls.createServer(
          { key: fs.readFileSync(key), cert: fs.readFileSync(certificate) },
          (socket) => void socket.pipe(net.connect(machine.server.port, '127.0.0.1')).pipe(socket),
        );
        await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
        const proxy = await startProxy(() => (secure.address() as net.AddressInfo).port);
        const args = machine.args('Look.', '--confirm', 'never');
        args[args.indexOf('--base-url') + 1] = 'https://model.test/v1';
        const environment = { HTTPS_PROXY: `http://${proxy.host}`, NODE_EXTRA_CA_CERTS: certificate };
        const { code, stderr } = await machine.start(args, environment).ended;
        assert.equal(code, 0, stderr);
        assert.deepEqual(
          proxy.requests.map(({ method, target }) => [method, target]),
          [['CONNECT', 'model.test:443']],
        );
        assert.equal(machine.server.requests.length, 3);
        await proxy.stop();
        secure.close();
      });
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });

  it('says once that the proxy requires a sign-in', () =>
    behindProxy(
      [],
      async ({ proxy, run }) => {
        for (const address of ['https://model.test/v1', 'http://model.test/v1']) {
          const { code, stdout } = await run(address, { ALL_PROXY: `http://${proxy.host}` });
          assert.equal(code, 1);
          assert.match(stdout, /A proxy between this machine and the model server requires a sign-in\. .*407/);
          assert.match(stdout, /Add the user and password of the proxy to its address in HTTPS_PROXY/);
        }
        assert.equal(proxy.requests.length, 2);
      },
      407,
    ));

  it('says the same if the proxy does not accept the password with 401, as tinyproxy does', () =>
    behindProxy(
      [],
      async ({ proxy, run }) => {
        const { code, stdout } = await run('https://model.test/v1', { HTTPS_PROXY: `http://user:old@${proxy.host}` });
        assert.equal(code, 1);
        assert.match(stdout, /requires a sign-in\. The proxy \S+ refused the connection and answered 401\./);
        assert.match(stdout, /Add the user and password of the proxy to its address in HTTPS_PROXY/);
        assert.equal(proxy.requests.length, 1);
      },
      401,
    ));

  it('does not take a refusal of the proxy for one of the model server', () =>
    behindProxy(
      [],
      async ({ proxy, run }) => {
        const { code, stdout } = await run('https://model.test/v1', { https_proxy: `http://${proxy.host}` });
        assert.equal(code, 1);
        assert.match(
          stdout,
          /The model server at model\.test cannot be reached\. The proxy \S+ refused the connection and answered 403\./,
        );
        assert.match(stdout, /Correct HTTPS_PROXY .* or name the server in NO_PROXY/);
        assert.equal(proxy.requests.length, 1);
      },
      403,
    ));

  it('reaches this machine, and what NO_PROXY names, directly', () =>
    behindProxy([reply('Done.')], async ({ machine, proxy, run }) => {
      const environment = { ALL_PROXY: `http://${proxy.host}` };
      assert.equal((await run(machine.server.baseUrl, environment)).code, 0);
      assert.deepEqual(proxy.requests, []);
    }));

  it('lists models and reads web pages through it', () => {
    const answers = (_request: unknown, index: number) =>
      index === 0 ? toolCall('fetch_url', { url: 'http://page.test/plan' }) : reply('Done.');
    return behindProxy(
      Array.from({ length: 9 }, () => answers),
      async ({ machine, run }) => {
        const page = http.createServer((_incoming, response) => response.end('The plan is simple.'));
        await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
        const { port } = page.address() as net.AddressInfo;
        const proxy = await startProxy((host) => (host === 'page.test' ? port : machine.server.port));
        const { code, stderr } = await run('http://model.test/v1', { http_proxy: proxy.host });
        assert.equal(code, 0, stderr);
        assert.match(JSON.stringify(machine.server.requests[1]!.body.messages), /The plan is simple\./);
        const checked = await machine.start(
          ['check-model', '--base-url', 'http://model.test/v1', '--model', 'own-1', '--api-key-env', 'NONE'],
          { http_proxy: proxy.host },
        ).ended;
        assert.ok(
          proxy.requests.some(({ target }) => target === 'http://model.test/v1/models'),
          checked.stdout + checked.stderr,
        );
        await proxy.stop();
        page.close();
      },
    );
  });
});
