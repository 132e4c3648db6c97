import { strict as assert } from 'node:assert';
import net from 'node:net';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import {
  openGate,
  openQueue,
  startWorker,
  type EndedTask,
  type TaskQueue,
} from '../../../src/adapters/queue/taskQueue';
import { QueuedTask } from '../../../src/core/batch/queuedTask';
import { hasRedis, startRedis } from '../../support/redisServer';

const quiet = (): void => undefined;
const tasks = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `t${index}`, data: { index } }));

/** Collects until this many tasks ended. Records each call of `take`. */
async function collected(queue: TaskQueue, count: number): Promise<EndedTask[]> {
  const taken: EndedTask[] = [];
  const deadline = Date.now() + 120_000;
  while (taken.length < count) {
    await queue.collect((ended) => taken.push(ended) > 0);
    if (Date.now() > deadline) throw new Error(`Only ${taken.length} of ${count} tasks ended.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return taken;
}

/**
 * A proxy between a worker and Redis. The first few commands of a kind are executed, but the connection is dropped
 * before the answer, or after its first bytes.
 */
async function startLossyProxy(port: number, command: RegExp, most: number, passed = 0) {
  let lost = 0;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((client) => {
    const upstream = net.connect(port, '127.0.0.1');
    let isLost = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => [client, upstream].forEach((each) => each.destroy()));
    }
    client.on('data', (data) => {
      if (!isLost && lost < most && command.test(data.toString('latin1'))) {
        isLost = true;
        lost += 1;
      }
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      if (isLost) client.write(data.subarray(0, passed), () => client.destroy());
      else client.write(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    lost: () => lost,
    stop() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('a queue of tasks', function () {
  this.timeout(180_000);
  before(function () {
    if (!hasRedis()) {
      console.log('      skipped: this machine has no redis-server');
      this.skip();
    }
  });

  it('loses and duplicates no task while Redis is killed and restarted, and delivers long texts whole', async () => {
    const redis = await startRedis();
    const place = { url: redis.url, name: 'kills' };
    const count = 300;
    // Two-byte and four-byte characters, some of which fall on the position where the text is truncated.
    const long = `x${'ä'.repeat(300_000)}${'🙂'.repeat(150_001)}`;
    const queue = openQueue(place, quiet);
    const begin = () =>
      startWorker(
        { ...place, concurrency: 4, leaseMs: 3000 },
        (task) => {
          const { index } = task as { index: number };
          return Promise.resolve({ outcome: index === 7 ? long : `done ${index}`, log: index === 7 ? '' : 'log' });
        },
        quiet,
      );
    const workers = [begin(), begin()];
    try {
      await queue.add(tasks(count));
      await queue.add(tasks(count));
      const all: EndedTask[] = [];
      const killing = (async () => {
        for (let round = 0; round < 3; round++) {
          await new Promise((resolve) => setTimeout(resolve, 150));
          await redis.kill();
          await redis.start();
        }
      })();
      all.push(...(await collected(queue, count)));
      await killing;
      const ids = new Set(all.map(({ id }) => id));
      assert.equal(ids.size, count, 'none is lost');
      assert.deepEqual(
        all.filter(({ outcome }) => outcome === undefined),
        [],
      );
      assert.equal(all.find(({ id }) => id === 't7')!.outcome, long);
      assert.equal(await queue.waiting(), 0);
    } finally {
      await Promise.all(workers.map((worker) => worker.drain()));
      await queue.close();
      await redis.stop();
    }
  });

  it('delivers a text once if Redis stored it but disconnected before confirming', async () => {
    const redis = await startRedis();
    const lossy = await startLossyProxy(
      Number(new URL(redis.url).port),
      /^\*\d+\r\n\$\d\r\n(?:hset|rpush)\r\n\$\d+\r\nwaymark:lossy:told/i,
      3,
    );
    const through = new URL(redis.url);
    through.port = String(lossy.port);
    const queue = openQueue({ url: redis.url, name: 'lossy' }, quiet);
    const worker = startWorker(
      { url: through.href, name: 'lossy', concurrency: 1, leaseMs: 30_000 },
      () => Promise.resolve({ outcome: 'done', log: 'log' }),
      quiet,
    );
    try {
      await queue.add(tasks(3));
      const ended = await collected(queue, 3);
      assert.deepEqual(
        ended.map(({ outcome, log }) => [outcome, log]),
        Array.from({ length: 3 }, () => ['done', 'log']),
      );
      assert.equal(lossy.lost(), 3);
    } finally {
      await worker.drain();
      await queue.close();
      await lossy.stop();
      await redis.stop();
    }
  });

  it('adds tasks if Redis disconnects in the middle of a transaction', async () => {
    const redis = await startRedis();
    // The answer to the first of several commands is the id of a job.
    const first = `$32\r\n${'0'.repeat(32)}\r\n`.length;
    const lossy = await startLossyProxy(Number(new URL(redis.url).port), /evalsha[\s\S]*evalsha/i, 2, first);
    const through = new URL(redis.url);
    through.port = String(lossy.port);
    const queue = openQueue({ url: through.href, name: 'multi' }, quiet);
    try {
      await queue.add(tasks(3));
      assert.equal(await queue.waiting(), 3);
      assert.equal(lossy.lost(), 2);
      assert.equal(await queue.withdraw(), 3);
    } finally {
      await queue.close();
      await lossy.stop();
      await redis.stop();
    }
  });

  it('retries a failed task, and reports the problem of one that keeps failing', async () => {
    const redis = await startRedis();
    const place = { url: redis.url, name: 'tries' };
    const queue = openQueue(place, quiet);
    let tries = 0;
    const worker = startWorker(
      { ...place, concurrency: 1, leaseMs: 5000 },
      (task) => {
        if ((task as { index: number }).index === 0) throw new Error('It is broken.');
        tries += 1;
        if (tries < 2) throw new Error('Not yet.');
        return Promise.resolve({ outcome: 'done', log: '' });
      },
      quiet,
    );
    try {
      await queue.add(tasks(2));
      const ended = await collected(queue, 2);
      const byId = new Map(ended.map((each) => [each.id, each]));
      assert.deepEqual(byId.get('t0'), { id: 't0', problem: 'It is broken.' });
      assert.equal(byId.get('t1')!.outcome, 'done');
    } finally {
      await worker.drain();
      await queue.close();
      await redis.stop();
    }
  });

  it('finishes a task that workers gave back, however often', async () => {
    const redis = await startRedis();
    const place = { url: redis.url, name: 'back' };
    const queue = openQueue(place, quiet);
    let begun = 0;
    const worker = startWorker(
      { ...place, concurrency: 1, leaseMs: 30_000 },
      () => {
        begun += 1;
        // More often than a task may fail.
        return Promise.resolve(begun < 6 ? undefined : { outcome: 'done', log: '' });
      },
      quiet,
    );
    try {
      await queue.add(tasks(1));
      const [ended] = await collected(queue, 1);
      assert.deepEqual([ended!.outcome, begun], ['done', 6]);
    } finally {
      await worker.drain();
      await queue.close();
      await redis.stop();
    }
  });

  it('delivers lost tasks as failed and skips any number of foreign entries', async () => {
    const redis = await startRedis();
    const place = { url: redis.url, name: 'broken' };
    const queue = openQueue(place, quiet);
    const connection = new Redis(redis.url, { maxRetriesPerRequest: null });
    const raw = new Queue('broken', { connection: connection as never, prefix: 'waymark' });
    const worker = startWorker(
      { ...place, concurrency: 8, leaseMs: 30_000 },
      () => Promise.resolve({ outcome: 'done', log: 'log' }),
      quiet,
    );
    try {
      const strangers = tasks(520).map(({ data }) => ({ id: `stranger ${data.index}`, data }));
      await queue.add(strangers);
      await raw.add('task', null as never);
      await queue.add(tasks(3));
      const deadline = Date.now() + 120_000;
      while ((await queue.waiting()) > 0 && Date.now() < deadline)
        await new Promise((resolve) => setTimeout(resolve, 50));
      const keys = await connection.keys('waymark:broken:told:*:outcome');
      const [lost] = keys;
      assert.equal(keys.length >= 523, true);
      const mine = new Map<string, EndedTask>();
      await connection.del(lost!);
      await queue.collect((ended) => ended.id.startsWith('t') && Boolean(mine.set(ended.id, ended)));
      assert.deepEqual([...mine.keys()].sort(), ['t0', 't1', 't2'], 'those behind the others, too');
      const all: EndedTask[] = [];
      await queue.collect((ended) => all.push(ended) > 0);
      const outcomes = [...mine.values(), ...all].map(({ outcome }) => outcome);
      assert.equal(outcomes.filter((outcome) => outcome === '').length, 1, 'the lost one is told once');
      assert.equal(outcomes.length, 523);
    } finally {
      await worker.drain();
      await queue.close();
      await raw.close();
      connection.disconnect();
      await redis.stop();
    }
  });

  it('belongs to one batch at a time', async () => {
    const redis = await startRedis();
    const first = openQueue({ url: redis.url, name: 'one' }, quiet);
    const second = openQueue({ url: redis.url, name: 'one' }, quiet);
    const other = openQueue({ url: redis.url, name: 'other' }, quiet);
    try {
      assert.equal(await first.claim('a'), true);
      assert.equal(await second.claim('b'), false);
      assert.equal(await second.claim('a'), true, 'the same batch, after a kill');
      assert.equal(await other.claim('b'), true);
      await second.release('b');
      assert.equal(await second.claim('b'), false, 'nobody gives back what another one has');
      await first.release('a');
      assert.equal(await second.claim('b'), true, 'the first one ended');
    } finally {
      for (const queue of [first, second, other]) await queue.close();
      await redis.stop();
    }
  });

  it('spaces requests to one endpoint evenly across clients', async () => {
    const redis = await startRedis();
    // One every 50 ms.
    const gates = [1, 2, 3].map(() => openGate({ url: redis.url, perMinute: 1200 }));
    try {
      await Promise.all(gates.map((gate) => gate.pass('https://warm.example/v1')));
      const began = performance.now();
      const count = 30;
      const ends = await Promise.all(
        Array.from({ length: count }, async (_, at) => {
          await gates[at % gates.length]!.pass('https://a.example/v1');
          return performance.now() - began;
        }),
      );
      // A busy machine makes it take longer, but nothing makes it faster.
      const least = (count - 1) * 50;
      assert.ok(Math.max(...ends) >= least - 20, `${Math.max(...ends)} ms for ${least} ms`);
      const within = ends.filter((end) => end < least / 2 - 20).length;
      assert.ok(within <= count / 2 + 1, `${within} in the first half`);
      await gates[0]!.pass('https://b.example/v1');
    } finally {
      for (const gate of gates) gate.close();
      await redis.stop();
    }
  });
});

describe('an entry in the queue', () => {
  const good = { index: 0, id: 'a', named: true, prompt: 'Do.', batch: 0, toolsets: [], keepsWithoutReasoning: true };

  it('says what to do and cannot set how to run it', () => {
    assert.ok(QueuedTask.safeParse(good).success);
    // A worker runs checks and uses images only if its own command line allows it.
    const checks = { failToPass: ['npm test'], passToPass: [], patch: '' };
    assert.ok(QueuedTask.safeParse({ ...good, checks, checkSeconds: 5, image: 'docker.io/x/y:1' }).success);
    const wrong: object[] = [
      { ...good, script: '/etc/passwd' },
      { ...good, options: { confirm: 'never' } },
      { ...good, sandbox: 'off' },
      { ...good, checks: { ...checks, sandbox: 'off' } },
      { ...good, checkSeconds: 1e9 },
      { ...good, image: '--privileged' },
      { ...good, image: 'dir:/srv/image' },
      { ...good, commit: '--upload-pack=touch /tmp/x' },
      { ...good, prompt: '' },
      { ...good, index: -1 },
    ];
    for (const task of wrong) assert.equal(QueuedTask.safeParse(task).success, false, JSON.stringify(task));
  });
});
