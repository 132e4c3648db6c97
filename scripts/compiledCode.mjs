// The code cache of the built command line (scripts/build/keptCode.js), created once per test run.
import fs from 'node:fs';
import path from 'node:path';
import { run } from './host/processes.mjs';
import { at } from './repository.mjs';

/**
 * Runs the built command line briefly below `folder`, as for a user of an hour. Returns the folder of its code cache;
 * undefined if there is no build, or it saved none.
 */
export async function compiledCode(folder) {
  const program = at('dist/cli.js');
  if (!fs.existsSync(program)) return undefined;
  const [state, work, script] = ['state/waymark', 'work', 'script.jsonl'].map((name) => path.join(folder, name));
  fs.mkdirSync(state, { recursive: true, mode: 0o700 });
  fs.mkdirSync(work);
  const key = path.join(state, 'log.key');
  fs.writeFileSync(key, '0'.repeat(32), { mode: 0o600 });
  const anHourAgo = new Date(Date.now() - 3_600_000);
  fs.utimesSync(key, anHourAgo, anHourAgo);
  const steps = [
    { say: 'A command.', call: { tool: 'run_command', input: { command: 'echo one > one.txt' } } },
    { say: 'Done.', call: { tool: 'finish', input: { summary: 'Done.' } } },
  ];
  fs.writeFileSync(script, steps.map((step) => `${JSON.stringify(step)}\n`).join(''));
  const words = ['run', 'Work.', '--script', script, '--confirm', 'never', '--trust-folder', '--cwd', work];
  await run(process.execPath, [program, ...words, '--log', path.join(folder, 'log.jsonl')], {
    cwd: work,
    env: { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8', XDG_STATE_HOME: path.dirname(state) },
    timeoutMs: 60_000,
  });
  const code = path.join(state, 'code');
  return fs.existsSync(code) ? code : undefined;
}
