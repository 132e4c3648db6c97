import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { hasRedis, startRedis, type RedisServer, type RedisTls } from '../../support/redisServer';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';
import { finish, jsonLines, onBatchMachine, step, type BatchMachine } from './support';

/**
 * Certificates created with openssl: for a server and a worker of one authority, for another authority, and for another
 * name.
 */
function makeCertificates(folder: TemporaryWorkspace): (name: string) => string {
  const openssl = (...words: string[]): void => {
    const { status, stderr } = spawnSync('openssl', words, { cwd: folder.root, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  };
  const key = (name: string): string[] => ['-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}.key`];
  for (const ca of ['ca', 'otherCa'])
    openssl('req', '-x509', ...key(ca), '-out', `${ca}.pem`, '-days', '2', '-subj', `/CN=${ca} of a test`);
  const sign = (name: string, place: string): void => {
    openssl('req', ...key(name), '-out', `${name}.csr`, '-subj', `/CN=${name}`);
    fs.writeFileSync(folder.at(`${name}.ext`), `subjectAltName=${place}\n`);
    const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', `${name}.ext`];
    openssl('x509', '-req', '-in', `${name}.csr`, ...by, '-out', `${name}.pem`, '-days', '2');
  };
  sign('server', 'IP:127.0.0.1,DNS:localhost');
  sign('elsewhere', 'DNS:queue.example');
  sign('worker', 'DNS:worker.example');
  return (name) => folder.at(name);
}

describe('a queue in Redis with TLS', function () {
  this.timeout(300_000);
  const folder = temporaryWorkspace();
  let at: (name: string) => string;
  const started: RedisServer[] = [];
  const redisOf = async (name: string, asksClients = false): Promise<string> => {
    const tls: RedisTls = { ca: at('ca.pem'), cert: at(`${name}.pem`), key: at(`${name}.key`), asksClients };
    const redis = await startRedis('a pass:word/', tls);
    started.push(redis);
    return redis.url;
  };
  before(function () {
    if (!hasRedis()) {
      console.log('      skipped: this machine has no redis-server');
      this.skip();
    }
    at = makeCertificates(folder);
  });
  afterEach(() => Promise.all(started.splice(0).map((redis) => redis.stop())));
  after(() => folder.stop());

  const worker = ['worker', '--run-name', 'tasks', '--root', '.', '--script', 'script.jsonl', '--confirm', 'never'];
  const batch = ['batch', 'tasks.jsonl', '--run-name', 'tasks', '--out', 'out'];
  const prepare = (machine: BatchMachine): void => {
    machine.write('project/a.txt', 'one\n');
    machine.write('script.jsonl', jsonLines([step('echo two > b.txt'), finish()]));
    machine.write('tasks.jsonl', jsonLines(['a', 'b', 'c'].map((id) => ({ id, prompt: 'Do.', cwd: 'project' }))));
  };

  it('works with a CA, a password and a client certificate, given by flags or variables', () =>
    onBatchMachine(async (machine) => {
      prepare(machine);
      const url = await redisOf('server', true);
      Object.assign(machine.environment, {
        WAYMARK_QUEUE: url,
        WAYMARK_QUEUE_CA: at('ca.pem'),
        WAYMARK_QUEUE_CERT: at('worker.pem'),
        WAYMARK_QUEUE_KEY: at('worker.key'),
      });
      const working = machine.start(...worker);
      const flags = ['--queue-ca', at('ca.pem'), '--queue-cert', at('worker.pem'), '--queue-key', at('worker.key')];
      const ended = await machine.start(...batch, ...flags).ended;
      assert.equal(ended.code, 0, ended.stdout + ended.stderr);
      assert.match(ended.stdout, /3 of 3 tasks are done/);
      working.child.kill('SIGTERM');
      assert.equal((await working.ended).code, 0);
    }));

  const cases: readonly [string, string, (url: string) => string, () => readonly string[], RegExp][] = [
    ['without its CA', 'server', (url) => url, () => [], /not signed by a known authority .*--queue-ca/],
    [
      'with another CA',
      'server',
      (url) => url,
      () => ['--queue-ca', at('otherCa.pem')],
      /not signed by a known authority/,
    ],
    [
      'that has the certificate of another machine',
      'elsewhere',
      (url) => url,
      () => ['--queue-ca', at('ca.pem')],
      /The certificate of Redis is not valid \(.*altnames/,
    ],
    [
      'with a wrong password',
      'server',
      (url) => url.replace('pass', 'word'),
      () => ['--queue-ca', at('ca.pem')],
      /Redis refused the user or password \(WRONGPASS.*[^.]\)\. .*USER:PASSWORD@HOST\.$/m,
    ],
    [
      'with an address without TLS',
      'server',
      (url) => url.replace('rediss:', 'redis:'),
      () => [],
      /The address of a Redis with TLS begins with rediss:\/\//,
    ],
  ];
  for (const [how, server, address, flags, words] of cases)
    it(`is not used ${how}: batch and worker say why and end`, () =>
      onBatchMachine(async (machine) => {
        prepare(machine);
        machine.environment['WAYMARK_QUEUE'] = address(await redisOf(server));
        for (const command of [batch, worker]) {
          const { code, stdout, stderr } = await machine.start(...command, ...flags()).ended;
          assert.equal(code, 1, stdout + stderr);
          assert.match(stderr, words);
          assert.doesNotMatch(stdout + stderr, /^ +at |pass:word|pass%3Aword/m);
        }
      }));

  it('is not used without the client certificate that it requires', () =>
    onBatchMachine(async (machine) => {
      prepare(machine);
      machine.environment['WAYMARK_QUEUE'] = await redisOf('server', true);
      const { code, stderr } = await machine.start(...batch, '--queue-ca', at('ca.pem')).ended;
      assert.equal(code, 1, stderr);
      assert.match(stderr, /Redis closed the TLS connection .*--queue-cert and --queue-key/);
    }));

  it('is not used if Redis does not speak TLS', () =>
    onBatchMachine(async (machine) => {
      prepare(machine);
      const plain = await startRedis();
      started.push(plain);
      machine.environment['WAYMARK_QUEUE'] = plain.url.replace('redis:', 'rediss:');
      const { code, stderr } = await machine.start(...batch).ended;
      assert.equal(code, 1, stderr);
      assert.match(stderr, /does not use TLS .*The address of a Redis without TLS begins with redis:\/\//);
    }));

  it('reports which of its certificate files is wrong', () =>
    onBatchMachine(async (machine) => {
      prepare(machine);
      machine.write('text.txt', 'no certificate\n');
      const says = async (url: string, ...flags: string[]): Promise<string> => {
        const { code, stderr } = await machine.start(...worker, '--queue', url, ...flags).ended;
        assert.equal(code, 1);
        return stderr;
      };
      const url = 'rediss://127.0.0.1:1';
      assert.match(await says(url, '--queue-ca', 'nowhere.pem'), /The file of --queue-ca cannot be read: ENOENT/);
      assert.match(await says(url, '--queue-ca', 'text.txt'), /text\.txt of --queue-ca is not a PEM file/);
      assert.match(await says(url, '--queue-cert', at('worker.pem')), /Give --queue-cert and --queue-key/);
      assert.match(await says('redis://127.0.0.1:1', '--queue-ca', at('ca.pem')), /starts with rediss:\/\//);
    }));
});
