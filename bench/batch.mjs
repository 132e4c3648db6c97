// Measures the overhead of a batch: CPU and elapsed seconds per task, the throughput of two workers compared to one,
// and the parent's memory over many tasks.
//   node bench/batch.mjs                     pairs of 20 tasks, then 40 tasks in one batch
//   BATCH_TASKS=1000 node bench/batch.mjs    the same with 1,000 in one batch
//   BATCH_PAIRS=0 BATCH_TASKS=1000 …         only that batch
// Elapsed time depends on other programs on the machine: compare CPU seconds, and pairs that were measured alternately.
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
const ending = line({ say: 'Done.', call: { tool: 'finish', input: { summary: 'Done.' } } });
fs.writeFileSync(path.join(home, 'script.jsonl'), ending);
fs.writeFileSync(
  path.join(home, 'two-steps.jsonl'),
  line({ say: 'Working.', call: { tool: 'run_command', input: { command: 'echo one' } } }) + ending,
);
const tasks = (wanted) =>
  Array.from({ length: wanted }, (_, index) => line({ id: `t${index}`, prompt: `Task ${index}.` }));
const environment = {
  ...process.env,
  HOME: home,
  TMPDIR: path.join(home, 'tmp'),
  XDG_STATE_HOME: path.join(home, 'state'),
};

/** Runs the command line once to its end: returns seconds, and samples of the process's own memory in kilobytes. */
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

/** In kilobytes; undefined if the system does not report it. */
function residentIn(pid) {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
  } catch {
    return undefined;
  }
}

/** CPU seconds of the ended children of this process, as the system counts them. */
function childSeconds() {
  try {
    const fields = fs.readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
    return (Number(fields[13]) + Number(fields[14])) / 100;
  } catch {
    return NaN;
  }
}

let folders = 0;
async function batchOf(wanted, workers, sampleEveryMs, script = 'script.jsonl') {
  fs.writeFileSync(path.join(home, 'tasks.jsonl'), tasks(wanted).join(''));
  folders += 1;
  const words = ['batch', 'tasks.jsonl', '--out', `out${folders}`, '--script', script, '--confirm', 'never'];
  const cpuBefore = childSeconds();
  const told = await measured([...words, '--num-workers', `${workers}`], sampleEveryMs);
  return { ...told, cpu: childSeconds() - cpuBefore };
}

/** Bytes of all files below a folder. */
function bytesIn(folder) {
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + fs.statSync(path.join(parentPath, name)).size, 0);
}

/** Performs a number of runs without a batch, a few in parallel. */
async function plainRuns(wanted, atOnce) {
  const cpuBefore = childSeconds();
  const began = performance.now();
  let left = wanted;
  const inTurn = async () => {
    while (left-- > 0) {
      const folder = fs.mkdtempSync(path.join(home, 'single-'));
      const words = ['run', 'Task.', '--cwd', folder, '--script', path.join(home, 'script.jsonl')];
      await measured([...words, '--confirm', 'never', '--trust-folder']);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, inTurn));
  return { seconds: (performance.now() - began) / 1000, cpu: childSeconds() - cpuBefore };
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const ms = (seconds) => `${(seconds * 1000).toFixed(0)} ms`;
const list = (values, words) => `${values.map(words).join(', ')}; median ${words(median(values))}`;

await plainRuns(1, 1); // fills the code cache
const pairCount = Number(process.env.BATCH_PAIRS ?? 5);
const inPair = 20;
const shares = [];
const efficiencies = [];
for (let pair = 0; pair < pairCount; pair++) {
  // Alternating, so that other load on the machine affects both.
  const plain = await plainRuns(inPair, 4);
  const batch = await batchOf(inPair, 4);
  shares.push({
    cpu: (batch.cpu - plain.cpu) / inPair,
    seconds: (batch.seconds - plain.seconds) / inPair,
    plainCpu: plain.cpu / inPair,
  });
  const one = await batchOf(inPair, 1);
  const two = await batchOf(inPair, 2);
  efficiencies.push({ clock: one.seconds / two.seconds / 2, cpu: one.cpu / two.cpu });
}
if (pairCount > 0) {
  const plainCpu = ms(median(shares.map((each) => each.plainCpu)));
  console.log(`${pairCount} pairs of ${inPair} tasks of one step; a run without a batch uses ${plainCpu} of CPU time.`);
  console.log('Overhead per task of a batch with 4 workers, compared with 4 parallel runs without a batch:');
  console.log(
    `  CPU time: ${list(
      shares.map(({ cpu }) => cpu),
      ms,
    )}`,
  );
  console.log(
    `  elapsed time: ${list(
      shares.map(({ seconds }) => seconds),
      ms,
    )}`,
  );
  const fixed = (value) => value.toFixed(2);
  console.log('1 → 2 workers, efficiency:');
  console.log(
    `  by elapsed time: ${list(
      efficiencies.map(({ clock }) => clock),
      fixed,
    )}`,
  );
  console.log(
    `  by CPU time, given enough processors: ${list(
      efficiencies.map(({ cpu }) => cpu),
      fixed,
    )}`,
  );
}

if (count > 0) {
  const four = await batchOf(count, 4, 250);
  console.log(
    `${count} tasks, 4 workers: ${ms(four.seconds / count)} elapsed per task, ${ms(four.cpu / count)} of CPU time.`,
  );
  const quarter = Math.floor(four.memory.length / 4);
  if (quarter > 0) {
    const quarters = [0, 1, 2, 3].map((at) => median(four.memory.slice(at * quarter, (at + 1) * quarter)));
    const most = Math.max(...four.memory);
    console.log(
      `Memory of the parent, by quarter: ${quarters.map((each) => (each / 1024).toFixed(0)).join(', ')} MB; at most ${(most / 1024).toFixed(0)} MB.`,
    );
  }
}

await batchOf(inPair, 4, 0, 'two-steps.jsonl');
const kilobytes = bytesIn(path.join(home, `out${folders}`)) / inPair / 1000;
console.log(`Disk: ${kilobytes.toFixed(1)} KB per task of two short steps.`);
