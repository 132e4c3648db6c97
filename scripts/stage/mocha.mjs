// Runs bundled test files with mocha. If WAYMARK_TEST_RESULT names a file, saves the figures there, starting with the
// first test, so that an interrupted run shows how far it got: mocha's stats, `slowest`: [{ name, ms }], `fileMs`: {
// file: ms }, `failing`: [{ name, file, error }]; if a file cannot be loaded, only `unloaded`: { file, error }. If
// WAYMARK_TEST_CASES names a file, saves the result of each test: [{
// path: ["suite", "test"], state: "passed" | "failed" | "pending", error? }].
//   node scripts/stage/mocha.mjs [--grep TEXT] FILE …
import Mocha from 'mocha';
import fs from 'node:fs';
import { SourceMap } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cpuTime } from './cpuTime.mjs';

// It applies to this process; what tests start gets the environment that they set.
delete process.env.NODE_COMPILE_CACHE;
// Keeps the developer's own data out of tests, and test data out of theirs.
process.env.XDG_STATE_HOME = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-state-'));
process.once('exit', () => fs.rmSync(process.env.XDG_STATE_HOME, { recursive: true, force: true }));

const { values, positionals } = parseArgs({ options: { grep: { type: 'string' } }, allowPositionals: true });
const mocha = new Mocha({
  ui: 'bdd',
  timeout: 120_000,
  forbidOnly: true,
  reporter: process.env.MOCHA_REPORTER ?? 'dot',
  ...(values.grep && { grep: values.grep }),
});
for (const file of positionals) mocha.addFile(file);
const resultFile = process.env.WAYMARK_TEST_RESULT;
let loading = '';
mocha.suite.on('pre-require', (_context, file) => {
  loading = file;
});
await mocha.loadFilesAsync().catch((thrown) => {
  const error = inSources(String(thrown?.stack ?? thrown));
  console.error(`${loading} cannot be loaded.\n${error}`);
  if (resultFile) fs.writeFileSync(resultFile, JSON.stringify({ unloaded: { file: loading, error } }));
  process.exit(1);
});
const cases = [];
/** Duration of tests and hooks in ms, by name of the test. */
const durations = [];
/** Duration of all tests and hooks of a file, in ms. */
const fileMs = {};
/** CPU time for them in ms, in this process and in children that it waited for; Linux only. */
const fileCpuMs = {};
let cpuMsBefore = cpuMs();
const failing = [];
const keepFigures = () => {
  if (!resultFile) return;
  const slowest = durations.toSorted((a, b) => b.ms - a.ms).slice(0, 20);
  fs.writeFileSync(resultFile, JSON.stringify({ ...runner.stats, slowest, fileMs, fileCpuMs, failing }));
};
const runner = mocha.run((failures) => {
  if (process.env.WAYMARK_TEST_CASES) fs.writeFileSync(process.env.WAYMARK_TEST_CASES, JSON.stringify(cases));
  keepFigures();
  // A handle that a test left open must not keep the run alive.
  process.exit(failures > 0 ? 1 : 0);
});
for (const [event, state] of [
  ['pass', 'passed'],
  ['fail', 'failed'],
  ['pending', 'pending'],
]) {
  runner.on(event, (test, error) =>
    cases.push({ path: test.titlePath(), state, ...(error && { error: error.message }) }),
  );
}

// Before the reporter, which prints the stack.
runner.prependListener('fail', (test, error) => {
  if (error.stack) error.stack = inSources(error.stack);
  failing.push({
    name: test.titlePath().join(' › '),
    file: test.file ?? '',
    error: String(error.stack ?? error.message).slice(0, 1500),
  });
});

const keepDuration = (runnable) => {
  const { duration = 0, file = '' } = runnable;
  const cpuMsNow = cpuMs();
  fileCpuMs[file] = (fileCpuMs[file] ?? 0) + cpuMsNow - cpuMsBefore;
  cpuMsBefore = cpuMsNow;
  if (duration === 0) return;
  durations.push({ name: runnable.titlePath().join(' › '), ms: duration });
  fileMs[file] = (fileMs[file] ?? 0) + duration;
};
runner.on('hook end', keepDuration);

let keptAt = 0;
runner.on('test end', (test) => {
  keepDuration(test);
  if (Date.now() - keptAt < 1000) return;
  keptAt = Date.now();
  keepFigures();
});

function cpuMs() {
  const { own, children } = cpuTime();
  return own + children;
}

/**
 * Returns a stack with positions in the sources instead of the bundles. Node can do that itself, but then it reads the
 * source map of everything it loads, and maps every stack that is accessed.
 */
function inSources(stack) {
  const maps = new Map();
  const mapOf = (file) => {
    if (!maps.has(file)) maps.set(file, readMap(file));
    return maps.get(file);
  };
  return stack.replace(/(file:\/\/[^\s():]+):(\d+):(\d+)/g, (place, url, line, column) => {
    const file = fileURLToPath(url);
    const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (!entry?.originalSource) return place;
    const source = path.resolve(path.dirname(file), entry.originalSource);
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  });
}

function readMap(file) {
  if (!fs.existsSync(`${file}.map`)) return undefined;
  return new SourceMap(JSON.parse(fs.readFileSync(`${file}.map`, 'utf8')));
}
