import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import { isRecord } from '../../core/text/parseJson';
import { programOfWindows } from './windowsPrograms';

/** A lock that this process holds. It is released when the process ends, too. */
export interface Lock {
  release(): void;
}

/**
 * The owner on another machine or container cannot be checked: its lock counts while the owner keeps touching it. In
 * ms.
 */
const beat = 5_000;
const silence = 30_000;

/**
 * Acquires a lock file that names its owner; returns undefined while a living process holds it. Takes over a lock whose
 * owner died, even if its process id was reused. Throws if the file cannot be created.
 */
export function acquireLock(file: string): Lock | undefined {
  const mine = JSON.stringify({ ...thisProcess(), nonce: crypto.randomUUID() });
  for (let attempt = 0; attempt < 3; attempt++) {
    if (make(file, mine)) {
      const beating = setInterval(() => touch(file, mine), beat).unref();
      return {
        release() {
          clearInterval(beating);
          if (readOwner(file) === mine) fs.rmSync(file, { force: true });
        },
      };
    }
    const owner = readOwner(file);
    if (owner !== undefined && isHeldByLivingOwner(owner, file)) return undefined;
    removeStale(file, owner);
  }
  return undefined;
}

/** Returns whether a living process holds the lock right now. */
export function isLocked(file: string): boolean {
  const owner = readOwner(file);
  return owner !== undefined && isHeldByLivingOwner(owner, file);
}

/** Returns the holder in words for people: "process 4711"; undefined if there is none. */
export function holderOf(file: string): string | undefined {
  const owner = readOwner(file);
  if (owner === undefined) return undefined;
  const { pid, place: where } = ownerIn(owner);
  if (where === undefined || where === processScope()) return `process ${pid}`;
  return `process ${pid} on ${where.split(' ')[0]}; if that process has ended, its lock expires ${silence / 1000} seconds after its last update`;
}

