import { strict as assert } from 'node:assert';
import { openQueue, startWorker, type EndedTask, type TaskQueue } from '../../src/adapters/queue/taskQueue';
import { QueuedTask } from '../../src/core/batch/queuedTask';
import { hasRedis, startRedis } from '../support/redisServer';

const quiet = (): void => undefined;
const tasks = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `t${index}`, data: { index } }));

/** Collects until so many tasks ended; each call of `take` is kept. */
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

describe('a queue of tasks', function () {
  this.timeout(180_000);
  before(function () {
    if (!hasRedis()) {
      console.log('      skipped: this machine has no redis-server');
      this.skip();
    }
  });

  it('loses no task and doubles none while Redis is killed and comes back, and hands over long texts whole', async () => {
    const redis = await startRedis();
    const place = { url: redis.url, name: 'kills' };
    const count = 300;
    const long = 'ä'.repeat(600_000);
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

  it('tries a task again that failed, and tells why every try did', async () => {
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
});

describe('what lies in a queue', () => {
  const good = { index: 0, id: 'a', named: true, prompt: 'Do.', batch: 0, toolsets: [], keepsWithoutReasoning: true };

  it('says what is to be done, and nothing of how', () => {
    assert.ok(QueuedTask.safeParse(good).success);
    const wrong: object[] = [
      { ...good, script: '/etc/passwd' },
      { ...good, options: { confirm: 'never' } },
      { ...good, checks: { failToPass: ['rm -rf /'] } },
      { ...good, image: 'x' },
      { ...good, commit: '--upload-pack=touch /tmp/x' },
      { ...good, prompt: '' },
      { ...good, index: -1 },
    ];
    for (const task of wrong) assert.equal(QueuedTask.safeParse(task).success, false, JSON.stringify(task));
  });
});
