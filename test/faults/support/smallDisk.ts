import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export interface SmallDisk {
  readonly folder: string;
  /** Fills the disk up to this many free bytes. */
  fill(left: number): void;
  /** Frees space again. */
  free(): void;
  stop(): void;
}

/** A disk of 256 kB; undefined if none can be mounted. */
export function smallDisk(): SmallDisk | undefined {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-disk-'));
  if (
    process.platform !== 'linux' ||
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder], { stdio: 'ignore' }).status !== 0
  ) {
    fs.rmdirSync(folder);
    return undefined;
  }
  const big = path.join(folder, 'big');
  return {
    folder,
    fill(left) {
      const { bavail, bsize } = fs.statfsSync(folder);
      fs.writeFileSync(big, Buffer.alloc(Math.max(0, bavail * bsize - left)));
    },
    free: () => fs.rmSync(big),
    stop() {
      spawnSync('umount', [folder], { stdio: 'ignore' });
      fs.rmdirSync(folder);
    },
  };
}

/** A read-only disk; undefined if none can be mounted. */
export function readOnlyDisk(): SmallDisk | undefined {
  const disk = smallDisk();
  if (disk && spawnSync('mount', ['-o', 'remount,ro', disk.folder]).status === 0) return disk;
  disk?.stop();
  return undefined;
}
