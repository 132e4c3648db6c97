import type { Shell } from './shell';
import { openOutput } from './output/outputFile';
import fs from 'node:fs';
import { exactlyOneOf } from '../../core/text/alternatives';
import { writeVariables } from './shells';

/** What one shell can pass to another. */
export interface ShellState {
  readonly folder: string;
  readonly exported: ReadonlyMap<string, string>;
}

const maxReadBytes = 1024 * 1024;
/** The shell's own bookkeeping variables. */
const notHandedOn = exactlyOneOf([
  '_ PWD OLDPWD SHLVL WAYMARK_TERMINAL TMPDIR PIP_RETRIES UV_HTTP_RETRIES CARGO_NET_RETRY GOCACHE NODE_USE_ENV_PROXY',
  /npm_config_.*/,
  /(?:https?|no)_proxy/,
  /(?:HTTPS?|NO)_PROXY/,
]);

/**
 * Runs `text` in the shell itself without displaying it. `file`: where the text is stored; `output`: where it prints.
 */
async function runQuietly(shell: Shell, text: string, file: string, output: string): Promise<number> {
  fs.writeFileSync(file, `${text}\n`, { mode: 0o600 });
  const outcome = await shell.run({ command: file, input: '/dev/null', output });
  return outcome.kind === 'reported' ? outcome.status : -1;
}

/** Returns undefined if the shell could not report its state. */
export async function readShellState(shell: Shell, file: string, output: string): Promise<ShellState | undefined> {
  fs.rmSync(output, { force: true });
  if ((await runQuietly(shell, writeVariables, file, output)) !== 0) return undefined;
  const exported = takeVariables(output);
  return exported && { folder: shell.folder, exported };
}

/**
 * Reads the exported variables that a shell wrote into a file, and deletes the file. Returns undefined if it is
 * incomplete. Never throws.
 */
export function takeVariables(output: string): ReadonlyMap<string, string> | undefined {
  try {
    const text = beginningOf(output);
    // Each variable ends with a NUL: with a full disk or too many variables, the file is truncated.
    if (!text.endsWith('\0')) return undefined;
    const entries = text.split('\0').filter((entry) => /^[A-Za-z_]\w*=/.test(entry));
    const exported = entries
      .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)] as const)
      .filter(([name]) => !notHandedOn.test(name));
    return new Map(exported);
  } catch {
    // It does not exist, or a program of the shell replaced it.
    return undefined;
  } finally {
    fs.rmSync(output, { recursive: true, force: true });
  }
}

function beginningOf(file: string): string {
  const descriptor = openOutput(file, 'read');
  try {
    const bytes = Buffer.alloc(maxReadBytes);
    return bytes.subarray(0, fs.readSync(descriptor, bytes, 0, maxReadBytes, 0)).toString('utf8');
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Changes the shell's folder and sets the variables. Returns false if it could not change to the folder. */
export async function adoptState(
  shell: Shell,
  { folder, exported }: ShellState,
  file: string,
  output: string,
): Promise<boolean> {
  const variables = [...exported].map(([name, value]) => shell.dialect.exportLine(name, value));
  await runQuietly(shell, [...variables, shell.dialect.folderLine(folder)].join('\n'), file, output);
  fs.rmSync(output, { force: true });
  return shell.folder === folder;
}
