// What a batch costs beside its tasks: seconds of all processors and of the clock for each task, how much two workers
// do in the time of one, and the memory of the parent while tasks go by.
//   node bench/batch.mjs                     40 tasks for each figure
//   BATCH_TASKS=1000 node bench/batch.mjs    the same with 1,000
// Other programs on the machine make clocks slow: compare seconds of processors, and pairs that were measured in turn.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const program = path.join(root, 'dist/cli.js');
const count = Number(process.env.BATCH_TASKS ?? 40);
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-bench-batch-'));
process.once('exit', () => fs.rmSync(home, { recursive: true, force: true }));

const line = (value) => `${JSON.stringify(value)}\n`;
fs.mkdirSync(path.join(home, 'tmp'));
fs.writeFileSync(
  path.join(home, 'script.jsonl'),
  line({ say: 'Done.', call: { tool: 'finish', input: { summary: 'Done.' } } }),
);
const tasks = (wanted) =>
  Array.from({ length: wanted }, (_, index) => line({ id: `t${index}`, prompt: `Task ${index}.` }));
const environment = {
  ...process.env,
  HOME: home,
  TMPDIR: path.join(home, 'tmp'),
  XDG_STATE_HOME: path.join(home, 'state'),
};

/** One run of the command line to its end: seconds, and kilobytes of the process itself at some moments. */
async function measured(words, sampleEveryMs = 0) {
  const before = process.resourceUsage();
  const began = performance.now();
  const child = spawn(process.execPath, [program, ...words], { cwd: home, env: environment, stdio: 'ignore' });
  const memory = [];
  const sampling = sampleEveryMs && setInterval(() => memory.push(residentIn(child.pid)), sampleEveryMs);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  clearInterval(sampling);
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}.`);
  const after = process.resourceUsage();
  const cpu = (after.userCPUTime - before.userCPUTime + after.systemCPUTime - before.systemCPUTime) / 1e6;
  return { seconds: (performance.now() - began) / 1000, cpu: cpu || undefined, memory: memory.filter(Boolean) };
}

/** Kilobytes; undefined where the system does not tell. */
function residentIn(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
  } catch {
    return undefined;
  }
}

/** Seconds of processors that children of this process used, as the system counts those that ended. */
function childSeconds() {
  try {
    const fields = fs.readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return NaN;
  }
}

let folders = 0;
async function batchOf(wanted, workers, sampleEveryMs) {
  fs.writeFileSync(path.join(home, 'tasks.jsonl'), tasks(wanted).join(''));
  folders += 1;
  const words = ['batch', 'tasks.jsonl', '--out', `out${folders}`, '--script', 'script.jsonl', '--confirm', 'never'];
  const cpuBefore = childSeconds();
  const told = await measured([...words, '--num-workers', `${workers}`], sampleEveryMs);
  return { ...told, cpu: childSeconds() - cpuBefore };
}

async function singleRun() {
  const folder = fs.mkdtempSync(path.join(home, 'single-'));
  const cpuBefore = childSeconds();
  const words = ['run', 'Task.', '--cwd', folder, '--script', path.join(home, 'script.jsonl'), '--confirm', 'never'];
  const told = await measured(words);
  return { ...told, cpu: childSeconds() - cpuBefore };
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const ms = (seconds) => `${(seconds * 1000).toFixed(0)} ms`;

await singleRun(); // fills the cache of compiled code
const singles = [];
const efficiencies = [];
const pairs = Math.max(3, Math.min(5, Math.floor(count / 10)));
for (let pair = 0; pair < pairs; pair++) {
  singles.push(await singleRun());
  const one = await batchOf(Math.ceil(count / 4), 1);
  const two = await batchOf(Math.ceil(count / 4), 2);
  efficiencies.push(one.seconds / two.seconds / 2);
}
const four = await batchOf(count, 4, 250);
const single = median(singles.map(({ cpu }) => cpu));
console.log(
  `${count} tasks of one step, 4 workers: ${ms(four.seconds / count)} of the clock a task, ${ms(four.cpu / count)} of processors.`,
);
console.log(
  `A run of the same step without a batch: ${ms(median(singles.map(({ seconds }) => seconds)))}, ${ms(single)} of processors.`,
);
console.log(`What the batch adds to a task: ${ms(four.cpu / count - single)} of processors.`);
console.log(
  `1 → 2 workers: efficiency ${efficiencies.map((each) => each.toFixed(2)).join(', ')}; median ${median(efficiencies).toFixed(2)}.`,
);
const quarter = Math.floor(four.memory.length / 4);
if (quarter > 0) {
  const early = median(four.memory.slice(quarter, 2 * quarter));
  const late = median(four.memory.slice(-quarter));
  console.log(
    `Memory of the parent: ${(early / 1024).toFixed(0)} MB in the second quarter, ${(late / 1024).toFixed(0)} MB in the last.`,
  );
}
