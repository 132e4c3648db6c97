// One run of one agent against the loopback model, and what it cost.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { at } from '../scripts/repository.mjs';

const longestRunMs = 120_000;

/** The two that are compared. Both run under the same Node and see the same environment. */
export const agents = {
  floor: ({ baseUrl, home }) => [at('bench/floor.mjs'), baseUrl, path.join(home, 'log.jsonl'), 'Do the steps.'],
  waymark: ({ baseUrl, home }) => [
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
    '--log',
    path.join(home, 'log.jsonl'),
  ],
};

/**
 * Runs `agent` in a fresh folder through `calls` (see model.mjs): { startMs, gaps, firstBytes, rssMb }. `startMs` is
 * from the start of the process to its first request; `gaps` are milliseconds per step; `rssMb` is the peak of the
 * process and of the children that live with it (undefined where there is no /proc). `prepare(work)` fills the folder,
 * `check(work)` throws when the work is not done.
 */
export async function runAgent(agent, model, calls, { prepare, check } = {}) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-bench-'));
  const [home, work] = ['home', 'work'].map((name) => path.join(root, name));
  for (const folder of [home, work]) fs.mkdirSync(folder);
  try {
    prepare?.(work);
    let rssMb;
    const play = model.play(calls, () => {
      rssMb = peakMb(child.pid);
    });
    const { PATH, LANG = 'C.UTF-8' } = process.env;
    const started = performance.now();
    const child = spawn(process.execPath, agents[agent]({ baseUrl: model.baseUrl, home }), {
      cwd: work,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        PATH,
        LANG,
        HOME: home,
        XDG_STATE_HOME: home,
        TMPDIR: root,
        NODE_COMPILE_CACHE: compileCache(),
        SHELL: '/bin/bash',
      },
    });
    const { code, complaint } = await ended(child);
    if (code !== 0 || !play.done || play.problem)
      throw new Error(
        `${agent} failed: ${play.problem ?? `exit ${code} after ${play.requestBytes.length} of ${calls.length + 1} requests`}. ${complaint.trim()}`,
      );
    check?.(work);
    return { startMs: play.firstAt - started, gaps: play.gaps, firstBytes: play.requestBytes[0], rssMb };
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}

/** One for all runs: Node keeps compiled code there, as it does on a person's machine from the second start on. */
let cache;
function compileCache() {
  if (!cache) {
    cache = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-bench-cache-'));
    process.once('exit', () => fs.rmSync(cache, { recursive: true, force: true }));
  }
  return cache;
}

function ended(child) {
  let complaint = '';
  child.stderr.on('data', (bytes) => {
    complaint = (complaint + bytes).slice(-2000);
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), longestRunMs);
  return new Promise((resolve, reject) =>
    child.on('error', reject).on('close', (code, signal) => {
      clearTimeout(timer);
      resolve({ code: code ?? signal, complaint });
    }),
  );
}

/**
 * The most memory that a process and its living descendants each held so far, in MB;
 * undefined where the system does not tell.
 */
function peakMb(pid) {
  try {
    const own = Number(/^VmHWM:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
    const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
    return children.reduce((sum, child) => sum + (peakMb(child) ?? 0), own);
  } catch {
    return undefined;
  }
}
