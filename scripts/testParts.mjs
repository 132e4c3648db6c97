// Runs bundled test files in several processes in parallel, and sums the figures that scripts/stage/mocha.mjs reports
// for each.
import fs from 'node:fs';
import path from 'node:path';
import { run } from './host/processes.mjs';
import { at, root } from './repository.mjs';

/**
 * Runs each part, a list of files, in its own process, `workers` of them in parallel; returns 1 if one of them failed.
 * The parts of `beside` run one by one in parallel with these. `sourceOf` returns the source of a bundled file,
 * `folder` contains the figures of the running parts; `options` are those of mocha. `env` is added to the environment,
 * and also what `envOf` returns for the worker's number. The output of a part goes to `onOutput` as it arrives, with
 * the number of the part; without `onOutput` it is shown when the part has ended.
 */
export async function runParts(
  parts,
  { workers, beside = [], folder, sourceOf, options = [], env = {}, envOf = () => ({}), onOutput },
) {
  const numbered = [...[...parts, ...beside].entries()];
  const sum = { passes: 0, failures: 0, pending: 0, failing: [], crashed: [], slowest: [], fileMs: {}, fileCpuMs: {} };
  let status = 0;
  const work = async (waiting, worker) => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [number, files] = next;
      const figures = path.join(folder, `part-${number}.json`);
      const { code, output } = await run(process.execPath, [at('scripts/stage/mocha.mjs'), ...options, ...files], {
        cwd: root,
        env: { ...process.env, ...env, ...envOf(worker), WAYMARK_TEST_RESULT: figures },
        onOutput: (text) => onOutput?.(text, number),
      });
      if (!onOutput) process.stdout.write(output);
      if (code !== 0) status = 1;
      const told = readFigures(figures);
      addFigures(sum, told, sourceOf);
      // A process that exited with an error but no failed test crashed: not all of its tests ran.
      if (code !== 0 && !told.failures) sum.crashed.push(crashOf(files, told, { code, sourceOf }));
      writeFigures(sum);
    }
  };
  const [first, others] = [numbered.slice(0, parts.length), numbered.slice(parts.length)];
  await Promise.all([work(others, workers), ...Array.from({ length: workers }, (_, worker) => work(first, worker))]);
  return status;
}

/** Returns the file that could not be loaded, or all files of the process if it ended later: { file, error }. */
const crashOf = (files, { unloaded }, { code, sourceOf }) =>
  unloaded
    ? { file: sourceOf(unloaded.file), error: unloaded.error }
    : { file: files.map(sourceOf).join(', '), error: `The process ended with exit code ${code}.` };

/** Returns what the test process reported; nothing if it ended before it could. */
const readFigures = (file) => (fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {});

function writeFigures(sum) {
  const file = process.env.WAYMARK_TEST_RESULT;
  if (file) fs.writeFileSync(file, JSON.stringify(sum));
}

function addFigures(sum, told, sourceOf) {
  for (const name of ['passes', 'failures', 'pending']) sum[name] += told[name] ?? 0;
  sum.failing.push(...(told.failing ?? []).map((test) => ({ ...test, file: sourceOf(test.file) })));
  for (const name of ['fileMs', 'fileCpuMs']) {
    for (const [file, ms] of Object.entries(told[name] ?? {})) sum[name][sourceOf(file)] = ms;
  }
  sum.slowest = [...sum.slowest, ...(told.slowest ?? [])].sort((a, b) => b.ms - a.ms).slice(0, 20);
}
