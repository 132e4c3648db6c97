// `npm run bench`: what Waymark costs, beside the least possible agent
// (bench/floor.mjs) in the same run. Needs no network.
//   node bench/bench.mjs [--quick] [--host] [--window] [--only steps,flood,…] [--json FILE] [--markdown FILE]
// --quick: fewer and shorter runs, within a minute. --host: also activation, inside a real extension host. --window:
// only what a person feels, in a real VS Code; WAYMARK_BENCH_PARTS=steps,flood picks parts of it, and
// WAYMARK_BENCH_PROFILES names a folder that keeps profiles of the extension host.
// Exit 0 when everything was measured, also where an aim is missed; 1 when a run broke.
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
import { measureOrdinary } from './measures/ordinary.mjs';
import { measurePanel } from './measures/panel.mjs';
import { measureProvenance } from './measures/provenance.mjs';
import { measureReview } from './measures/review.mjs';
import { measureSkills } from './measures/skills.mjs';
import { measureSteps } from './measures/steps.mjs';
import { measureTaint } from './measures/taint.mjs';
import { measureWindow } from './measures/window.mjs';
import { startModel } from './model.mjs';
import { markdownTable, printTable } from './table.mjs';

/** ★ What is measured, in order. The bundles come first, since the others run what they build. */
const measures = {
  bundles: measureBundles,
  steps: measureSteps,
  ordinary: measureOrdinary,
  flood: measureFlood,
  edits: measureEdits,
  checkpoints: measureCheckpoints,
  review: measureReview,
  condense: measureCondense,
  exports: measureExports,
  taint: measureTaint,
  skills: measureSkills,
  provenance: measureProvenance,
  log: measureLog,
  children: measureChildren,
  panel: measurePanel,
  inspector: measureInspector,
  activation: measureActivation,
  window: measureWindow,
};

const {
  values: { quick = false, host = false, window = false, only, json, markdown },
} = parseArgs({
  options: {
    quick: { type: 'boolean' },
    host: { type: 'boolean' },
    window: { type: 'boolean' },
    only: { type: 'string' },
    json: { type: 'string' },
    markdown: { type: 'string' },
  },
});
const { node } = await ensureTools();
if (fs.realpathSync(process.execPath) !== fs.realpathSync(node)) {
  const { status } = spawnSync(node, process.argv.slice(1), { stdio: 'inherit' });
  process.exit(status ?? 1);
}

const needsVsCode = { activation: host, window };
const usual = Object.keys(measures).filter((name) => needsVsCode[name] ?? true);
const wanted = only?.split(',') ?? (window ? ['bundles', 'window'] : usual);
const unknown = wanted.filter((name) => !(name in measures));
if (unknown.length > 0) {
  console.error(`There is no measure ${unknown.join(', ')}. There are: ${Object.keys(measures).join(', ')}.`);
  process.exit(1);
}

// Where it is allowed (root), the run goes before whatever else the machine does.
try {
  os.setPriority(-15);
} catch {
  /* then it shares */
}
const machine = {
  node: process.version,
  cpus: os.cpus().length,
  platform: `${process.platform} ${process.arch}`,
  loadBefore: os.loadavg()[0],
};
console.log(
  `Node ${machine.node}, ${machine.cpus} cores, ${machine.platform}; load before the run ${machine.loadBefore.toFixed(1)}${machine.loadBefore > machine.cpus / 2 ? ' (busy: times are too high)' : ''}\n`,
);
const model = await startModel();
const rows = [];
let broken = 0;
for (const name of wanted) {
  const started = performance.now();
  try {
    const found = await measures[name]({ model, quick });
    rows.push(...found);
    printTable(found, rows.length === found.length);
  } catch (error) {
    broken++;
    const found = error.rows ?? [];
    rows.push(...found);
    printTable(found, rows.length === found.length);
    console.error(`${name} broke: ${error.message}`);
  }
  console.error(`  (${name}: ${((performance.now() - started) / 1000).toFixed(0)} s)`);
}
model.stop();
const aims = rows.filter(({ aim }) => aim !== undefined);
const missed = aims.filter(({ value, aim }) => !(value <= aim));
console.log(
  `\n${aims.length - missed.length} of ${aims.length} aims reached${missed.length > 0 ? `; missed: ${missed.map(({ measure }) => measure).join('; ')}` : ''}. Load after the run ${os.loadavg()[0].toFixed(1)}.`,
);
if (json)
  fs.writeFileSync(json, `${JSON.stringify({ ...machine, loadAfter: os.loadavg()[0], quick, rows }, null, 2)}\n`);
if (markdown) fs.writeFileSync(markdown, markdownTable(rows));
process.exit(broken > 0 ? 1 : 0);
