import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isProgram, onPath } from '../processes/onPath';
import { namesIn, readTextOrEmpty } from '../storage/lenientReads';
import { execFile, type ChildProcess } from 'node:child_process';

/** Folders that decide which ripgrep program is started. */
export interface RipgrepPlaces {
  /** Workspace folders: a program inside one is never started. */
  readonly folders: readonly string[];
  /** VS Code's own installation folder (`env.appRoot`). */
  readonly editorRoot?: string;
}

const program = process.platform === 'win32' ? 'rg.exe' : 'rg';
const target = `${process.platform}-${process.arch}`;

/**
 * Returns the path of ripgrep: the copy shipped with Waymark, the development one, one on the PATH, then VS Code's own.
 * Undefined if there is none.
 */
export function findRipgrep(
  { folders, editorRoot }: RipgrepPlaces,
  from = path.dirname(fileURLToPath(import.meta.url)),
): string | undefined {
  return [
    ...shippedPrograms(from),
    ...onPath(program, folders),
    ...(editorRoot === undefined ? [] : inEditor(editorRoot)),
  ].find(isProgram);
}

/** Bundles are at different depths below the folder that contains `bin` or `node_modules`. */
function shippedPrograms(from: string): string[] {
  return [0, 1, 2, 3, 4].flatMap((levels) => {
    const base = path.resolve(from, ...Array<string>(levels).fill('..'));
    return [
      path.join(base, 'bin', target, program),
      path.join(base, 'node_modules/@vscode/ripgrep-universal/bin', target, program),
      // An installed package contains the binary of its platform.
      path.join(base, `node_modules/@vscode/ripgrep-${target}/bin`, program),
    ];
  });
}

function inEditor(root: string): string[] {
  return ['node_modules', 'node_modules.asar.unpacked'].flatMap((modules) => [
    path.join(root, modules, '@vscode/ripgrep-universal/bin', target, program),
    path.join(root, modules, '@vscode/ripgrep/bin', program),
  ]);
}

/**
 * If ripgrep can start only some of its threads, it prints this and then waits for the others forever: its directory
 * walk counts workers that never started.
 */
const couldNotStartThread = /failed to spawn thread/;

/** With one thread ripgrep starts no others, so it works even if the system cannot start more. */
export const oneThread = '--threads=1';

/** Ends a ripgrep that could not start its threads; calls `onShort` before that. */
export function endWithoutThreads(ripgrep: ChildProcess, onShort: () => void): void {
  let printed = '';
  ripgrep.stderr?.on('data', (chunk: Buffer | string) => {
    if (ripgrep.killed || printed.length > 4000) return;
    printed += chunk.toString();
    if (!couldNotStartThread.test(printed)) return;
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

/** Numbers of the system calls that open a file. */
const openCalls: Readonly<Record<string, readonly string[]>> = { x64: ['2', '257'], arm64: ['56'] };
const lookEveryMs = 5_000;

/**
 * Calls `onBlocked` when a thread of a process has been opening one file from one look to the next, as with a pipe that
 * nobody writes to. Linux only. Returns a function that ends the watch.
 */
export function watchForPipes({ pid }: Pick<ChildProcess, 'pid'>, onBlocked: () => void): () => void {
  if (pid === undefined || process.platform !== 'linux') return () => undefined;
  let before = new Set<string>();
  const timer = setInterval(() => {
    const now = openingThreads(pid);
    if (now.some((thread) => before.has(thread))) onBlocked();
    before = new Set(now);
  }, lookEveryMs).unref();
  return () => clearInterval(timer);
}

/** Returns a text for each thread that is opening a file. It stays the same only while the thread waits. */
function openingThreads(pid: number): string[] {
  return namesIn(`/proc/${pid}/task`).flatMap((thread) => {
    const folder = `/proc/${pid}/task/${thread}`;
    const call = readTextOrEmpty(`${folder}/syscall`);
    if (!openCalls[process.arch]?.includes(call.split(' ')[0]!)) return [];
    const [switches = ''] = /^voluntary_ctxt_switches:.*$/m.exec(readTextOrEmpty(`${folder}/status`)) ?? [];
    return [`${thread} ${call} ${switches}`];
  });
}

interface Listing {
  readonly cwd?: string;
  readonly timeout?: number;
  /** For how long ripgrep may print nothing, in ms. */
  readonly maxSilence?: number;
}

/** A pipe in the place of an ignore file keeps ripgrep waiting forever. */
const usualMaxSilence = 10_000;

interface Listed {
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
  { maxSilence = usualMaxSilence, ...options }: Listing,
): Promise<Listed & { readonly isShort: boolean }> {
  return new Promise((resolve) => {
    let isShort = false;
    const child = execFile(ripgrep, args, { ...options, maxBuffer: 64 << 20, encoding: 'utf8' }, (error, stdout) => {
      clearTimeout(silence);
      resolve({ isComplete: error === null || finishedSearch(error.code), stdout, isShort });
    });
    const silence = setTimeout(() => child.kill('SIGKILL'), maxSilence);
    child.stdout?.on('data', () => silence.refresh());
    endWithoutThreads(child, () => {
      isShort = true;
    });
  });
}
