import fs from 'node:fs';
import path from 'node:path';
import { run } from '../host/processes.mjs';

// A slow machine may take any time, but a stage without output for this long is stuck.
const SILENCE_MS = 10 * 60_000;

/**
 * Runs one stage of the repository at `root`: { name, ok, passed, failed, skipped, ms, slowest, crashed, failing, output
 * }. A stage of tests that ran none is not ok. A failed check counts as one failed test, and so does each of `crashed`,
 * the test files that did not run to the end: [{ file, error }]. A command that prints nothing for `silenceMs` is killed;
 * the tests it finished are counted. `failing` names every failed test; it is empty if the names are not known.
 */
export async function runStage({ name, commands, tests = false }, options) {
  const { root, node, grep, silenceMs = SILENCE_MS, env: given = {} } = options;
  const started = Date.now();
  const resultFile = resultFileOf(name, root);
  const folder = path.dirname(resultFile);
  fs.mkdirSync(folder, { recursive: true });
  fs.rmSync(resultFile, { force: true });
  const env = { ...process.env, ...given, WAYMARK_TEST_RESULT: resultFile };
  let output = '';
  let ok = true;
  for (const [script, ...args] of commands) {
    const chosen = tests && grep ? ['--grep', grep] : [];
    const ran = await run(node, [path.join(root, script), ...args, ...chosen], { cwd: root, env, silenceMs });
    output += ran.output;
    ok &&= ran.code === 0;
  }
  const { passes, failures, pending, slowest = [], failing = [], crashed = [] } = figuresOf(name, root);
  if (tests && passes + failures === 0 && !grep) {
    ok = false;
    output += '\nNo test of this stage ran.\n';
  }
  fs.writeFileSync(path.join(folder, `${name}.log`), output);
  return {
    name,
    ok: ok && failures === 0,
    passed: passes,
    failed: Math.max(failures + crashed.length, ok ? 0 : 1),
    skipped: pending,
    ms: Date.now() - started,
    slowest,
    crashed,
    failing: failing.length === failures ? failing : [],
    output,
  };
}

const resultFileOf = (name, root) => path.join(root, 'out/stages', `${name}.json`);

/** Returns the current figures of a stage's tests, as its commands wrote them. */
export function figuresOf(name, root) {
  const file = resultFileOf(name, root);
  const figures = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
  return { passes: 0, failures: 0, pending: 0, ...figures };
}

/** More failed tests than this are not a transient problem. */
export const MOST_TRIED_AGAIN = 8;

/**
 * Runs the files of a stage's failed tests once more, when nothing else runs, windows one at a time. Tests that then
 * pass are listed in `flaky`; those that failed again in `failing`, and if there are none the stage is ok. Returns
 * `result` unchanged if too many tests failed, or something besides tests did.
 */
export async function tryAgain(stage, result, options) {
  const { failing, crashed } = result;
  const isTransient = crashed.length === 0 && failing.length > 0 && failing.length <= MOST_TRIED_AGAIN;
  if (result.ok || !stage.again || !isTransient) return result;
  const files = [...new Set(failing.map(({ file }) => file))];
  const again = { ...stage, name: `${stage.name}-again`, commands: stage.again(files) };
  const second = await runStage(again, { ...options, env: { WINDOW_LANES: '1' } });
  if (!second.ok && (second.crashed.length > 0 || second.failing.length === 0))
    return { ...result, output: `${result.output}\nAgain:\n${second.output}` };
  const still = new Set(second.failing.map(({ name }) => name));
  const flaky = failing.map(({ name }) => name).filter((name) => !still.has(name));
  return {
    ...result,
    ok: second.ok,
    failed: second.failing.length,
    failing: second.failing,
    passed: result.passed + flaky.length,
    flaky,
    output: second.ok ? result.output : `${result.output}\nAgain:\n${second.output}`,
  };
}
