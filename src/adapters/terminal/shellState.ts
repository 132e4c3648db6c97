import type { Shell } from './shell';
import { openOutput } from './output/outputFile';
import fs from 'node:fs';
import { writeVariables } from './shells';

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
  if ((await aside(shell, writeVariables, file, output)) !== 0) return undefined;
  const exported = takeVariables(output);
  return exported && { folder: shell.folder, exported };
}

/**
 * The exported variables that a shell wrote into a file, which is deleted. Undefined
 * where there are none in whole. Never throws.
 */
export function takeVariables(output: string): ReadonlyMap<string, string> | undefined {
  try {
    const text = beginningOf(output);
    // Each variable ends with a NUL: of a full disk, or of too many of them, only a part is there.
    if (!text.endsWith('\0')) return undefined;
    const entries = text.split('\0').filter((entry) => /^[A-Za-z_]\w*=/.test(entry));
    const exported = entries
      .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)] as const)
      .filter(([name]) => !notHandedOn.test(name));
    return new Map(exported);
  } catch {
    // It is not there, or a program of the shell put something else in its place.
    return undefined;
  } finally {
    fs.rmSync(output, { recursive: true, force: true });
  }
}

function beginningOf(file: string): string {
  const descriptor = openOutput(file, 'read');
  try {
    const bytes = Buffer.alloc(mostRead);
    return bytes.subarray(0, fs.readSync(descriptor, bytes, 0, mostRead, 0)).toString('utf8');
  } finally {
    fs.closeSync(descriptor);
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
