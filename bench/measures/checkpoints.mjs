// @ts-check
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { median } from '../statistics.mjs';
import { cpuTime } from '../../scripts/stage/cpuTime.mjs';
import { bundled } from '../../scripts/build/bundled.mjs';

/** Modules under test. */
const load = () =>
  bundled({
    'src/adapters/checkpoints/checkpointStore': ['CheckpointStore'],
    'src/adapters/checkpoints/recording/sessionCheckpoints': ['SessionCheckpoints'],
  });

/** @typedef {Awaited<ReturnType<typeof load>>} Modules Modules under test. */

/**
 * Measures checkpoints: the first scan of a folder, the scan at each step, many changes at once, and the size of
 * copies.
 */
export async function measureCheckpoints({ quick }) {
  const core = await load();
  const sizes = quick ? [60, 2000] : [60, 2000, 100_000];
  const rows = [];
  for (const files of sizes) rows.push(...(await measureFolder(core, files, quick ? 5 : 11)));
  return rows;
}

const filesPerFolder = 20;
const aims = new Map([[100_000, { first: 5000, step: 300 }]]);

/** @param {Modules} modules */
async function measureFolder({ CheckpointStore, SessionCheckpoints }, files, repetitions) {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-bench-'));
  const work = path.join(place, 'work');
  const state = path.join(place, 'state');
  const name = `Checkpoints, ${files.toLocaleString('en')} files`;
  try {
    fill(work, files);
    const store = new CheckpointStore(state);
    const begun = (log) =>
      new SessionCheckpoints({
        log: path.join(place, log),
        folders: [work],
        store,
        resolve: (spelled) => path.resolve(work, spelled),
        onNotice: (words) => {
          throw new Error(words);
        },
      });
    const session = begun('first.jsonl');
    const act = async (action, change) => {
      const checkpoint = await session.before(action);
      change();
      await checkpoint.after();
    };
    const first = await cost(() => store.index(fs.realpathSync(work)).scan());
    await act('warm', () => undefined);
    const steps = [];
    for (let at = 0; at < repetitions; at++) steps.push(await cost(() => act(`step-${at}`, () => undefined)));
    const rows = [
      { measure: `${name}: first scan, CPU`, unit: 'ms', value: first.cpuMs, aim: aims.get(files)?.first },
      {
        measure: `${name}: scans before and after a command, CPU`,
        unit: 'ms',
        value: median(steps.map(({ cpuMs }) => cpuMs)),
        aim: aims.get(files)?.step,
      },
      { measure: `${name}: copies on disk`, unit: 'MB', value: store.blobs.size() / 1e6 },
    ];
    if (files >= 2000) {
      const change = () => {
        for (let at = 0; at < 1000; at++) fs.appendFileSync(fileAt(work, at), 'more\n');
      };
      const changing = await cost(change);
      const changed = await cost(() => act('many', change));
      rows.push({
        measure: `${name}: 1,000 files changed, CPU`,
        unit: 'ms',
        aim: 300,
        value: changed.cpuMs - changing.cpuMs,
      });
    }
    store.dispose();
    const again = new CheckpointStore(state);
    const known = await cost(() => again.index(fs.realpathSync(work)).scan());
    rows.push({ measure: `${name}: first scan of the next session, CPU`, unit: 'ms', value: known.cpuMs });
    again.dispose();
    return rows;
  } finally {
    fs.rmSync(place, { recursive: true, force: true });
  }
}

async function cost(work) {
  const [started, before, childrenBefore] = [performance.now(), process.cpuUsage(), cpuTime().children];
  await work();
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000 + cpuTime().children - childrenBefore, wallMs: performance.now() - started };
}

const fileAt = (work, at) =>
  path.join(work, `part${Math.floor(at / 1000)}`, `folder${Math.floor(at / filesPerFolder)}`, `file${at}.ts`);

/** Writes files of about 4 KB that resemble sources: with recurring words, but all different. */
function fill(work, files) {
  const words = 'export const value return function if else import from type readonly string number await'.split(' ');
  let seed = 1;
  const next = () => (seed = (seed * 48_271) % 2_147_483_647);
  for (let at = 0; at < files; at++) {
    const file = fileAt(work, at);
    if (at % filesPerFolder === 0) fs.mkdirSync(path.dirname(file), { recursive: true });
    const lines = Array.from(
      { length: 60 },
      () => `${words[next() % words.length]} name${next() % 9999} = ${words[next() % words.length]}(${next()});`,
    );
    fs.writeFileSync(file, `${lines.join('\n')}\n`);
  }
  // Files written just now would be read again at the next scan.
  const earlier = new Date(Date.now() - 60_000);
  for (let at = 0; at < files; at++) fs.utimesSync(fileAt(work, at), earlier, earlier);
}