/** Creates the file together with its content, so that it never appears without an owner. */
function make(file: string, words: string): boolean {
  const draft = `${file}.${process.pid}-${crypto.randomUUID().slice(0, 8)}`;
  try {
    fs.writeFileSync(draft, words, { mode: 0o600 });
    fs.linkSync(draft, file);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (code === 'EPERM' || code === 'ENOTSUP' || code === 'ENOSYS' || code === 'EOPNOTSUPP')
      return makePlainly(file, words); // a file system without hard links
    throw error;
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

function makePlainly(file: string, words: string): boolean {
  try {
    fs.writeFileSync(file, words, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * If two processes find a stale lock at once, only the one whose rename succeeds removes it; it puts the file back if
 * it was not the stale one.
 */
function removeStale(file: string, stale: string | undefined): void {
  const grave = `${file}.${process.pid}`;
  try {
    fs.renameSync(file, grave);
    if (readOwner(grave) !== stale) fs.linkSync(grave, file);
  } catch {
    /* another process was first */
  }
  fs.rmSync(grave, { force: true });
}

const readOwner = (file: string): string | undefined => {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

/**
 * Rewrites the same content, so that the file gets its time from the machine that stores the folder: this machine's
 * clock may be wrong.
 */
function touch(file: string, words: string): void {
  let descriptor: number | undefined;
  try {
    if (readOwner(file) !== words) return;
    descriptor = fs.openSync(file, 'r+');
    fs.writeSync(descriptor, words, 0);
  } catch {
    /* the next beat tries again */
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/**
 * Returns the current time of the machine that stores the folder, which may be another one: the timestamp of a newly
 * created file.
 */
function timeThere(file: string): number {
  const probe = `${file}.${process.pid}-${crypto.randomUUID().slice(0, 8)}`;
  try {
    fs.writeFileSync(probe, '', { flag: 'wx', mode: 0o600 });
    return fs.statSync(probe).mtimeMs;
  } catch {
    return Date.now();
  } finally {
    fs.rmSync(probe, { force: true });
  }
}

function isHeldByLivingOwner(words: string, file: string): boolean {
  const isAliveHere = isAlive(ownerIn(words));
  if (isAliveHere !== undefined) return isAliveHere;
  const touchedMsAgo = timeThere(file) - (fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return touchedMsAgo < silence;
}

/** Identifies a process, distinct from a later one with the same id and from those of other machines and containers. */
export interface Owner {
  readonly pid: number;
  readonly start: string;
  /** Absent for a process of this place. */
  readonly place?: string | undefined;
}

/** Returns whether a parsed value is an `Owner`. */
export function isOwner(read: unknown): read is Owner {
  if (!isRecord(read)) return false;
  const { pid, start, place: where } = read;
  return typeof pid === 'number' && typeof start === 'string' && (where === undefined || typeof where === 'string');
}

export const thisProcess = (): Required<Owner> => ({
  pid: process.pid,
  start: startOf(process.pid),
  place: processScope(),
});

/**
 * Returns whether the process is alive; undefined if it belongs to another machine or container, which cannot be
 * checked.
 */
export function isAlive({ pid, start, place: where }: Owner): boolean | undefined {
  if (where !== undefined && where !== processScope()) return undefined;
  const now = startOf(pid);
  return now !== '' && (now === start || [now, start].includes('alive') || sameMoment(now, start));
}

/** Earlier versions wrote "PID START NONCE". */
function ownerIn(words: string): Owner {
  try {
    return JSON.parse(words) as Owner;
  } catch {
    const [pid = '0', start = ''] = words.split(' ');
    return { pid: Number(pid), start };
  }
}

/** Returns the scope in which process ids are valid: this machine and, on Linux, this container. */
export function processScope(): string {
  try {
    return `${os.hostname()} ${fs.readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return os.hostname();
  }
}

/**
 * Returns when a process started, to distinguish it from a later one with the same id; "" if it does not exist, "alive"
 * if the system cannot tell.
 */
export function startOf(pid: number): string {
  if (!Number.isInteger(pid) || pid <= 0) return '';
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return '';
  }
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie does nothing more.
    return state === 'Z' || state === 'X' ? '' : (fields[18] ?? 'alive');
  } catch {
    return pid === process.pid ? `at ${Math.round(performance.timeOrigin)}` : startTimeOf(pid);
  }
}

/** Queries the system's own tools, on systems without /proc; only if a lock is in the way. */
export function startTimeOf(pid: number): string {
  const [program, args] =
    process.platform === 'win32'
      ? [
          programOfWindows('WindowsPowerShell\\v1.0\\powershell.exe'),
          [
            '-NoProfile',
            '-NonInteractive',
            '-Command',
            `(Get-Process -Id ${pid}).StartTime.ToUniversalTime().ToString('o')`,
          ],
        ]
      : ['ps', ['-o', 'lstart=', '-p', String(pid)]];
  try {
    const at = Date.parse(
      execFileSync(program!, args as string[], {
        encoding: 'utf8',
        timeout: 5000,
        stdio: ['ignore', 'pipe', 'ignore'],
        env: { ...process.env, LC_ALL: 'C' },
      }).trim(),
    );
    return Number.isNaN(at) ? 'alive' : `at ${at}`;
  } catch {
    return 'alive';
  }
}

/** The tools round to seconds. */
function sameMoment(a: string, b: string): boolean {
  const [first, second] = [a, b].map((words) => (words.startsWith('at ') ? Number(words.slice(3)) : Number.NaN));
  return Math.abs(first! - second!) <= 3000;
}

const lockTimeoutMs = 5000;
const longLockTimeoutMs = 20_000;
const tryMs = 10;

/**
 * Runs short work under a lock file whose folder must exist. Blocks the thread meanwhile: meant for a small file that
 * is read, changed and written. Throws an `Error` with a message for people if another process holds the lock for too
 * long.
 */
export function whileLocked<Answer>(file: string, work: () => Answer): Answer {
  const lock = takeLock(file);
  try {
    return work();
  } finally {
    lock.release();
  }
}

/**
 * Same as `whileLocked` for longer work, without blocking. `busy`: message of the error if another process holds the
 * lock for too long.
 */
export async function inLock<Answer>(file: string, busy: string, work: () => Promise<Answer>): Promise<Answer> {
  for (const end = performance.now() + longLockTimeoutMs; ;) {
    const lock = acquireLock(file);
    if (lock) {
      try {
        return await work();
      } finally {
        lock.release();
      }
    }
    if (performance.now() > end) throw new Error(busy);
    await new Promise((resolve) => setTimeout(resolve, tryMs));
  }
}

function takeLock(file: string): Lock {
  const still = new Int32Array(new SharedArrayBuffer(4));
  for (const end = performance.now() + lockTimeoutMs; performance.now() < end;) {
    const lock = acquireLock(file);
    if (lock) return lock;
    Atomics.wait(still, 0, 0, tryMs);
  }
  throw new Error(`Another process holds the lock ${file}. Try again.`);
}
