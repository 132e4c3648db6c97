import { createRequire } from 'node:module';
import path from 'node:path';
import type { IPty } from 'node-pty';
import { cliWords, until, type Machine } from './commandLine';

/** Simulates a user at a terminal. */
export function sitDown({ environment, workspace, args }: Machine, task: string, ...options: string[]) {
  const { spawn } = createRequire(path.join(process.env['REPOSITORY']!, 'package.json'))(
    'node-pty',
  ) as typeof import('node-pty');
  const terminal: IPty = spawn(process.execPath, [...cliWords, ...args(task, ...options)], {
    cwd: workspace.root,
    env: { ...environment, TERM: 'xterm' } as Record<string, string>,
    cols: 200,
    rows: 50,
  });
  let seen = '';
  let code: number | undefined;
  terminal.onData((text) => {
    seen += text;
  });
  terminal.onExit(({ exitCode }) => {
    code = exitCode;
  });
  return {
    seen: () => seen,
    async reads(words: RegExp, times = 1) {
      await until(
        `“${words.source}” in ${JSON.stringify(seen)}`,
        () => (seen.match(new RegExp(words.source, 'g')) ?? []).length >= times,
      );
    },
    /** Types after a short delay, as a user would: input before a question is shown does not answer it. */
    async types(text: string) {
      await new Promise((resolve) => setTimeout(resolve, 150));
      terminal.write(text);
    },
    kill: (signal: NodeJS.Signals) => terminal.kill(signal),
    async leaves() {
      await until('the end', () => code !== undefined);
      return code;
    },
  };
}
