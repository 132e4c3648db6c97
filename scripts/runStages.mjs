import { seconds } from './host/report.mjs';
import { figuresOf, runStage, tryAgain } from './stage/runStage.mjs';

/** Maximum number of characters shown of a failed check's output. */
const MOST_SHOWN = 4000;
/**
 * Lanes that run in parallel. For two cores: pure computation runs together, an extension host leaves one core to
 * stages that need no more, and stages with windows have the machine to themselves.
 */
const LANES = [[1, 2], [3, 4], [5]];

/**
 * Runs stages in their lanes and prints the result of each. `options`: those of `runStage`. The last line counts what
 * really ran, however this process ends: also if it is interrupted or a stage could not start. Resolves to whether
 * everything passed.
 */
export async function runStages(stages, { strict = false, ...options }) {
  const started = Date.now();
  const results = new Map();
  const begun = new Set();
  const tellCutOff = () => closeCutOff(stages, { results, begun, started, root: options.root });
  process.once('exit', tellCutOff);

  const lane = async (number) => {
    for (const stage of stages.filter((candidate) => candidate.lane === number)) {
      begun.add(stage.name);
      const missing = stage.needs && !results.get(stage.needs)?.ok;
      const result = missing
        ? notRun(stage, `Not run, because ${stage.needs} failed.\n`)
        : await runStage(stage, options).catch((error) => notRun(stage, `${error.stack}\n`));
      results.set(stage.name, result);
      show(result);
    }
  };
  for (const beside of LANES) await Promise.all(beside.map(lane));
  if (!strict) {
    for (const stage of stages) {
      const before = results.get(stage.name);
      const result = await tryAgain(stage, before, options);
      results.set(stage.name, result);
      if (result !== before) show(result);
    }
  }
  process.off('exit', tellCutOff);
  return close([...results.values()], started);
}

const notRun = ({ name }, output) => ({
  name,
  ok: false,
  passed: 0,
  failed: 1,
  skipped: 0,
  ms: 0,
  slowest: [],
  crashed: [],
  failing: [],
  output,
});

const sum = (all, key) => all.reduce((total, result) => total + result[key], 0);

/** Prints the last lines; returns whether everything passed. */
function close(all, started) {
  const slowest = all.flatMap((result) => result.slowest).sort((a, b) => b.ms - a.ms);
  if (slowest.length > 0) console.log('\nThe slowest tests:');
  for (const { name, ms } of slowest.slice(0, 20)) console.log(`${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`);
  const flaky = all.flatMap((result) => result.flaky ?? []);
  if (flaky.length > 0)
    console.log('\nFlaky (failed once, passed alone), which is a defect of the test or of what it tests:');
  for (const name of flaky) console.log(`  ${name}`);
  const crashed = all.flatMap((result) => result.crashed);
  if (crashed.length > 0) console.log('\nTest files that did not run to the end:');
  for (const { file, error } of crashed) console.log(`  ${file}\n${shortened(error)}`);
  const failing = all.filter((result) => !result.ok).flatMap((result) => result.failing);
  if (failing.length > 0) console.log('\nFailed tests:');
  for (const { name, file, error } of failing) console.log(`  ${name}  ${file}\n${shortened(error)}`);
  const bad = all.filter((result) => !result.ok).map((result) => result.name);
  console.log(`\n${bad.length > 0 ? `Failed: ${bad.join(', ')}` : 'All stages passed'}, ${seconds(started)}`);
  if (sum(all, 'passed') + sum(all, 'failed') === 0) console.log('No test matched.');
  console.log(`${sum(all, 'passed')} passed, ${sum(all, 'failed')} failed`);
  return bad.length === 0 && sum(all, 'failed') === 0;
}

/** Prints the last lines if this process is interrupted: counts the finished tests, also of a running stage. */
function closeCutOff(stages, { results, begun, started, root }) {
  const names = stages.map(({ name }) => name).filter((name) => !results.has(name));
  const atWork = names.filter((name) => begun.has(name));
  const waiting = names.filter((name) => !begun.has(name));
  const parts = atWork.map((name) => figuresSoFar(name, root));
  const passed = sum([...results.values()], 'passed') + sum(parts, 'passes');
  const failed = sum([...results.values()], 'failed') + sum(parts, 'failures');
  console.log(`\nCut off after ${seconds(started)}`);
  if (atWork.length > 0) console.log(`Not run to the end: ${atWork.join(', ')}`);
  if (waiting.length > 0) console.log(`Not run: ${waiting.join(', ')}`);
  // An interrupted run is not a success, even if everything that ran passed.
  console.log(`${passed} passed, ${Math.max(failed, 1)} failed`);
}

/** A file that is being written at this moment is skipped. */
function figuresSoFar(name, root) {
  try {
    return figuresOf(name, root);
  } catch {
    return { passes: 0, failures: 0 };
  }
}

/** Prints the result of a stage in a few lines; the full log is in out/stages. */
function show({ name, ok, passed, failed, skipped, ms, output, crashed, failing }) {
  const counts =
    passed + failed + skipped > 0
      ? `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
      : '';
  console.log(
    `${ok ? 'ok  ' : 'FAIL'}  ${name.padEnd(13)} ${(ms / 1000).toFixed(1).padStart(6)} s  ${counts}`.trimEnd(),
  );
  if (ok) return;
  for (const { file } of crashed) console.log(`        did not run to the end: ${file}`);
  for (const test of failing) console.log(`        ${test.name}`);
  if (crashed.length + failing.length === 0) console.log(output.trim().slice(-MOST_SHOWN));
  console.log(`        The whole output: out/stages/${name}.log`);
}

/** The first lines of an error, indented. */
function shortened(error) {
  return error.split('\n').slice(0, 8).join('\n').replace(/^/gm, '    ');
}
