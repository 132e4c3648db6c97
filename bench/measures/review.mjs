// @ts-check
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../../scripts/repository.mjs';
import { bundled } from '../../scripts/build/bundled.mjs';
import { median } from '../statistics.mjs';

const load = () =>
  bundled({
    'src/adapters/checkpoints/checkpointStore': ['CheckpointStore'],
    'src/adapters/checkpoints/recording/sessionCheckpoints': ['SessionCheckpoints'],
    'src/adapters/checkpoints/restoring/runChanges': ['RunChanges'],
  });

/** @typedef {Awaited<ReturnType<typeof load>>} Modules Modules under test. */

/** Measures reviewing: finding the hunks of one edit in a long file and of 1,000 changed files, and undoing those. */
export async function measureReview({ quick }) {
  const core = await load();
  return [...(await measureHunks(core, quick ? 5 : 15)), ...(await measureManyFiles(core))];
}

/**
 * Replays 1,000 commits of this repository, each as the edits of one step: measures the cost of checkpoints, review and
 * restore, and the size of copies. Throws if a restore produces other files than Git has.
 */
export async function measureHistory({ quick }) {
  const core = await load();
  return replayHistory(core, quick ? 50 : 1000);
}

const longFile = 10_000;
const manyFiles = 1000;

/**
 * Performs a run in its own folder. `act` resolves to the cost of its checkpoint.
 *
 * @param {Modules} modules
 */
async function inRun({ CheckpointStore, SessionCheckpoints, RunChanges }, work) {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-bench-'));
  const folder = path.join(place, 'work');
  fs.mkdirSync(folder);
  const store = new CheckpointStore(path.join(place, 'state'));
  const log = path.join(place, 'run.jsonl');
  const fail = (words) => {
    throw new Error(words);
  };
  const session = new SessionCheckpoints({
    log,
    folders: [folder],
    store,
    resolve: (spelled) => path.resolve(folder, spelled),
    onNotice: fail,
  });
  const act = async (action, change, paths) => {
    let checkpoint;
    const before = await cost(async () => void (checkpoint = await session.before(action, paths)));
    await change();
    const after = await cost(() => checkpoint.after());
    return { cpuMs: before.cpuMs + after.cpuMs, wallMs: before.wallMs + after.wallMs };
  };
  try {
    return await work({ folder, store, act, changes: new RunChanges(log, store, (file) => file) });
  } finally {
    await session.dispose();
    store.dispose();
    fs.rmSync(place, { recursive: true, force: true });
  }
}

/** @param {Modules} core */
const measureHunks = (core, repetitions) =>
  inRun(core, async ({ folder, act, changes }) => {
    const file = path.join(folder, 'long.ts');
    const lines = Array.from({ length: longFile }, (_, line) => `const name${line} = ${line};`);
    const write = () => fs.writeFileSync(file, lines.join('\n'));
    write();
    await act('first', () => undefined);
    const looks = [];
    for (let round = 0; round < repetitions; round++) {
      lines[(round * 611) % longFile] = `const edited${round} = true;`;
      await act(`edit-${round}`, write, ['long.ts']);
      await changes.refresh();
      looks.push(await cost(() => changes.changes()));
    }
    const value = median(looks.map(({ cpuMs }) => cpuMs));
    const measure = 'Review, one more edit in a file of 10,000 lines: hunks, CPU';
    return [{ measure, unit: 'ms', value, aim: 16 }];
  });

/** @param {Modules} core */
const measureManyFiles = (core) =>
  inRun(core, async ({ folder, act, changes }) => {
    const files = Array.from({ length: manyFiles }, (_, number) => path.join(folder, `file${number}.ts`));
    for (const file of files) fs.writeFileSync(file, 'one\ntwo\nthree\n'.repeat(20));
    await act('first', () => undefined);
    await act('all', () => {
      for (const file of files) fs.appendFileSync(file, 'more\n');
    });
    await changes.refresh();
    const first = await cost(() => changes.changes());
    const again = await cost(() => changes.changes());
    const undone = await cost(() => changes.undo({}));
    return [
      { measure: 'Review, 1,000 changed files: all hunks, first time, CPU', unit: 'ms', value: first.cpuMs, aim: 300 },
      { measure: 'Review, 1,000 changed files: all hunks, again, CPU', unit: 'ms', value: again.cpuMs },
      { measure: 'Review, 1,000 changed files: undo, elapsed time', unit: 'ms', value: undone.wallMs },
    ];
  });

/**
 * Replays commits of this repository as edits of tools: the changes of each are one action.
 *
 * @param {Modules} core
 */
