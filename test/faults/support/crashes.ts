import fs from 'node:fs';
import path from 'node:path';

/** Content of a disk: names below a folder, with their data. */
export type Disk = ReadonlyMap<string, Buffer>;

/** A moment at which the program could have ended. */
interface Moment {
  /** For example "before fdatasync 3". */
  readonly name: string;
  /** Disk after the program is killed: everything that was written. */
  readonly killed: Disk;
  /** Minimum disk content after a power failure: synced data under synced names. */
  readonly dark: Disk;
  /** The number that `run` had reported as safe. */
  readonly safe: number;
}

const changing = [
  'write',
  'writeSync',
  'writeFileSync',
  'appendFileSync',
  'fdatasync',
  'fdatasyncSync',
  'fsync',
  'fsyncSync',
  'ftruncate',
  'ftruncateSync',
  'truncateSync',
  'renameSync',
  'linkSync',
  'rmSync',
  'mkdirSync',
  'copyFileSync',
  'openSync',
] as const;

/**
 * Runs `run` and records the disk below `folder` before and after each call that could change it, both for a killed
 * program and for a power failure. Writes are split in halves. `run` reports the amount promised as durable through
 * `safe`. Existing files count as synced.
 */
export async function momentsOf(
  folder: string,
  run: (safe: (count: number) => void) => Promise<void>,
): Promise<Moment[]> {
  const moments: Moment[] = [];
  const disk = new SyncedDisk(folder);
  const real = Object.fromEntries(changing.map((name) => [name, fs[name]])) as unknown as Record<
    string,
    (...args: unknown[]) => unknown
  >;
  let safe = 0;
  let within = false;
  /** Reads for the snapshot are not changes, and nested calls of a call are not recorded. */
  const inside = <T>(work: () => T): T => {
    within = true;
    try {
      return work();
    } finally {
      within = false;
    }
  };
  const note = (name: string): void =>
    inside(() => {
      moments.push({ name, killed: readDisk(folder), dark: disk.afterPowerLoss(), safe });
    });
  const patched = changing.map((name) => [
    name,
    (...args: unknown[]): unknown => {
      if (within) return real[name]!.apply(fs, args);
      note(`before ${name} ${moments.length}`);
      if (name === 'write' && (args[3] as number) > 1) args[3] = Math.ceil((args[3] as number) / 2);
      const flushes =
        /^f(?:data)?sync(?:Sync)?$/.test(name) || (args[2] as { flush?: boolean } | undefined)?.flush === true;
      const synced = flushes ? (args[0] as number | string) : undefined;
      const done = args.at(-1);
      if (typeof done === 'function')
        args[args.length - 1] = (...results: unknown[]) => {
          if (synced !== undefined && !results[0]) inside(() => disk.sync(synced));
          note(`after ${name}`);
          (done as (...all: unknown[]) => void)(...results);
        };
      const result = inside(() => real[name]!.apply(fs, args));
      if (typeof done !== 'function') {
        if (synced !== undefined) inside(() => disk.sync(synced));
        note(`after ${name}`);
      }
      return result;
    },
  ]);
  Object.assign(fs, Object.fromEntries(patched));
  try {
    await run((count) => {
      safe = count;
    });
  } finally {
    Object.assign(fs, real);
  }
  note('at the end');
  return moments;
}

/** Restores a disk into a folder, which is emptied first. */
export function putBack(disk: Disk, folder: string): void {
  fs.rmSync(folder, { recursive: true, force: true });
  for (const [name, bytes] of disk) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), bytes);
  }
}

function readDisk(folder: string): Disk {
  const found = new Map<string, Buffer>();
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    found.set(path.relative(folder, file), fs.readFileSync(file));
  }
  return found;
}

/** The minimum that a disk guarantees: contents by `fsync` of the file, names by `fsync` of their folder. */
class SyncedDisk {
  private readonly contents = new Map<number, Buffer>();
  private readonly names = new Map<string, number>();

  constructor(private readonly root: string) {
    for (const name of readDisk(root).keys()) this.sync(path.join(root, name));
    this.syncNames(root, { deep: true });
  }

  sync(what: number | string): void {
    const stat = typeof what === 'number' ? fs.fstatSync(what) : fs.statSync(what);
    if (!stat.isDirectory())
      return void this.contents.set(
        stat.ino,
        typeof what === 'string' ? fs.readFileSync(what) : contentsOf(what, stat.size),
      );
    const folder = [
      this.root,
      ...fs
        .readdirSync(this.root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => path.join(entry.parentPath, entry.name)),
    ].find((name) => fs.statSync(name).ino === stat.ino);
    if (folder) this.syncNames(folder, { deep: false });
  }

  private syncNames(folder: string, { deep }: { readonly deep: boolean }): void {
    for (const name of this.names.keys()) if (path.dirname(name) === folder) this.names.delete(name);
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      const name = path.join(folder, entry.name);
      this.names.set(name, fs.statSync(name).ino);
      if (deep && entry.isDirectory()) this.syncNames(name, { deep: true });
    }
  }

  afterPowerLoss(): Disk {
    const isThere = (name: string): boolean =>
      name === this.root || (this.names.has(name) && isThere(path.dirname(name)));
    const left = new Map<string, Buffer>();
    for (const [name, inode] of this.names) {
      const folder = !this.contents.has(inode) && [...this.names.keys()].some((other) => path.dirname(other) === name);
      if (!folder && isThere(name) && !(fs.existsSync(name) && fs.statSync(name).isDirectory()))
        left.set(path.relative(this.root, name), this.contents.get(inode) ?? Buffer.alloc(0));
    }
    return left;
  }
}

function contentsOf(descriptor: number, size: number): Buffer {
  // The descriptor may be write-only.
  const buffer = Buffer.alloc(size);
  try {
    return buffer.subarray(0, fs.readSync(descriptor, buffer, 0, size, 0));
  } catch {
    return fs.readFileSync(`/proc/self/fd/${descriptor}`);
  }
}
