import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from '../../scripts/repository.mjs';
import { bundled } from '../../scripts/build/bundled.mjs';
import { median } from '../statistics.mjs';

/**
 * What reviewing costs: finding the hunks of one edit in a long file, of 1,000 changed files, undoing those, and the
 * room that copies take over 1,000 commits of this repository, each replayed as one edit.
 */
export async function measureReview({ quick }) {
  const core = await bundled({
    'src/adapters/checkpoints/checkpointStore': ['CheckpointStore'],
    'src/adapters/checkpoints/sessionCheckpoints': ['SessionCheckpoints'],
    'src/adapters/checkpoints/runChanges': ['RunChanges'],
  });
  return [
    ...(await measureHunks(core, quick ? 5 : 15)),
    ...(await measureManyFiles(core)),
    ...(await measureHistory(core, quick ? 50 : 1000)),
  ];
}

const longFile = 10_000;
const manyFiles = 1000;

/** A run in a folder of its own. */
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
    const checkpoint = await session.before(action, paths);
    await change();
    await checkpoint.after();
  };
  try {
    return await work({ folder, store, act, changes: new RunChanges(log, store, (file) => file) });
  } finally {
    await session.dispose();
    store.dispose();
    fs.rmSync(place, { recursive: true, force: true });
  }
}

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
    const measure = 'review, one more edit in a file of 10,000 lines: its hunks, CPU';
    return [{ measure, unit: 'ms', value, aim: 16 }];
  });

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
      { measure: 'review, 1,000 changed files: all hunks, CPU', unit: 'ms', value: first.cpuMs, aim: 300 },
      { measure: 'review, 1,000 changed files: the next look, CPU', unit: 'ms', value: again.cpuMs },
      { measure: 'review, 1,000 changed files: undo, wall clock', unit: 'ms', value: undone.wallMs },
    ];
  });

/** Commits of this repository as edits of tools: what each one changed is written as one action. */
const measureHistory = (core, most) =>
  inRun(core, async ({ folder, store, act }) => {
    const commits = git('rev-list', '--reverse', `--max-count=${most + 1}`, '--no-merges', 'HEAD')
      .trim()
      .split('\n');
    if (commits.length < 2) return [];
    spawnSync('sh', ['-c', `git -C "${root}" archive ${commits[0]} | tar -x -C "${folder}"`]);
    await act('first', () => undefined);
    const before = store.blobs.size();
    let bytes = 0;
    for (const [number, commit] of commits.slice(1).entries()) {
      const parent = commits[number];
      const names = git('diff', '--name-only', '--no-renames', '-z', parent, commit).split('\0').filter(Boolean);
      const write = () => {
        for (const name of names) bytes += writeAsIn(commit, name, path.join(folder, name));
      };
      await act(`commit-${number}`, write, names);
    }
    await store.blobs.flush();
    const grown = (store.blobs.size() - before) / 1e6;
    const name = `copies, ${(commits.length - 1).toLocaleString('en')} commits of this repository as edits`;
    return [
      { measure: `${name}: written by them`, unit: 'MB', value: bytes / 1e6 },
      { measure: `${name}: added to the store`, unit: 'MB', value: grown },
    ];
  });

function writeAsIn(commit, name, file) {
  const { status, stdout } = spawnSync('git', ['show', `${commit}:${name}`], { cwd: root, maxBuffer: 2 ** 28 });
  if (status !== 0) {
    fs.rmSync(file, { force: true, recursive: true });
    return 0;
  }
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, stdout);
  return stdout.length;
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
