import fs from 'node:fs';
import path from 'node:path';
import { isSettled } from '../../../src/core/batch/taskResult';
import { BatchMachine, finish, jsonLines, step } from '../../cli/batch/support';
import { smallDisk } from '../../faults/support/smallDisk';
import { hasRedis, startRedis } from '../../support/redisServer';
import type { Chance } from '../chance';
import type { FaultKind } from '../kinds';
import { setTimeout as pause } from 'node:timers/promises';

const usual = ['--script', 'script.jsonl', '--num-workers', '2', '--batch-size', '2', '--sandbox', 'off'];
const patienceMs = 120_000;

/** Runs `use` with a temporary machine that has a dataset and a script that plays the model. */
async function onMachine<Told>(count: number, use: (machine: BatchMachine) => Promise<Told>): Promise<Told> {
  const machine = new BatchMachine();
  try {
    machine.write('root/project/a.txt', 'one\n');
    const task = (index: number): object => ({ id: `t${index}`, prompt: `Task ${index}.`, cwd: 'root/project' });
    const queued = (index: number): object => ({ ...task(index), cwd: 'project' });
    machine.write('tasks.jsonl', jsonLines(Array.from({ length: count }, (_, index) => task(index))));
    machine.write('queued.jsonl', jsonLines(Array.from({ length: count }, (_, index) => queued(index))));
    machine.write('script.jsonl', jsonLines([step('echo two >> a.txt'), finish()]));
    return await use(machine);
  } finally {
    machine.stop();
  }
}

/** Waits for a random time after a start, or until shortly after a random number of tasks have ended. */
async function randomMoment(chance: Chance, count: number, ended: () => number, isOver: () => boolean): Promise<void> {
  const wanted = chance.happens(0.5) ? 0 : ended() + 1 + chance.below(Math.max(1, count - ended()));
  const latest = Date.now() + patienceMs;
  while (ended() < wanted && !isOver() && Date.now() < latest) await pause(5);
  await pause(chance.below(wanted === 0 ? 4000 : 300));
}

/**
 * Checks the folder of a completed batch: each task must be in every result exactly once. Parses JSON without Waymark's
 * code, except for its definition of settled tasks.
 */
async function brokenResults(machine: BatchMachine, out: string, count: number): Promise<string[]> {
  const broken: string[] = [];
  const expect = (what: string, found: readonly unknown[]): void => {
    const wanted = JSON.stringify([...Array(count).keys()]);
    const sorted = [...(found as number[])].sort((a, b) => a - b);
    if (JSON.stringify(sorted) !== wanted) broken.push(`${what}: ${JSON.stringify(sorted)} in place of ${wanted}`);
  };
  const rows = machine.lines(path.join(out, 'results.jsonl'));
  const done = rows.filter(({ status }) => isSettled({ status: status as 'done' }));
  expect(
    'settled results',
    done.filter(({ status }) => status === 'done').map(({ index }) => index),
  );
  const files = fs.readdirSync(machine.at(out)).filter((name) => /^batch_\d+\.jsonl$/.test(name));
  const lines = files.flatMap((name) => machine.lines(path.join(out, name)));
  expect(
    'lines of batch files',
    lines.map((line) => line['prompt_index']),
  );
  expect(
    'trajectories',
    machine.lines(path.join(out, 'trajectories.jsonl')).map((line) => line['prompt_index']),
  );
  expect('the checkpoint', machine.json(path.join(out, 'checkpoint.json'))['completed_prompts'] as number[]);
  const predicted = Object.keys(machine.json(path.join(out, 'preds.json'))).map((id) => Number(id.slice(1)));
  expect('predictions', predicted);
  const patches = new Set(done.map(({ patch }) => patch));
  if (patches.size !== 1 || ![...patches][0]) broken.push(`the patches differ: ${JSON.stringify([...patches])}`);
  const logs = fs.readdirSync(machine.at(out, 'logs')).filter((name) => name.endsWith('.waymark.jsonl'));
  if (logs.length !== count) broken.push(`${logs.length} logs of ${count} tasks`);
  const latest = Date.now() + patienceMs;
  while (machine.leftovers().length > 0 && Date.now() < latest) await pause(50);
  if (machine.leftovers().length > 0) broken.push(`left behind: ${machine.leftovers().join(', ')}`);
  return broken;
}

