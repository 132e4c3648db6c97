// How long a batch takes on many workers, and what the queue needs for it: a simulation,
// checked against a real queue at small size.
//   node bench/scale.mjs             the tables of docs/use/scale.md
//   node bench/scale.mjs --check     measures a real queue (needs redis-server) and compares it with the simulation
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Simulates a batch: each worker takes the next task when it is free; a task is a number of requests, and the endpoint
 * limits how many begin per minute. Returns the seconds it takes, and how many tasks are queued at a given time.
 */
export function simulate({ tasks, workers, requests, requestSeconds, overheadSeconds, requestsPerMinute = Infinity }) {
  const free = new Float64Array(Math.min(workers, tasks));
  /** When each task left the queue, ascending. */
  const begun = new Float64Array(tasks);
  const between = 60 / requestsPerMinute;
  let endpoint = 0;
  let end = 0;
  // A heap of the times at which workers become free.
  const sink = (start) => {
    let at = start;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= free.length) return;
      const next = left + 1 < free.length && free[left + 1] < free[left] ? left + 1 : left;
      if (free[at] <= free[next]) return;
      [free[at], free[next]] = [free[next], free[at]];
      at = next;
    }
  };
  for (let task = 0; task < tasks; task++) {
    begun[task] = free[0];
    let now = free[0] + overheadSeconds;
    // Requests of a task are sequential; the endpoint admits tasks in turn.
    if (Number.isFinite(requestsPerMinute)) {
      endpoint = Math.max(endpoint, now) + between * requests;
      now = Math.max(now + requests * requestSeconds, endpoint);
    } else now += requests * requestSeconds;
    free[0] = now;
    end = Math.max(end, now);
    sink(0);
  }
  return { seconds: end, waitingAt: (moment) => tasks - countUpTo(begun, moment) };
}

