// `npm test`: fetches what is missing, then runs every check there is. Everything that can run does, so one run tells
// all that is wrong. A test that fails runs once more at the end, alone; when it passes then, it is listed as flaky
// and, but with --strict, does not fail the run.
//   npm test -- [--only types,unit] [--grep TEXT] [--strict] [folder or file of tests …]
import { parseArgs } from 'node:util';
import { ensurePackages } from './host/packages.mjs';
import { ensureChromium } from './host/chromium.mjs';
import { ensureTools } from './host/tools.mjs';
import { seconds } from './host/report.mjs';
import { root } from './repository.mjs';
import { runStage, tryAgain } from './runStage.mjs';
import { chooseStages } from './stages.mjs';

/** Characters of the output of a check that failed. */
const MOST_SHOWN = 4000;
const started = Date.now();
process.on('uncaughtException', (error) => {
  console.error(error.message);
  console.log('0 passed, 1 failed');
  process.exit(1);
});

const {
  values: { only = '', grep, strict = false },
  positionals: places,
} = parseArgs({
  options: { only: { type: 'string' }, grep: { type: 'string' }, strict: { type: 'boolean' } },
  allowPositionals: true,
});
const stages = chooseStages(only.split(',').filter(Boolean), places);
const [{ node }] = await Promise.all([ensureTools(), ensureChromium(), ensurePackages(root)]);

const results = new Map();
const lane = async (number) => {
  for (const stage of stages.filter((candidate) => candidate.lane === number)) {
    const missing = stage.needs && !results.get(stage.needs)?.ok;
    const result = missing
      ? {
          name: stage.name,
          ok: false,
          passed: 0,
          failed: 1,
          skipped: 0,
          ms: 0,
          output: `Not run, because ${stage.needs} failed.\n`,
        }
      : await runStage(stage, { root, node, grep });
    results.set(stage.name, result);
    show(result);
  }
};
// Two cores: what only thinks runs side by side, an extension host leaves one of them to what needs no more, and what
// drives a window has the machine for itself.
await Promise.all([lane(1), lane(2)]);
await Promise.all([lane(3), lane(4)]);
await lane(5);
if (!strict) {
  for (const stage of stages) {
    const first = results.get(stage.name);
    const result = await tryAgain(stage, first, { root, node, grep });
    results.set(stage.name, result);
    if (result !== first) show(result);
  }
}

const all = [...results.values()];
const sum = (key) => all.reduce((total, result) => total + result[key], 0);
const slowest = all.flatMap((result) => result.slowest ?? []).sort((a, b) => b.ms - a.ms);
if (slowest.length > 0) console.log('\nThe slowest tests:');
for (const { name, ms } of slowest.slice(0, 20)) console.log(`${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`);
const flaky = all.flatMap((result) => result.flaky ?? []);
if (flaky.length > 0)
  console.log('\nFlaky (failed once, passed alone), which is a defect of the test or of what it tests:');
for (const name of flaky) console.log(`  ${name}`);
const failing = all.filter((result) => !result.ok).flatMap((result) => result.failing ?? []);
if (failing.length > 0) console.log('\nFailed tests:');
for (const { name, file, error } of failing) console.log(`  ${name}  ${file}\n${shortened(error)}`);
const bad = all.filter((result) => !result.ok).map((result) => result.name);
console.log(`\n${bad.length > 0 ? `Failed: ${bad.join(', ')}` : 'All stages passed'}, ${seconds(started)}`);
if (sum('passed') + sum('failed') === 0) console.log('No test matched.');
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
process.exit(bad.length > 0 || sum('failed') > 0 ? 1 : 0);

/** What came of a stage, in few lines: a log of the whole is kept in out/stages. */
function show({ name, ok, passed, failed, skipped, ms, output, failing = [] }) {
  const counts =
    passed + failed + skipped > 0
      ? `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
      : '';
  console.log(
    `${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(13)} ${(ms / 1000).toFixed(1).padStart(6)} s  ${counts}`.trimEnd(),
  );
  if (ok) return;
  for (const test of failing) console.log(`        ${test.name}`);
  if (failing.length === 0) console.log(output.trim().slice(-MOST_SHOWN));
  console.log(`        The whole output: out/stages/${name}.log`);
}

/** The first lines of an error, indented. */
function shortened(error) {
  return error.split('\n').slice(0, 8).join('\n').replace(/^/gm, '    ');
}
