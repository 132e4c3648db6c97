import { strict as assert } from 'node:assert';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { reply, startModelServer } from '../../support/modelServer';
import { hasRedis, freePort } from '../../support/redisServer';
import { until } from '../support/commandLine';
import { finish, jsonLines, onBatchMachine } from './support';

describe('requests of a batch', function () {
  this.timeout(300_000);

  it('are spaced evenly if a rate limit is set', async () => {
    const count = 6;
    const server = await startModelServer(Array.from({ length: count }, () => reply('It is done.')));
    try {
      await onBatchMachine(async (machine) => {
        const rows = Array.from({ length: count }, (_, index) => ({ id: `t${index}`, prompt: 'Do.' }));
        machine.write('tasks.jsonl', jsonLines(rows));
        const model = ['--base-url', server.baseUrl, '--model', 'story', '--protocol', 'chat'];
        // One every three seconds.
        const limit = ['--requests-per-minute', '20', '--num-workers', '6', '--keep-without-reasoning'];
        const { code, stderr } = await machine.batch(...model, ...limit, '--ignore-unknown-cost');
        assert.equal(code, 0, stderr);
        assert.equal(server.requests.length, count);
        const seconds = Number(machine.json('out/statistics.json')['duration_seconds']);
        assert.ok(seconds >= (count - 1) * 3, `${seconds} seconds`);
      });
    } finally {
      await server.stop();
    }
  });
});

const hasOpenssl = (): boolean => spawnSync('openssl', ['version'], { stdio: 'ignore' }).status === 0;

describe('a queue with TLS and a password', function () {
  this.timeout(300_000);
  before(function () {
    if (hasRedis() && hasOpenssl()) return;
    console.log('      skipped: this machine has no redis-server or no openssl');
    this.skip();
  });

  it('works for clients that trust its certificate, and refuses a worker that does not', async function () {
    await onBatchMachine(async (machine) => {
      const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore', cwd: machine.at() });
      const days = ['-days', '2', '-nodes', '-newkey', 'rsa:2048', '-subj'];
      openssl('req', '-x509', ...days, '/CN=test', '-keyout', 'ca.key', '-out', 'ca.pem');
      openssl('req', ...days.slice(2), '/CN=localhost', '-keyout', 'redis.key', '-out', 'redis.csr');
      machine.write('names.txt', 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
      const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names.txt'];
      openssl('x509', '-req', '-in', 'redis.csr', ...signing, '-days', '2', '-out', 'redis.pem');
      const port = await freePort();
      const certificates = [
        '--tls-cert-file',
        'redis.pem',
        '--tls-key-file',
        'redis.key',
        '--tls-ca-cert-file',
        'ca.pem',
      ];
      const encrypted = ['--port', '0', '--tls-port', String(port), '--tls-auth-clients', 'no', ...certificates];
      const redis = spawn('redis-server', [...encrypted, '--requirepass', 'secret-word', '--save', ''], {
        cwd: machine.at(),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let said = '';
      redis.stdout.on('data', (text: Buffer) => (said += text.toString()));
      redis.stderr.on('data', (text: Buffer) => (said += text.toString()));
      try {
        await until('Redis', () => /Ready to accept connections/.test(said) || redis.exitCode !== null);
        if (redis.exitCode !== null) {
          console.log('      skipped: this redis-server was built without TLS');
          return this.skip();
        }
        const address = (word: string) => `rediss://:${word}@localhost:${port}`;
        machine.write('root/a.txt', 'a\n');
        machine.write('script.jsonl', jsonLines([finish()]));
        machine.write('tasks.jsonl', jsonLines([{ id: 'a', prompt: 'Do.', cwd: '.' }]));
        machine.environment['WAYMARK_QUEUE'] = address('secret-word');
        const place = ['worker', '--run-name', 'tasks', '--root', 'root', '--script', 'script.jsonl'];
        const distrusting = machine.start(...place);
        const refused = await distrusting.ended;
        assert.equal(refused.code, 1);
        assert.match(refused.stderr, /certificate/i);
        machine.environment['NODE_EXTRA_CA_CERTS'] = machine.at('ca.pem');
        const worker = machine.start(...place, '--confirm', 'never');
        const { code, stderr } = await machine.start('batch', 'tasks.jsonl', '--out', 'out', '--keep-without-reasoning')
          .ended;
        assert.equal(code, 0, stderr);
        assert.deepEqual(
          machine.results().map(({ id, status }) => `${id} ${status}`),
          ['a done'],
        );
        assert.doesNotMatch(stderr, /secret-word/);
        worker.child.kill('SIGINT');
        assert.equal((await worker.ended).code, 0);
      } finally {
        redis.kill('SIGKILL');
      }
    });
  });
});
