import { acquireLock, type Lock } from './fileLock';

const lockTimeoutMs = 5000;
const longLockTimeoutMs = 20_000;
const tryMs = 10;

/**
 * Runs short work under a lock file whose folder must exist. Blocks the thread meanwhile: meant for a small file that
 * is read, changed and written. Throws an `Error` with a message for people if another process holds the lock for too
 * long.
 */
export function whileLocked<Answer>(file: string, work: () => Answer): Answer {
  const lock = taken(file);
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

function taken(file: string): Lock {
  const still = new Int32Array(new SharedArrayBuffer(4));
  for (const end = performance.now() + lockTimeoutMs; performance.now() < end;) {
    const lock = acquireLock(file);
    if (lock) return lock;
    Atomics.wait(still, 0, 0, tryMs);
  }
  throw new Error(`Another process holds the lock ${file}. Try again.`);
}
