// @ts-check
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { median } from '../statistics.mjs';
import { bundled } from '../../scripts/build/bundled.mjs';

/** Modules under test. */
const load = () =>
  bundled({
    'src/adapters/files/workspacePaths': ['createWorkspacePaths'],
    'src/adapters/search/fileNames': ['fileNames'],
    'src/core/context/bestMatches': ['bestMatchesInSlices'],
    'src/core/risk/pathRules': ['matchingRules', 'secretReads'],
  });

const filesPerFolder = 20;

/**
 * Measures what typing `@` costs in a big workspace: listing its files, and finding the best of them for each key. Both
 * run on the thread that all extensions share.
 */
export async function measureMentions({ quick }) {
  const count = quick ? 10_000 : 100_000;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-bench-'));
  try {
    const { createWorkspacePaths, fileNames, bestMatchesInSlices, matchingRules, secretReads } = await load();
    fill(folder, count);
    const paths = createWorkspacePaths([fs.realpathSync(folder)]);
    const list = () => fileNames(paths, { folders: [folder] });
    const names = await list();
    if (names.length !== count) throw new Error(`${names.length} of ${count} files were listed.`);
    const accepts = (name) => matchingRules(name, secretReads).length === 0;
    const find = (query) => bestMatchesInSlices(names, query, { nameOf: (name) => name, most: 20, accepts });
    const keys = ['f', 'fi', 'fil', 'file', 'file9', 'file99', 'part7/', 'nothing'];
    const listed = /** @type {Timed[]} */ ([]);
    const found = /** @type {Timed[]} */ ([]);
    for (let round = 0; round < (quick ? 2 : 5); round++) {
      listed.push(await timed(list));
      for (const key of keys) found.push(await timed(() => find(key)));
    }
    /** @type {(times: Timed[], what: string, aim: { aim?: number }) => object[]} */
    const rows = (times, what, aim) => [
      { measure: `${what} (median)`, unit: 'ms', ...aim, value: median(times.map(({ ms }) => ms)) },
      { measure: `${what}, longest block`, unit: 'ms', aim: 50, value: Math.max(...times.map(({ block }) => block)) },
    ];
    const name = `Mentions, ${count.toLocaleString('en')} files`;
    return [
      ...rows(listed, `${name}: list them`, {}),
      ...rows(found, `${name}: suggest files after a key`, { aim: 100 }),
    ];
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** @typedef {{ ms: number, block: number }} Timed How long work took, and for how long it blocked the thread at most. */

/** @returns {Promise<Timed>} */
async function timed(work) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const began = performance.now();
  await work();
  const ms = performance.now() - began;
  await new Promise((resolve) => setTimeout(resolve, 5));
  delay.disable();
  return { ms, block: delay.max / 1e6 };
}

function fill(folder, count) {
  for (let at = 0; at < count; at++) {
    const place = path.join(folder, `part${Math.floor(at / 1000)}`, `folder${Math.floor(at / filesPerFolder)}`);
    if (at % filesPerFolder === 0) fs.mkdirSync(place, { recursive: true });
    fs.writeFileSync(path.join(place, `file${at}.ts`), 'export {};\n');
  }
}