export const batchKilled: FaultKind = {
  name: 'batch',
  what: 'a batch is killed at random moments, and resumed',
  async try({ chance }) {
    const count = 2 + chance.below(4);
    return onMachine(count, async (machine) => {
      const ended = (): number => machine.lines('out/results.jsonl').length;
      const kills = 1 + chance.below(3);
      let hits = 0;
      for (let kill = 0; kill < kills; kill++) {
        const words = ['batch', 'tasks.jsonl', '--out', 'out', '--confirm', 'never', ...usual, '--resume'];
        const run = machine.start(...words);
        await randomMoment(chance, count, ended, () => run.child.exitCode !== null);
        if (run.child.exitCode === null) hits += 1;
        run.child.kill('SIGKILL');
        await run.ended;
      }
      const { code, stderr } = await machine.batch(...usual, '--resume');
      const told = code === 0 ? [] : [`the last run ended with ${code}: ${stderr.trim().slice(-300)}`];
      return { hit: hits > 0, broken: [...told, ...(await brokenResults(machine, 'out', count))] };
    });
  },
};

export const batchOnFullDisk: FaultKind = {
  name: 'batch-disk',
  what: 'the disk of the results of a batch fills; there is room again, and it is resumed',
  missing() {
    const tried = smallDisk();
    tried?.stop();
    return tried ? undefined : 'a small disk cannot be mounted here';
  },
  async try({ chance }) {
    const count = 3;
    const disk = smallDisk()!;
    try {
      return await onMachine(count, async (machine) => {
        fs.symlinkSync(disk.folder, machine.at('disk'));
        const out = 'disk/out';
        const ended = (): number => machine.lines(`${out}/results.jsonl`).length;
        const words = ['batch', 'tasks.jsonl', '--out', out, '--confirm', 'never', ...usual, '--num-workers', '1'];
        const run = machine.start(...words);
        await randomMoment(chance, count, ended, () => run.child.exitCode !== null);
        const hit = run.child.exitCode === null;
        disk.fill(chance.below(2) * 4096);
        await Promise.race([run.ended, pause(2000 + chance.below(4000))]);
        disk.free();
        if (chance.happens(0.3)) run.child.kill('SIGKILL');
        await run.ended;
        const again = await machine.start(...words, '--resume', '--retry-failed').ended;
        const told = again.code === 0 ? [] : [`the last run ended with ${again.code}: ${again.stderr.slice(-300)}`];
        return { hit, broken: [...told, ...(await brokenResultsOfDisk(machine, out, count))] };
      });
    } finally {
      disk.stop();
    }
  },
};

/**
 * Like `brokenResults`, after a full disk. Ignores differing patches: rows of attempts that failed because of the disk
 * are there, too, before the one that counts.
 */
async function brokenResultsOfDisk(machine: BatchMachine, out: string, count: number): Promise<string[]> {
  const broken = await brokenResults(machine, out, count);
  return broken.filter((words) => !words.startsWith('the patches differ'));
}

export const queueKilled: FaultKind = {
  name: 'queue',
  what: 'a batch with a queue, its workers and Redis are killed at random moments, and started again',
  missing: () => (hasRedis() ? undefined : 'this machine has no redis-server'),
  async try({ chance }) {
    const count = 3 + chance.below(3);
    const redis = await startRedis();
    try {
      return await onMachine(count, async (machine) => {
        machine.environment['WAYMARK_QUEUE'] = redis.url;
        const ended = (): number => machine.lines('out/results.jsonl').length;
        const batchWords = ['batch', 'queued.jsonl', '--out', 'out', '--run-name', 'queued', '--batch-size', '2'];
        const workerWords = ['worker', '--run-name', 'queued', '--root', 'root', '--lease', '2', '--concurrency', '2'];
        const startBatch = () => machine.start(...batchWords, '--resume');
        const how = ['--script', 'script.jsonl', '--confirm', 'never', '--sandbox', 'off'];
        const startWorker = () => machine.start(...workerWords, ...how);
        let batch = startBatch();
        let worker = startWorker();
        const kills = 1 + chance.below(3);
        for (let kill = 0; kill < kills; kill++) {
          await randomMoment(chance, count, ended, () => batch.child.exitCode !== null);
          const victim = chance.oneOf(['batch', 'worker', 'redis'] as const);
          if (victim === 'redis') {
            await redis.kill();
            await pause(chance.below(500));
            await redis.start();
            continue;
          }
          const process = victim === 'batch' ? batch : worker;
          process.child.kill('SIGKILL');
          await process.ended;
          if (victim === 'batch') batch = startBatch();
          else worker = startWorker();
        }
        const { code, stderr } = await batch.ended;
        worker.child.kill('SIGTERM');
        await worker.ended;
        const told = code === 0 ? [] : [`the batch ended with ${code}: ${stderr.trim().slice(-300)}`];
        return { hit: true, broken: [...told, ...(await brokenResults(machine, 'out', count))] };
      });
    } finally {
      await redis.stop();
    }
  },
};
