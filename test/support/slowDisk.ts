import fs from 'node:fs';

const waitMs = 0.3;

/** Runs `work` while each question about an entry that blocks the thread takes as long as on a network drive. */
export async function onSlowDisk<Result>(work: () => Promise<Result>): Promise<Result> {
  const { lstatSync } = fs;
  const still = new Int32Array(new SharedArrayBuffer(4));
  const slowly = ((...args: Parameters<typeof lstatSync>) => {
    Atomics.wait(still, 0, 0, waitMs);
    return lstatSync(...args);
  }) as typeof lstatSync;
  Object.assign(fs, { lstatSync: slowly });
  try {
    return await work();
  } finally {
    Object.assign(fs, { lstatSync });
  }
}
