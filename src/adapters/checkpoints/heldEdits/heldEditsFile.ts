import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { makeFolder, writeDurably } from '../../storage/durableFile';
import { follows, framedLine, isSealed, readFrame } from '../../storage/frame';
import { machineKey } from '../../storage/machineKey';
import { whileLocked } from '../../storage/fileLock';
import { textIfThere } from '../../storage/lenientReads';

/** A file as a run wants it to be, pending review. `null` means that the file does not exist. */
const HeldFile = z.object({
  /** Absolute path. */
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** The previous path of a moved file. */
  movedFrom: z.string().optional(),
  /** The last action that edited it. */
  action: z.string(),
});
export type HeldFile = z.infer<typeof HeldFile>;

/** Returns whether a held edit is still the same. Another action that made it does not count. */
export const isSameHeld = (a: HeldFile | undefined, b: HeldFile | undefined): boolean =>
  a?.before === b?.before && a?.after === b?.after && a?.path === b?.path;

const Held = z.object({ version: z.literal(1), files: z.array(HeldFile) });

/**
 * Path of the held edits of the run with the log `log`, stored beside the log. A run and its child runs share one file,
 * so that all their edits are pending in one place.
 */
export const heldEditsOf = (log: string): string => `${log}.held.json`;

/** The held edits of a run on disk. Other sessions, windows and terminals may change them, too. */
export class HeldEditsFile {
  private byPath = new Map<string, HeldFile>();
  /** Stamp of the file when it was last read or written. */
  private stamp = '';
  private damaged = false;

  constructor(readonly path: string) {}

  /** The held files by absolute path, as of the last `refresh` or `update`. */
  get files(): ReadonlyMap<string, HeldFile> {
    return this.byPath;
  }

  /** True if the file cannot be read as held edits of this machine. */
  get isDamaged(): boolean {
    return this.damaged;
  }

  /** Reads the file again: another window or terminal may have applied or discarded edits. */
  refresh(): void {
    const stamp = stampOf(this.path);
    if (stamp === this.stamp) return;
    const read = readHeld(this.path);
    this.damaged = read === undefined;
    this.byPath = new Map((read ?? []).map((each) => [each.path, each]));
    this.stamp = stamp;
  }

  /** Holds a file, or no longer if nothing is left to change. Call it within `update`. */
  set(file: HeldFile): void {
    if (file.before === file.after) this.byPath.delete(file.path);
    else this.byPath.set(file.path, file);
  }

  delete(absolute: string): void {
    this.byPath.delete(absolute);
  }

  /**
   * Changes the held edits and saves them, under a lock against other sessions, windows and terminals that hold or
   * apply edits of the same run. If `work` throws, nothing changes.
   */
  update<Answer>(work: () => Answer): Answer {
    makeFolder(path.dirname(this.path));
    return whileLocked(`${this.path}.lock`, () => {
      this.refresh();
      const before = new Map(this.byPath);
      try {
        const answer = work();
        this.save();
        return answer;
      } catch (error) {
        this.byPath = before;
        throw error;
      }
    });
  }

  private save(): void {
    // A damaged file is renamed instead of overwritten, so that its contents can be recovered.
    if (this.damaged && fs.existsSync(this.path)) fs.renameSync(this.path, freeName(`${this.path}.damaged`));
    this.damaged = false;
    if (this.byPath.size === 0) fs.rmSync(this.path, { force: true });
    else {
      const text = JSON.stringify({ version: 1, files: [...this.byPath.values()] });
      writeDurably(this.path, [framedLine(text, '', machineKey()).line]);
    }
    this.stamp = stampOf(this.path);
  }
}

/** Identifies a version of the file; empty if the file does not exist. */
function stampOf(file: string): string {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  return stat ? `${stat.ino} ${stat.mtimeMs} ${stat.size}` : '';
}

/**
 * Reads the held edits. Only a file sealed by this machine counts, because it is offered to the user as what the agent
 * wants. Returns undefined for any other content. Throws if the disk cannot be read: treating that as empty would
 * overwrite the file.
 */
function readHeld(file: string): readonly HeldFile[] | undefined {
  const whole = textIfThere(file);
  if (whole === undefined) return [];
  const [line = ''] = whole.split('\n');
  const frame = readFrame(Buffer.from(line));
  if (!frame || !isSealed(frame, machineKey()) || !follows(frame, '')) return undefined;
  try {
    return Held.safeParse(JSON.parse(line)).data?.files;
  } catch {
    return undefined;
  }
}

/** Returns the name, with a number appended if it is taken. */
function freeName(file: string): string {
  let name = file;
  for (let number = 2; fs.existsSync(name); number++) name = `${file}.${number}`;
  return name;
}
