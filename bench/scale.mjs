// How long a batch takes on many workers, and what the queue needs for it: a simulation,
// checked against a real queue at small size.
//   node bench/scale.mjs             the table of docs/use/scale.md
//   node bench/scale.mjs --check     measures a real queue (needs redis-server) and compares it with the simulation
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/**
 * Simulates a batch: each worker takes the next task when it is free; a task is a number of requests, and the endpoint
 * begins no more than so many of them in a minute. Answers seconds.
 */
export function simulate({ tasks, workers, requests, requestSeconds, overheadSeconds, requestsPerMinute = Infinity }) {
  const free = new Float64Array(Math.min(workers, tasks));
  const between = 60 / requestsPerMinute;
  let endpoint = 0;
  let end = 0;
  // A heap of the moments at which workers are free.
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
    let now = free[0] + overheadSeconds;
    // The requests of one task follow each other; the endpoint lets the tasks in by turns.
    if (Number.isFinite(requestsPerMinute)) {
      endpoint = Math.max(endpoint, now) + between * requests;
      now = Math.max(now + requests * requestSeconds, endpoint);
    } else now += requests * requestSeconds;
    free[0] = now;
    end = Math.max(end, now);
    sink(0);
  }
  return end;
}

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
    ].map(duration);
    console.log(`| ${workers.toLocaleString('en')} | ${cells.join(' | ')} |`);
  }
}

async function check() {
  const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
  const { openQueue, startWorker } = await import(pathToFileURL(path.join(root, 'dist/queue.js')).href);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-scale-'));
  const port = await freePort();
  const redis = spawn('redis-server', ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder], {
    stdio: 'ignore',
  });
  try {
    await listening(port);
    const place = { url: `redis://127.0.0.1:${port}`, name: 'scale' };
    const queue = openQueue(place, () => undefined);
    const tasks = 2000;
    const prompt = 'x'.repeat(1000);
    const before = await memory(port);
    const addedAt = performance.now();
    await queue.add(Array.from({ length: tasks }, (_, index) => ({ id: `t${index}`, data: { index, prompt } })));
    const adding = performance.now() - addedAt;
    console.log(`Adding: ${(adding / tasks).toFixed(2)} ms a task.`);
    console.log(
      `Redis: ${Math.round(((await memory(port)) - before) / tasks)} bytes a waiting task of 1,000 characters.`,
    );
    for (const { concurrency, seconds } of [
      { concurrency: 20, seconds: 0 },
      { concurrency: 20, seconds: 0.2 },
      { concurrency: 80, seconds: 0.2 },
    ]) {
      if ((await queue.waiting()) === 0)
        await queue.add(Array.from({ length: tasks }, (_, index) => ({ id: `t${index}`, data: { index, prompt } })));
      const began = performance.now();
      const worker = startWorker(
        { ...place, concurrency, leaseMs: 30_000 },
        async () => {
          await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
          return { outcome: '{}', log: '' };
        },
        () => undefined,
      );
      let ended = 0;
      while (ended < tasks) {
        const taken = await queue.collect(() => true);
        ended += taken;
        if (taken === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const measured = (performance.now() - began) / 1000;
      await worker.drain();
      const simulated = simulate({
        tasks,
        workers: concurrency,
        requests: 1,
        requestSeconds: seconds,
        overheadSeconds: 0,
      });
      const perTask = ((measured - simulated) / tasks) * 1000;
      console.log(
        `${tasks} tasks of ${seconds} s, ${concurrency} at the same time: ${measured.toFixed(1)} s, simulated ${simulated.toFixed(1)} s; the queue adds ${perTask.toFixed(2)} ms a task.`,
      );
    }
    await queue.close();
  } finally {
    redis.kill('SIGKILL');
    fs.rmSync(folder, { recursive: true, force: true });
  }
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

/** Bytes that Redis uses, by its own words. */
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
  else table();
}
