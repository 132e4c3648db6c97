import type { Shell } from './shell';
import { openOutput } from './output/outputFile';
import fs from 'node:fs';

/** What one shell can hand on to another. */
export interface ShellState {
  readonly folder: string;
  readonly exported: ReadonlyMap<string, string>;
}

const mostRead = 1024 * 1024;
/** The shell's own bookkeeping. */
const notHandedOn =
  /^(_|PWD|OLDPWD|SHLVL|WAYMARK_TERMINAL|TMPDIR|npm_config_.*|GOCACHE|NODE_USE_ENV_PROXY|(https?|no)_proxy|(HTTPS?|NO)_PROXY)$/;

/** Runs `text` in the shell itself, unseen. `file` is where the text is put, `output` where it prints. */
async function aside(shell: Shell, text: string, file: string, output: string): Promise<number> {
  fs.writeFileSync(file, `${text}\n`, { mode: 0o600 });
  const outcome = await shell.run({ command: file, input: '/dev/null', output });
  return outcome.kind === 'reported' ? outcome.status : -1;
}

/** Undefined for a shell that could not say. */
export async function stateOf(shell: Shell, file: string, output: string): Promise<ShellState | undefined> {
  fs.rmSync(output, { force: true });
  if ((await aside(shell, '\\command /usr/bin/env -0', file, output)) !== 0) return undefined;
  const descriptor = openOutput(output, 'read');
  try {
    const bytes = Buffer.alloc(mostRead);
    const entries = bytes
      .subarray(0, fs.readSync(descriptor, bytes, 0, mostRead, 0))
      .toString('utf8')
      .split('\0')
      .filter((entry) => /^[A-Za-z_]\w*=/.test(entry));
    const exported = entries
      .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)] as const)
      .filter(([name]) => !notHandedOn.test(name));
    return { folder: shell.folder, exported: new Map(exported) };
  } finally {
    fs.closeSync(descriptor);
    fs.rmSync(output, { force: true });
  }
}

/** Brings the shell to the folder and gives it the variables. False when it could not go to the folder. */
export async function adopt(
  shell: Shell,
  { folder, exported }: ShellState,
  file: string,
  output: string,
): Promise<boolean> {
  const variables = [...exported].map(([name, value]) => shell.dialect.exportLine(name, value));
  await aside(shell, [...variables, shell.dialect.folderLine(folder)].join('\n'), file, output);
  fs.rmSync(output, { force: true });
  return shell.folder === folder;
}
