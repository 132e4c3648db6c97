import { execFile, type ChildProcess } from 'node:child_process';

/**
 * If ripgrep can start only some of its threads, it prints this and then waits for the others forever: its directory
 * walk counts workers that never started.
 */
const couldNotStartThread = /failed to spawn thread/;

/** With one thread ripgrep starts no others, so it works even if the system cannot start more. */
export const oneThread = '--threads=1';

/** Ends a ripgrep that could not start its threads; calls `onShort` before that. */
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

/** Makes ripgrep list files, including hidden ones, by its own rules only, each followed by a NUL. */
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
  /** False if ripgrep could not be started or ended before it had listed everything. */
  readonly isComplete: boolean;
  readonly stdout: string;
}

/**
 * Returns whether ripgrep worked to its end: its exit code is 0 if it found something, 1 if not, and 2 if it could not
 * read something. A program that crashed or lacks a library has another one, or none.
 */
export const finishedSearch = (exitCode: unknown): boolean => exitCode === 0 || exitCode === 1 || exitCode === 2;

/** Returns what ripgrep prints; retries with one thread if the system cannot start more. */
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
      resolve({ isComplete: error === null || finishedSearch(error.code), stdout, isShort }),
    );
    endWithoutThreads(child, () => {
      isShort = true;
    });
  });
}
