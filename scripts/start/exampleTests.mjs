import { spawnSync } from 'node:child_process';

/** Runs the example's own tests; returns { passed, failed }. */
export function runExampleTests(folder) {
  const { NODE_TEST_CONTEXT: _ours, ...env } = process.env;
  const { stdout } = spawnSync(process.execPath, ['--test', '--test-reporter=tap'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  const count = (name) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(stdout)?.[1] ?? 0);
  return { passed: count('pass'), failed: count('fail') };
}
