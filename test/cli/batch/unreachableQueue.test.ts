import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import net from 'node:net';
import { Redis } from 'ioredis';
import { hasRedis, startRedis } from '../../support/redisServer';
import { until } from '../support/commandLine';
import { finish, jsonLines, onBatchMachine, type BatchMachine } from './support';

/** Returns an address at which nothing listens. */
async function nowhere(): Promise<string> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `redis://:secret@127.0.0.1:${port}`;
}

/** Resolves when a task is waiting in the queue. */
async function waitingTask(url: string): Promise<void> {
  const client = new Redis(url);
  try {
    while ((await client.keys('waymark:*:wait')).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  } finally {
    client.disconnect();
  }
}

function start(machine: BatchMachine, ...args: string[]) {
  const { child, ended } = machine.start(...args);
  let said = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (text: string) => {
      said += text;
    });
  return { child, ended, said: () => said };
}

function writeTasks(machine: BatchMachine): void {
  machine.write('project/a.txt', 'one\n');
  machine.write('script.jsonl', jsonLines([finish()]));
  machine.write('tasks.jsonl', jsonLines([{ id: 'a', prompt: 'Do.', cwd: 'project' }]));
}

describe('the address of a queue', function () {
  this.timeout(120_000);

  it('is refused if its password is not encoded, with a message that explains the encoding and omits the password', () =>
    onBatchMachine(async (machine) => {
      writeTasks(machine);
      for (const password of ['50%off', 'a/secret', 'a#secret', 'a?secret', 'user:12/secret', '%ff'])
        for (const command of [
          ['batch', 'tasks.jsonl'],
          ['worker', '--root', '.'],
        ]) {
          machine.environment['WAYMARK_QUEUE'] = `rediss://:${password}@127.0.0.1:6379`.replace('//:user', '//user');
          const { code, stdout, stderr } = await machine.start(...command, '--run-name', 'tasks').ended;
          assert.equal(code, 1, password);
          assert.match(stderr, /^The address of --queue is invalid\. In its user and password, write % as %25, /);
          assert.doesNotMatch(stdout + stderr, /off|secret|URI malformed|^ +at /m);
        }
    }));

  it('is not used by a worker with a cost limit for a model without a known price', () =>
    onBatchMachine(async (machine) => {
      const place = ['worker', '--queue', await nowhere(), '--run-name', 'tasks', '--root', '.'];
      const model = ['--base-url', 'http://127.0.0.1:9/v1', '--model', 'story', '--max-cost', '2'];
      const { code, stderr } = await machine.start(...place, ...model).ended;
      assert.equal(code, 1);
      assert.match(stderr, /^The limit of \$2 cannot be enforced: the price of story is unknown\. .*--prices/);
    }));

  it('works with a password that is encoded as the message says', async function () {
    if (!hasRedis()) this.skip();
    const redis = await startRedis('50% o/f#f?@:');
    try {
      await onBatchMachine(async (machine) => {
        writeTasks(machine);
        machine.environment['WAYMARK_QUEUE'] = redis.url.replace(/:[^/@]*@/, ':50%25 o%2Ff%23f%3F%40:@');
        const options = ['--run-name', 'tasks', '--root', '.', '--script', 'script.jsonl', '--confirm', 'never'];
        const worker = start(machine, 'worker', ...options);
        const batch = await machine.start('batch', 'tasks.jsonl', '--out', 'out', '--run-name', 'tasks').ended;
        assert.equal(batch.code, 0, batch.stderr);
        worker.child.kill('SIGINT');
        await worker.ended;
      });
    } finally {
      await redis.stop();
    }
  });
});

describe('a batch whose queue is unreachable', function () {
  this.timeout(300_000);

  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    it(`ends at the first ${signal} before anything is in the queue, and unlocks its folder`, () =>
      onBatchMachine(async (machine) => {
        machine.environment['WAYMARK_QUEUE'] = await nowhere();
        writeTasks(machine);
        const batch = start(machine, 'batch', 'tasks.jsonl', '--out', 'out', '--run-name', 'tasks');
        await until('words that it is not reached', () => batch.said().includes('Redis cannot be reached'));
        batch.child.kill(signal);
        const { code, stdout, stderr } = await batch.ended;
        assert.equal(code, 130, stdout + stderr);
        assert.doesNotMatch(stdout + stderr, /^ +at |secret/m);
        assert.deepEqual(
          fs.readdirSync(machine.at('out')).filter((name) => name.endsWith('.lock')),
          [],
        );
      }));

  it('ends at the second Ctrl-C if the queue disappears while tasks wait in it', async function () {
    if (!hasRedis()) {
      console.log('      skipped: this machine has no redis-server');
      this.skip();
    }
    const redis = await startRedis();
    try {
      await onBatchMachine(async (machine) => {
        machine.environment['WAYMARK_QUEUE'] = redis.url;
        writeTasks(machine);
        const batch = start(machine, 'batch', 'tasks.jsonl', '--out', 'out', '--run-name', 'tasks');
        await waitingTask(redis.url);
        await redis.kill();
        await until('words that it is lost', () => batch.said().includes('Redis cannot be reached'));
        let isOver = false;
        void batch.ended.then(() => (isOver = true));
        batch.child.kill('SIGINT');
        // Redis may have exited before it reported that the task is in the queue: then there is nothing to wait for.
        await until('words that it ends', () => isOver || batch.said().includes('Press Ctrl-C again'));
        batch.child.kill('SIGINT');
        assert.equal((await batch.ended).code, 130);
      });
    } finally {
      await redis.stop();
    }
  });

  it('lets a worker end at the second Ctrl-C', () =>
    onBatchMachine(async (machine) => {
      machine.environment['WAYMARK_QUEUE'] = await nowhere();
      writeTasks(machine);
      fs.mkdirSync(machine.at('root'));
      const options = ['--run-name', 'tasks', '--root', 'root', '--script', 'script.jsonl', '--confirm', 'never'];
      const worker = start(machine, 'worker', ...options);
      await until('words that it is not reached', () => worker.said().includes('Redis cannot be reached'));
      worker.child.kill('SIGINT');
      await until('words that it ends', () => worker.said().includes('No more tasks start'));
      worker.child.kill('SIGINT');
      assert.equal((await worker.ended).code, 0);
    }));
});
