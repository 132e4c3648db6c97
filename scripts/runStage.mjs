import fs from 'node:fs';
import { run } from './host/processes.mjs';
import { at, root } from './repository.mjs';

const TIMEOUT_MS = 10 * 60_000;

/**
 * Runs one stage: { name, ok, passed, failed, skipped, ms, output }. A stage of tests that ran none is not ok; a check that is not ok
 * counts as one failed, so the sum can never hide it.
 */
export async function runStage({ name, commands, tests = false }, { node, grep }) {
  const started = Date.now();
  fs.mkdirSync(at('out/stages'), { recursive: true });
  const resultFile = at('out/stages', `${name}.json`);
  fs.rmSync(resultFile, { force: true });
  const env = { ...process.env, WAYMARK_TEST_RESULT: resultFile };
  let output = '';
  let ok = true;
  for (const [script, ...args] of commands) {
    const ran = await run(node, [at(script), ...args, ...(tests && grep ? ['--grep', grep] : [])], { cwd: root, env, timeoutMs: TIMEOUT_MS });
    output += ran.output;
    ok &&= ran.code === 0;
  }
  const stats = fs.existsSync(resultFile) ? JSON.parse(fs.readFileSync(resultFile, 'utf8')) : undefined;
  const { passes = 0, failures = 0, pending = 0 } = stats ?? {};
  if (tests && passes + failures === 0 && !grep) {
    ok = false;
    output += '\nNo test of this stage ran.\n';
  }
  if (tests && stats === undefined) ok = false;
  fs.writeFileSync(at('out/stages', `${name}.log`), output);
  return { name, ok: ok && failures === 0, passed: passes, failed: Math.max(failures, ok ? 0 : 1), skipped: pending, ms: Date.now() - started, output };
}
