// One run of one agent against the loopback model, and its cost.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { at } from '../scripts/repository.mjs';

const longestRunMs = 300_000;

/** The agents that are compared. All run under the same Node with the same environment. */
export const agents = {
  floor: ({ baseUrl, home }) => [at('bench/floor.mjs'), baseUrl, path.join(home, 'log.jsonl'), 'Do the steps.'],
  durableFloor: (place) => agents.floor(place),
  waymark: ({ baseUrl, home, isPlain, flags }) => [
    at('dist/cli.js'),
    'run',
    'Do the steps.',
    '--base-url',
    baseUrl,
    '--model',
    'loopback',
    '--confirm',
    'never',
    '--max-steps',
    '0',
    '--json',
    '--trust-folder',
    ...(isPlain ? [] : ['--log', path.join(home, 'log.jsonl')]),
    ...flags,
  ],
};

/**
 * Runs `agent` in a fresh folder through `calls` (see model.mjs); returns { startMs, gaps, firstBytes, rssMb, exitMs,
 * cpuMs }. `startMs` is from the start of the process to its first request; `gaps` are ms per step; `rssMb` is the peak
 * of the whole run, of the process and its living children (undefined without /proc); `exitMs` is from the last answer
 * to the end of the process; `cpuMs` is its CPU time and that of the processes that it waited for. `prepare(work)`
 * fills the folder, `check(work)` throws if the work is not done. `thinkMs`: how long the model takes for its first
 * answer. `ownCache`: sets no code cache from outside, and uses the home of a user who starts it again and again and
 * names no log. `isNew`: a new home without any code cache. `node`: another Node to run it. `flags`: additional
 * arguments for Waymark's command line.
 */
export async function runAgent(agent, model, calls, options = {}) {
  const { prepare, check, thinkMs, ownCache = false, isNew = false, node = process.execPath, flags = [] } = options;
  if (agent === 'waymark' && !isNew) await haveKeptCode(model, node);
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-bench-'));
  const work = path.join(root, 'work');
  const home = ownCache ? usedHome(agent) : path.join(root, 'home');
  const temporary = ownCache ? path.join(home, 'tmp') : root;
  for (const folder of [home, work, temporary]) fs.mkdirSync(folder, { recursive: true });
  if (agent === 'waymark' && !ownCache && !isNew) copyKept(kept, home);
  let rssMb;
  let ending;
  try {
    prepare?.(work);
    const lookAtMemory = () => {
      rssMb = Math.max(rssMb ?? 0, peakBelow(child.pid) ?? 0) || undefined;
    };
    const play = model.play(
      calls,
      () => {
        lookAtMemory();
        // The peak may come while it ends.
        ending = setInterval(lookAtMemory, 5);
      },
      thinkMs,
    );
    const { PATH, LANG = 'C.UTF-8' } = process.env;
    const started = performance.now();
    const words = agents[agent]({ baseUrl: model.baseUrl, home, isPlain: ownCache, flags });
    const child = spawn('/bin/bash', ['-c', countingScript, 'bash', node, ...words], {
      cwd: work,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      detached: true,
      env: {
        PATH,
        LANG,
        HOME: home,
        XDG_STATE_HOME: home,
        TMPDIR: temporary,
        ...(ownCache || isNew ? {} : { NODE_COMPILE_CACHE: compileCache() }),
        ...(agent === 'durableFloor' && { FLOOR_FSYNC: '1' }),
        SHELL: '/bin/bash',
      },
    });
    const { code, complaint, counted } = await ended(child);
    const exitMs = performance.now() - play.sentAt;
    clearInterval(ending);
    if (code !== 0 || !play.done || play.problem)
      throw new Error(
        `${agent} failed: ${play.problem ?? `exit ${code} after ${play.requestBytes.length} of ${calls.length + 1} requests`}. ${complaint.trim()}`,
      );
    check?.(work);
    // This run may have saved more.
    if (agent === 'waymark' && !ownCache && !isNew) copyKept(home, kept);
    const [firstBytes] = play.requestBytes;
    return { startMs: play.firstAt - started, gaps: play.gaps, firstBytes, rssMb, exitMs, cpuMs: cpuMsIn(counted) };
  } finally {
    clearInterval(ending);
    fs.rmSync(root, { recursive: true, force: true });
  }
}

/** Homes of earlier runs, by agent. */
const homes = new Map();

function usedHome(agent) {
  const isFirst = !homes.has(agent);
  if (isFirst) homes.set(agent, temporaryFolder('waymark-bench-home-'));
  const home = homes.get(agent);
  if (isFirst && agent === 'waymark') copyKept(kept, home);
  for (const name of fs.readdirSync(home))
    if (name.startsWith('log.jsonl')) fs.rmSync(path.join(home, name), { recursive: true });
  return home;
}

/** What a user's first run leaves for later ones: Waymark's own code cache, and the key of the logs. */
const keptNames = ['waymark/code', 'waymark/log.key'];
let kept;
const keepers = new Set();

/** Before the first measured run of each Node, saves its code cache with a run that is not measured. */
async function haveKeptCode(model, node) {
  kept ??= temporaryFolder('waymark-bench-kept-');
  if (keepers.has(node)) return;
  keepers.add(node);
  const calls = [1, 2].map((step) => ({ tool: 'run_command', input: { command: `echo ${step}` } }));
  await runAgent('waymark', model, calls, { node });
}

function copyKept(from, to) {
  for (const name of keptNames.filter((each) => fs.existsSync(path.join(from, each))))
    fs.cpSync(path.join(from, name), path.join(to, name), { recursive: true, preserveTimestamps: true });
}

/** Deleted when the bench ends. */
function temporaryFolder(prefix) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), prefix));
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Shared by all runs: Node's code cache, as a user's machine has it from the second start on. */
let cache;
function compileCache() {
  return (cache ??= temporaryFolder('waymark-bench-cache-'));
}

/**
 * Runs a command and writes its CPU time, and that of the processes it waited for, to a separate file. Adds 1 or 2 ms
 * to the start.
 */
const countingScript = '"$@" 3>&-; code=$?; times >&3; exit $code';

/** The second line of `times` is for the children: "0m0.512s 0m0.101s". */
function cpuMsIn(counted) {
  const [, children = ''] = counted.trim().split('\n');
  const milliseconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, seconds]) => minutes * 60_000 + seconds * 1000,
  );
  return milliseconds.length === 2 ? milliseconds[0] + milliseconds[1] : undefined;
}

function ended(child) {
  let complaint = '';
  let counted = '';
  child.stdio[3].setEncoding('utf8').on('data', (text) => {
    counted += text;
  });
  child.stderr.on('data', (bytes) => {
    complaint = (complaint + bytes).slice(-2000);
  });
  const timer = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), longestRunMs);
  return new Promise((resolve, reject) =>
    child.on('error', reject).on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code: code ?? signal, complaint, counted });
    }),
  );
}

/**
 * Returns the sum of the peak memory of each living descendant of a process, in MB; undefined if the system does not
 * report it.
 */
function peakBelow(pid) {
  try {
    const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return children.reduce((sum, child) => sum + (peakMb(child) ?? 0), 0);
  } catch {
    return undefined;
  }
}

/** Same, including the process itself. */
function peakMb(pid) {
  try {
    const own = Number(/^VmHWM:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
    return own + (peakBelow(pid) ?? 0);
  } catch {
    return undefined;
  }
}