/** Returns how many of the ascending numbers are at most the limit. */
function countUpTo(numbers, limit) {
  let from = 0;
  let to = numbers.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (numbers[middle] <= limit) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Bytes in Redis per waiting task of 1,000 characters, as measured by --check. */
const redisBytes = 2300;
/** Bytes on disk per task of two short steps, as measured by bench/batch.mjs. */
const diskBytes = 27_000;
/** US dollars per task, as an example: replace it with the cost of a sample. */
const exampleCost = 0.1;

const duration = (seconds) => {
  if (seconds < 3600) return `${(seconds / 60).toFixed(0)} min`;
  if (seconds < 3 * 86_400) return `${(seconds / 3600).toFixed(1)} h`;
  return `${(seconds / 86_400).toFixed(1)} d`;
};

function table() {
  const usual = { requests: 20, requestSeconds: 6, overheadSeconds: 0.5 };
  console.log('| Workers | 1,000 tasks | 1,000,000 tasks | 1,000,000 tasks, endpoint of 2,000 requests a minute |');
  console.log('|---|---|---|---|');
  for (const workers of [1, 2, 10, 100, 1000]) {
    const cells = [
      simulate({ ...usual, workers, tasks: 1000 }),
      simulate({ ...usual, workers, tasks: 1_000_000 }),
      simulate({ ...usual, workers, tasks: 1_000_000, requestsPerMinute: 2000 }),
    ].map(({ seconds }) => duration(seconds));
    console.log(`| ${workers.toLocaleString('en')} | ${cells.join(' | ')} |`);
  }
}

/** What a million tasks need with 1,000 workers and an endpoint that admits 2,000 requests a minute. */
function plan() {
  const tasks = 1_000_000;
  const usual = { requests: 20, requestSeconds: 6, overheadSeconds: 0.5 };
  const workers = 1000;
  const { seconds, waitingAt } = simulate({ ...usual, tasks, workers, requestsPerMinute: 2000 });
  const gigabytes = (bytes) => `${(bytes / 1e9).toFixed(1)} GB`;
  console.log('| Time | Tasks in the queue | Redis | Disk for results | Cost, at $0.10 a task |');
  console.log('|---|---|---|---|---|');
  for (const quarter of [0, 1, 2, 3, 4]) {
    const moment = (seconds * quarter) / 4;
    const waiting = waitingAt(moment);
    const done = quarter === 4 ? tasks : tasks - waiting - workers;
    const cells = [
      duration(moment),
      waiting.toLocaleString('en'),
      gigabytes(waiting * redisBytes),
      gigabytes(done * diskBytes),
      `$${Math.round(done * exampleCost).toLocaleString('en')}`,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

async function check() {
  const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
  const { openQueue, openGate, startWorker } = await import(pathToFileURL(path.join(root, 'dist/queue.js')).href);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-scale-'));
  const port = await freePort();
  const redis = spawn('redis-server', ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder], {
    stdio: 'ignore',
  });
  try {
    await listening(port);
    const address = { url: `redis://127.0.0.1:${port}` };
    const place = { ...address, name: 'scale' };
    const queue = openQueue(place, () => undefined);
    const prompt = 'x'.repeat(1000);
    const tasksOf = (count) =>
      Array.from({ length: count }, (_, index) => ({ id: `t${index}`, data: { index, prompt } }));
    const load = () => os.loadavg()[0].toFixed(1);
    console.log(`Load ${load()}, ${os.cpus().length} cores.`);
    for (const count of [500, 2000, 10_000]) {
      const before = await memory(port);
      const addedAt = performance.now();
      await queue.add(tasksOf(count));
      const adding = performance.now() - addedAt;
      const bytes = ((await memory(port)) - before) / count;
      await queue.withdraw();
      const left = (await memory(port)) - before;
      console.log(
        `${count} tasks of 1,000 characters: ${(adding / count).toFixed(2)} ms to add one, ${bytes.toFixed(0)} bytes of Redis each (planned: ${redisBytes}); ${left} bytes left after they are removed.`,
      );
    }
    /** Runs tasks on the real queue and simulates them. */
    const compared = async ({ tasks, concurrency, seconds, requestsPerMinute }) => {
      await queue.add(tasksOf(tasks));
      const simulated = simulate({
        ...{ tasks, workers: concurrency, requestsPerMinute },
        ...{ requests: 1, requestSeconds: seconds, overheadSeconds: 0 },
      });
      const gate = requestsPerMinute && openGate({ ...address, perMinute: requestsPerMinute });
      let begun = 0;
      const usedBefore = usedBy(redis.pid);
      const began = performance.now();
      const worker = startWorker(
        { ...place, concurrency, leaseMs: 30_000 },
        async () => {
          begun += 1;
          await gate?.pass('endpoint');
          await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
          return { outcome: '{}', log: '' };
        },
        () => undefined,
      );
      let ended = 0;
      let furthest = 0;
      while (ended < tasks) {
        const taken = await queue.collect(() => true);
        ended += taken;
        // Tasks that this worker has started have left the queue.
        const moment = (performance.now() - began) / 1000;
        furthest = Math.max(furthest, Math.abs(tasks - begun - simulated.waitingAt(moment)));
        if (taken === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const measured = (performance.now() - began) / 1000;
      await worker.drain();
      gate?.close();
      const used = (usedBy(redis.pid) - usedBefore) / tasks;
      const perTask = ((measured - simulated.seconds) / tasks) * 1000;
      const limit = requestsPerMinute ? `, endpoint of ${requestsPerMinute} requests a minute` : '';
      console.log(
        `${tasks} tasks of ${seconds} s, ${concurrency} at the same time${limit}: ${measured.toFixed(1)} s, simulated ${simulated.seconds.toFixed(1)} s; the queue adds ${perTask.toFixed(2)} ms per task and uses ${used.toFixed(2)} ms of CPU time; its simulated length is off by at most ${furthest} tasks; load ${load()}.`,
      );
    };
    for (let turn = 0; turn < 3; turn++) {
      await compared({ tasks: 2000, concurrency: 20, seconds: 0 });
      await compared({ tasks: 2000, concurrency: 20, seconds: 0.2 });
      await compared({ tasks: 2000, concurrency: 80, seconds: 0.2 });
      await compared({ tasks: 500, concurrency: 20, seconds: 0.2, requestsPerMinute: 3000 });
    }
    await queue.close();
  } finally {
    redis.kill('SIGKILL');
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the CPU time of this process and another one, in ms: hardly affected by other programs on the machine. */
function usedBy(pid) {
  const { user, system } = process.cpuUsage();
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (user + system) / 1000 + (Number(fields[11]) + Number(fields[12])) * 10;
}

async function freePort() {
  const server = net.createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function listening(port) {
  for (;;) {
    const isThere = await new Promise((resolve) => {
      const socket = net.connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Returns the bytes that Redis reports as used. */
async function memory(port) {
  const told = await new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write('INFO memory\r\n'));
    let text = '';
    socket.setEncoding('utf8').on('data', (part) => {
      text += part;
      if (/used_memory:\d+\r\n[\s\S]*mem_clients_normal/.test(text)) {
        socket.destroy();
        resolve(text);
      }
    });
    socket.on('error', reject);
  });
  return Number(/used_memory:(\d+)/.exec(told)[1]);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--check')) await check();
  else {
    table();
    console.log();
    plan();
  }
}
