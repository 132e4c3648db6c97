// The code cache of the built command line (scripts/build/keptCode.js), created once per test run.
import fs from 'node:fs';
import path from 'node:path';
import { run } from './host/processes.mjs';
import { at } from './repository.mjs';

/**
 * Runs the built command line once, with a command, in a new home below `folder`. Returns the folder of its code cache;
 * undefined if there is no build, or it saved none.
 */
export async function compiledCode(folder) {
  const program = at('dist/cli.js');
  if (!fs.existsSync(program)) return undefined;
  const [work, script] = ['work', 'script.jsonl'].map((name) => path.join(folder, name));
  fs.mkdirSync(work, { recursive: true });
  const steps = [
    { say: 'A command.', call: { tool: 'run_command', input: { command: 'echo one > one.txt' } } },
    { say: 'Done.', call: { tool: 'finish', input: { summary: 'Done.' } } },
  ];
  fs.writeFileSync(script, steps.map((step) => `${JSON.stringify(step)}\n`).join(''));
  const words = ['run', 'Work.', '--script', script, '--confirm', 'never', '--trust-folder', '--cwd', work];
  await run(process.execPath, [program, ...words, '--log', path.join(folder, 'log.jsonl')], {
    cwd: work,
    env: { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8', XDG_STATE_HOME: path.join(folder, 'state') },
    timeoutMs: 60_000,
  });
  const code = path.join(folder, 'state/waymark/code');
  return fs.existsSync(code) ? code : undefined;
}