const replayHistory = (core, most) =>
  inRun(core, async ({ folder, store, act, changes }) => {
    const commits = git('rev-list', '--reverse', `--max-count=${most + 1}`, '--no-merges', 'HEAD')
      .trim()
      .split('\n');
    if (commits.length < 2) return [];
    const last = commits.length - 1;
    extract(commits[0], folder);
    await act('0', () => undefined);
    const before = store.blobs.size();
    let bytes = 0;
    const costs = [];
    for (const [number, commit] of commits.slice(1).entries()) {
      const names = git('diff', '--name-only', '--no-renames', '-z', commits[number], commit)
        .split('\0')
        .filter(Boolean);
      const write = () => void (bytes += writeAsIn(commit, names, folder));
      costs.push(await act(`${number + 1}`, write, names));
    }
    await store.blobs.flush();
    const grown = (store.blobs.size() - before) / 1e6;
    await changes.refresh();
    const first = await cost(() => changes.changes());
    const again = await cost(() => changes.changes());
    const half = Math.floor(last / 2);
    const after = (step) => ({ includes: (action) => Number(action) > step, respectsKept: false, untilNow: true });
    const restored = async (step) => {
      let undone;
      const spent = await cost(
        async () => void (undone = await changes.undo({}, { scope: after(step), leaveUnkept: true })),
      );
      if (undone.status !== 'done') throw new Error(`Restoring to step ${step} was ${undone.status}.`);
      const unkept = new Set(undone.plan.problems.map((problem) => path.relative(folder, problem.path)));
      const wrong = differing(folder, commits[step]).filter((name) => !unkept.has(name));
      if (wrong.length > 0)
        throw new Error(`After restoring to step ${step}, these files differ from Git: ${wrong.join(', ')}.`);
      return { ...spent, files: undone.plan.restores.length, unkept: unkept.size };
    };
    const toHalf = await restored(half);
    const redone = await cost(() => changes.redo());
    const toBegin = await restored(0);
    const cpu = costs.map(({ cpuMs }) => cpuMs).sort((a, b) => a - b);
    const name = `${last.toLocaleString('en')} commits replayed as steps`;
    const ms = (measure, value, aim) => ({ measure: `${name}: ${measure}`, unit: 'ms', value, ...(aim && { aim }) });
    return [
      ms('checkpoint per step, CPU (median)', median(cpu), 300),
      ms('checkpoint per step, CPU (99th percentile)', cpu[Math.floor(cpu.length * 0.99)], 300),
      ms('all hunks, first time, CPU', first.cpuMs),
      ms('all hunks, again, CPU', again.cpuMs),
      ms(`restore ${toHalf.files.toLocaleString('en')} files to the middle, elapsed time`, toHalf.wallMs),
      ms('undo that restore, elapsed time', redone.wallMs),
      ms(`restore ${toBegin.files.toLocaleString('en')} files to the beginning, elapsed time`, toBegin.wallMs),
      { measure: `${name}: files without a copy`, unit: 'files', value: toBegin.unkept },
      { measure: `${name}: data written by the steps`, unit: 'MB', value: bytes / 1e6 },
      { measure: `${name}: data added to the checkpoint store`, unit: 'MB', value: grown },
    ];
  });

function extract(commit, folder) {
  const { status } = spawnSync('sh', ['-c', `git -C "${root}" archive ${commit} | tar -x -C "${folder}"`]);
  if (status !== 0) throw new Error(`The files of ${commit} could not be written.`);
}

/** Returns the files of a folder whose content differs from that in a commit. */
function differing(folder, commit) {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-bench-'));
  try {
    extract(commit, place);
    const filesIn = (within) =>
      fs
        .readdirSync(within, { recursive: true, encoding: 'utf8' })
        .filter((name) => fs.lstatSync(path.join(within, name)).isFile());
    const read = (within, name) => fs.readFileSync(path.join(within, name), 'latin1');
    const [here, there] = [new Set(filesIn(folder)), new Set(filesIn(place))];
    return [...new Set([...here, ...there])].filter(
      (name) => !here.has(name) || !there.has(name) || read(folder, name) !== read(place, name),
    );
  } finally {
    fs.rmSync(place, { recursive: true, force: true });
  }
}

/** Writes files of a folder as they are in a commit. Returns the number of bytes written. */
function writeAsIn(commit, names, folder) {
  const { stdout } = spawnSync('git', ['cat-file', '--batch'], {
    cwd: root,
    input: names.map((name) => `${commit}:${name}\n`).join(''),
    maxBuffer: 2 ** 28,
  });
  let [at, written] = [0, 0];
  for (const name of names) {
    const file = path.join(folder, name);
    const end = stdout.indexOf('\n', at);
    const size = /^\w+ blob (\d+)$/.exec(stdout.toString('utf8', at, end))?.[1];
    at = end + 1;
    if (size === undefined) {
      fs.rmSync(file, { force: true, recursive: true });
      continue;
    }
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, stdout.subarray(at, at + Number(size)));
    written += Number(size);
    at += Number(size) + 1;
  }
  return written;
}

function git(...args) {
  const { stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
  return stdout ?? '';
}

async function cost(work) {
  const [started, before] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() - started };
}
