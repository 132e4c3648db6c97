import fs from 'node:fs';
import path from 'node:path';
import { run } from './host/processes.mjs';

// A slow machine may take as long as it likes; a stage that says nothing for so long is stuck.
const SILENCE_MS = 10 * 60_000;

/**
 * Runs one stage of the repository at `root`: { name, ok, passed, failed, skipped, ms, output }. A stage of tests that ran none is not
 * ok; a check that is not ok counts as one failed, so the sum can never hide it. A command that prints nothing for `silenceMs` is ended;
 * what it had tested until then is counted.
 */
export async function runStage({ name, commands, tests = false }, { root, node, grep, silenceMs = SILENCE_MS }) {
  const started = Date.now();
  const folder = path.join(root, 'out/stages');
  fs.mkdirSync(folder, { recursive: true });
  const resultFile = path.join(folder, `${name}.json`);
  fs.rmSync(resultFile, { force: true });
  const env = { ...process.env, WAYMARK_TEST_RESULT: resultFile };
  let output = '';
  let ok = true;
  for (const [script, ...args] of commands) {
    const chosen = tests && grep ? ['--grep', grep] : [];
    const ran = await run(node, [path.join(root, script), ...args, ...chosen], { cwd: root, env, silenceMs });
    output += ran.output;
    ok &&= ran.code === 0;
  }
  const {
    passes = 0,
    failures = 0,
    pending = 0,
    slowest = [],
  } = fs.existsSync(resultFile) ? JSON.parse(fs.readFileSync(resultFile, 'utf8')) : {};
  if (tests && passes + failures === 0 && !grep) {
    ok = false;
    output += '\nNo test of this stage ran.\n';
  }
  fs.writeFileSync(path.join(folder, `${name}.log`), output);
  return {
    name,
    ok: ok && failures === 0,
    passed: passes,
    failed: Math.max(failures, ok ? 0 : 1),
    skipped: pending,
    ms: Date.now() - started,
    slowest,
    output,
  };
}
