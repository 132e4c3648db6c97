// `npm run bench`: what Waymark costs, compared to a minimal agent (bench/floor.mjs) in the same run. Needs no network.
//   node bench/bench.mjs [--quick] [--host] [--window] [--only steps,window-flood,…] [--continue] [--within MINUTES] [--json FILE]
// --quick: fewer and shorter runs. --host: also activation, inside a real extension host. --window: only what users
// notice, in a real VS Code; WAYMARK_BENCH_PROFILES names a folder for profiles of the extension host. --only selects
// parts. Each part is saved in FILE (out/bench/results.json) as soon as it has ended; --continue measures only what is
// missing there for this commit. --within: no part starts after this many minutes. `node
// scripts/tables/performance.mjs` then fills the tables of docs/performance.md.
// Exit code 0 if everything was measured, even if a target was missed; 1 if a part failed.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { ensureTools } from '../scripts/host/tools.mjs';
import { measureActivation } from './measures/activation.mjs';
import { measureBundles } from './measures/bundles.mjs';
import { measureCheckpoints } from './measures/checkpoints.mjs';
import { measureChildren } from './measures/children.mjs';
import { measureCondense } from './measures/condense.mjs';
import { measureEdits } from './measures/edits.mjs';
import { measureExports } from './measures/exports.mjs';
import { measureFlood } from './measures/flood.mjs';
import { measureInspector } from './measures/inspector.mjs';
import { measureLog } from './measures/log.mjs';
import { measureMentions } from './measures/mentions.mjs';
import { measureNodes } from './measures/nodes.mjs';
import { measureOrdinary } from './measures/ordinary.mjs';
import { measurePanel } from './measures/panel.mjs';
import { measureProvenance } from './measures/provenance.mjs';
import { measureHistory, measureReview } from './measures/review.mjs';
import { measureSkills } from './measures/skills.mjs';
import { measureSteps } from './measures/steps.mjs';
import { measureTaint } from './measures/taint.mjs';
import { sharedWindow, windowMeasures } from './measures/window.mjs';
import { startModel } from './model.mjs';
import { commitNow, keepResult, readResults, usualResults } from './results.mjs';
import { isMissed, printTable } from './table.mjs';

/** ★ What is measured, in order. The bundles come first, since the others run what they build. */
const measures = {
  bundles: measureBundles,
  steps: measureSteps,
  ordinary: measureOrdinary,
  nodes: measureNodes,
  flood: measureFlood,
  edits: measureEdits,
  checkpoints: measureCheckpoints,
  review: measureReview,
  history: measureHistory,
  condense: measureCondense,
  exports: measureExports,
  taint: measureTaint,
  mentions: measureMentions,
  skills: measureSkills,
  provenance: measureProvenance,
  log: measureLog,
  children: measureChildren,
  panel: measurePanel,
  inspector: measureInspector,
  activation: measureActivation,
  ...windowMeasures,
};

/** In minutes: a part that takes longer is aborted, so that the others are measured. */
const longestPart = 8;

const {
  values: {
    quick = false,
    host = false,
    window = false,
    only,
    continue: goesOn = false,
    within = 'Infinity',
    json: file = usualResults,
  },
} = parseArgs({
  options: {
    quick: { type: 'boolean' },
    host: { type: 'boolean' },
    window: { type: 'boolean' },
    only: { type: 'string' },
    continue: { type: 'boolean' },
    within: { type: 'string' },
    json: { type: 'string' },
  },
});
const { node } = await ensureTools();
if (fs.realpathSync(process.execPath) !== fs.realpathSync(node)) {
  const { status } = spawnSync(node, process.argv.slice(1), { stdio: 'inherit' });
  process.exit(status ?? 1);
}

const ofWindow = Object.keys(windowMeasures);
const usual = Object.keys(measures).filter((name) => !ofWindow.includes(name) && (host || name !== 'activation'));
const wanted = only?.split(',') ?? (window ? ['bundles', ...ofWindow] : usual);
const unknown = wanted.filter((name) => !(name in measures));
if (unknown.length > 0) {
  console.error(`There is no measure ${unknown.join(', ')}. Measures: ${Object.keys(measures).join(', ')}.`);
  process.exit(1);
}

// If permitted (root), the run gets a higher priority than other processes, unless it was started to yield to them.
try {
  if (os.getPriority() <= 0) os.setPriority(-15);
} catch {
  /* not permitted: normal priority */
}
const machine = {
  commit: commitNow(),
  node: process.version,
  cpus: os.cpus().length,
  platform: `${process.platform} ${process.arch}`,
  quick,
};
const loadNow = () => os.loadavg()[0];
const isBusy = loadNow() > machine.cpus / 2;
console.log(
  `Node ${machine.node}, ${machine.cpus} cores, ${machine.platform}; load before the run ${loadNow().toFixed(1)}${isBusy ? ' (busy: times are higher than usual)' : ''}\n`,
);

const known = readResults(file);
/** The first part builds the bundles, and existing ones may be from another commit. */
const isKnown = (name) =>
  goesOn &&
  name !== 'bundles' &&
  known[name]?.commit === machine.commit &&
  known[name].quick === quick &&
  known[name].problem === undefined;
const model = await startModel();
const shared = sharedWindow(model);
const began = performance.now();
const rows = [];
const broken = [];
const leftOut = [];
for (const name of wanted) {
  if (isKnown(name)) continue;
  if (performance.now() - began > within * 60_000) {
    leftOut.push(name);
    continue;
  }
  const load = loadNow();
  const started = performance.now();
  const found = await inTime(measures[name]({ model, quick, shared })).catch((error) => ({
    rows: error.rows ?? [],
    problem: error.message,
  }));
  const result = Array.isArray(found) ? { rows: found } : found;
  const seconds = (performance.now() - started) / 1000;
  keepResult(file, name, { takenAt: new Date().toISOString(), ...machine, load, seconds, ...result });
  rows.push(...result.rows);
  printTable(result.rows, rows.length === result.rows.length);
  if (result.problem !== undefined) {
    broken.push(name);
    console.error(`${name} failed: ${result.problem}`);
    // The next part gets a new window without leftovers of this one.
    await shared.close();
  }
  console.error(`  (${name}: ${seconds.toFixed(0)} s)`);
}
await shared.close();
model.stop();

const aims = rows.filter(({ aim }) => aim !== undefined);
const missed = aims.filter(isMissed);
const names = (list) => list.map(({ measure }) => measure).join('; ');
console.log(
  `\n${aims.length - missed.length} of ${aims.length} targets met${missed.length > 0 ? `; missed: ${names(missed)}` : ''}. Load after the run ${loadNow().toFixed(1)}; ${((performance.now() - began) / 60_000).toFixed(1)} minutes.`,
);
if (leftOut.length > 0) console.log(`Skipped for lack of time: ${leftOut.join(', ')}. Measure them with --continue.`);
process.exit(broken.length > 0 ? 1 : 0);

async function inTime(part) {
  let timer;
  const tooLong = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`It was aborted after ${longestPart} minutes.`)), longestPart * 60_000);
  });
  try {
    return await Promise.race([part, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}
