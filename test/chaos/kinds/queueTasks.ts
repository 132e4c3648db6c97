import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { openQueue } from '../../../src/adapters/queue/taskQueue';
import { cliFile } from '../../cli/support/commandLine';
import { hasRedis, startRedis } from '../../support/redisServer';
import type { FaultKind } from '../kinds';
import { setTimeout as pause } from 'node:timers/promises';

/** Number of tasks per try, set by QUEUE_TASKS. */
const taskCount = Number(process.env['QUEUE_TASKS'] ?? 200);
/** Longest duration of a task in ms, set by QUEUE_TASK_MS. Longer tasks survive more kills. */
const longestMs = Number(process.env['QUEUE_TASK_MS'] ?? 40);
/** Average number of completed tasks between kills. Kills depend on progress, so that slow machines finish, too. */
const tasksBetweenKills = 10;
const workerCount = 3;
const patienceMs = 1_800_000;

/** A worker whose tasks only wait, so that only the queue is tested. */
const workerProgram = `
const [bundle, url, name, longestMs] = process.argv.slice(1);
const { startWorker } = await import(bundle);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const work = async ({ index }) => {
  await pause((index * 7919) % Number(longestMs));
  return { outcome: 'done ' + index, log: 'x'.repeat(index) };
};
startWorker({ url, name, concurrency: 4, leaseMs: 1500 }, work, () => undefined);
`;

export const queueTasks: FaultKind = {
  name: 'queue-tasks',
  what: 'workers, Redis and the one who collects go away at random while many short tasks are worked on',
  missing: () => (hasRedis() ? undefined : 'this machine has no redis-server'),
  async try({ chance }) {
    const redis = await startRedis();
    const place = { url: redis.url, name: 'tasks' };
    const bundle = pathToFileURL(path.join(path.dirname(cliFile), 'queue.js')).href;
    const workerWords = [bundle, place.url, place.name, String(longestMs)];
    const startWorker = (): ChildProcess =>
      spawn(process.execPath, ['--input-type=module', '-e', workerProgram, ...workerWords], { stdio: 'ignore' });
    const workers = Array.from({ length: workerCount }, startWorker);
    const outcomes = new Map<string, string[]>();
    const tasks = Array.from({ length: taskCount }, (_, index) => ({ id: `t${index}`, data: { index } }));
    let isGivenUp = false;
    const isOver = (): boolean => isGivenUp || outcomes.size === taskCount;
    const kills = { worker: 0, redis: 0, collector: 0 };
    let queue = openQueue(place, () => undefined);
    const killing = async (): Promise<void> => {
      while (!isOver()) {
        const next = outcomes.size + 1 + chance.below(2 * tasksBetweenKills - 1);
        while (outcomes.size < next && !isOver()) await pause(5);
        await pause(chance.below(100));
        if (isOver()) return;
        const victim = chance.oneOf(['worker', 'worker', 'redis'] as const);
        kills[victim] += 1;
        if (victim === 'redis') {
          await redis.kill();
          await pause(chance.below(300));
          await redis.start();
          continue;
        }
        const at = chance.below(workers.length);
        workers[at]!.kill('SIGKILL');
        workers[at] = startWorker();
      }
    };
    let killer: Promise<void> | undefined;
    try {
      await queue.add(tasks);
      killer = killing();
      const end = Date.now() + patienceMs;
      while (!isOver() && Date.now() < end) {
        // A collector killed before the queue recorded a result gets the same task again and must recognize it.
        if (chance.happens(0.05)) {
          kills.collector += 1;
          await queue.close();
          queue = openQueue(place, () => undefined);
          await queue.add(tasks.filter(({ id }) => !outcomes.has(id)));
        }
        await queue.collect(({ id, outcome, problem }) => {
          const told = outcome ?? `problem: ${problem}`;
          const known = outcomes.get(id) ?? [];
          // A repeated result is not a second one: a batch knows which results it has.
          if (!known.includes(told)) outcomes.set(id, [...known, told]);
          return true;
        });
        await pause(20);
      }
      const isWhole = isOver();
      isGivenUp = true;
      await killer;
      const lost = tasks.filter(({ id }) => !outcomes.has(id));
      const wrong = tasks.flatMap(({ id, data: { index } }) => {
        const told = outcomes.get(id) ?? [];
        return told.length === 1 && told[0] === `done ${index}` ? [] : [`${id}: ${told.join(', ')}`];
      });
      const left = await queue.waiting();
      const broken = [
        ...(lost.length > 0 ? [`lost: ${lost.map(({ id }) => id).join(', ')}`] : []),
        ...(wrong.length > 0 ? [`not once as it was done: ${wrong.slice(0, 10).join('; ')}`] : []),
        ...(left > 0 ? [`${left} tasks are in the queue still`] : []),
      ];
      if (!isWhole) broken.push(`not at its end after ${patienceMs / 60_000} minutes`);
      if (process.env['CHAOS_TELL']) console.log(`${taskCount} tasks, killed ${JSON.stringify(kills)}`);
      return { hit: true, broken };
    } finally {
      isGivenUp = true;
      await killer;
      for (const worker of workers) worker.kill('SIGKILL');
      await queue.close();
      await redis.stop();
    }
  },
};
