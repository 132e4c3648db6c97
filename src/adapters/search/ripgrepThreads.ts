import { execFile, type ChildProcess, type ExecFileException } from 'node:child_process';

/**
 * ripgrep that could start only some of its threads says this and then waits for ever for the others: its walk
 * of folders counts workers that never came.
 */
const couldNotStartThread = /failed to spawn thread/;

/** With one thread ripgrep starts no others, so that it works where the system has none left. */
export const oneThread = '--threads=1';

/** Ends a ripgrep that could not start its threads, and calls `onShort` before that. */
export function endWithoutThreads(ripgrep: ChildProcess, onShort: () => void): void {
  let said = '';
  ripgrep.stderr?.on('data', (chunk: Buffer | string) => {
    if (ripgrep.killed || said.length > 4000) return;
    said += chunk.toString();
    if (!couldNotStartThread.test(said)) return;
    onShort();
    ripgrep.kill('SIGKILL');
  });
}

/** Has ripgrep list files, hidden ones too, by its own rules alone; a NUL stands behind each. */
export const listsFiles: readonly string[] = [
  '--files',
  '--no-config',
  '--no-messages',
  '--hidden',
  '--no-require-git',
  '--null',
];

interface Listing {
  readonly cwd?: string;
  readonly timeout?: number;
}

export interface Listed {
  readonly error: ExecFileException | null;
  readonly stdout: string;
}

/** What ripgrep prints; it is asked again with one thread where the system has no more of them. */
export async function listWith(ripgrep: string, args: readonly string[], options: Listing = {}): Promise<Listed> {
  const first = await listOnce(ripgrep, args, options);
  return first.isShort ? listOnce(ripgrep, [oneThread, ...args], options) : first;
}

function listOnce(
  ripgrep: string,
  args: readonly string[],
  options: Listing,
): Promise<Listed & { readonly isShort: boolean }> {
  return new Promise((resolve) => {
    let isShort = false;
    const child = execFile(ripgrep, args, { ...options, maxBuffer: 64 << 20, encoding: 'utf8' }, (error, stdout) =>
      resolve({ error, stdout, isShort }),
    );
    endWithoutThreads(child, () => {
      isShort = true;
    });
  });
}
