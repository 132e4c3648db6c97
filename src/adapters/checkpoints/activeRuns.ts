import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { isRecord } from '../../core/text/parseJson';
import { makeFolder } from '../storage/durableFile';
import { isAlive, isOwner, thisProcess, type Owner } from '../storage/fileLock';
import { namesIn } from '../storage/lenientReads';
import { isWithin } from '../storage/diskPaths';

/** An active run. */
export interface ActiveRun {
  readonly journal: string;
  readonly folders: readonly string[];
  /** Shared by a run and its child runs. */
  readonly family: string;
}

/** Another run that was active in a folder. */
interface OtherRun extends ActiveRun {
  readonly hasLeft: boolean;
}

/** How long a run that ended is known: longer than actions of others that it overlapped, in ms. */
const rememberedMs = 24 * 60 * 60_000;

/**
 * The active runs of one user and those that ended lately, one small file each. Used to detect that two runs in one
 * folder see each other's changes.
 */
export class ActiveRuns {
  constructor(private readonly folder: string) {}

  enter(run: ActiveRun): void {
    makeFolder(this.folder);
    fs.writeFileSync(this.fileOf(run), JSON.stringify({ ...run, owner: thisProcess() }), { mode: 0o600 });
  }

  /** Never throws: a file that stays unchanged names a dead process, and the next run removes it. */
  leave(run: ActiveRun): void {
    const file = this.fileOf(run);
    try {
      fs.renameSync(file, file.replace(/\.json$/, `.${Date.now()}.json`));
    } catch {
      removeQuietly(file);
    }
  }

  /**
   * Other runs in the folders of a run, above or below them, except those of its family. Includes those that ended
   * since a moment, in ms since 1970.
   */
  othersIn(run: ActiveRun, since: number): OtherRun[] {
    const others = new Map<string, OtherRun>();
    for (const name of namesIn(this.folder)) {
      const file = path.join(this.folder, name);
      const leftMs = leftAt(name);
      if (leftMs !== undefined && leftMs < Date.now() - rememberedMs) removeQuietly(file);
      if (leftMs !== undefined && leftMs < since) continue;
      const other = readRun(file);
      const hasLeft = leftMs !== undefined;
      const isGone = other !== undefined && !hasLeft && isAlive(other.owner) === false;
      if (isGone) removeQuietly(file);
      if (!other || isGone || other.family === run.family) continue;
      if (!other.folders.some((folder) => run.folders.some((own) => overlap(folder, own)))) continue;
      // A run that was continued by another process has two files.
      if (!others.has(other.journal) || !hasLeft) others.set(other.journal, { ...other, hasLeft });
    }
    return [...others.values()];
  }

  /** Returns the journals of the runs that are active, in all processes. A run of another container counts for a day. */
  journals(): ReadonlySet<string> {
    const journals = namesIn(this.folder).flatMap((name) => {
      const file = path.join(this.folder, name);
      const run = leftAt(name) === undefined ? readRun(file) : undefined;
      const isActive = run && (isAlive(run.owner) ?? isFromLastDay(file));
      return isActive ? [run.journal] : [];
    });
    return new Set(journals);
  }

  private fileOf({ journal }: ActiveRun): string {
    const hash = createHash('sha256').update(journal).digest('hex').slice(0, 24);
    return path.join(this.folder, `${process.pid}-${hash}.json`);
  }
}

/** When a run ended, according to the name of its file, in ms since 1970; undefined while it is active. */
function leftAt(name: string): number | undefined {
  const [, left] = /\.(\d{1,16})\.json$/.exec(name) ?? [];
  return left === undefined ? undefined : Number(left);
}

const isFromLastDay = (file: string): boolean =>
  (fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) > Date.now() - rememberedMs;

function removeQuietly(file: string): void {
  try {
    fs.rmSync(file, { force: true });
  } catch {
    // The disk is not writable. Whoever reads the file next sees that its process is dead.
  }
}

function readRun(file: string): (ActiveRun & { readonly owner: Owner }) | undefined {
  try {
    const read: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
    return isActiveRun(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Validated by hand: a run reads these files after each command that changed files, and would need zod for nothing
 * else.
 */
function isActiveRun(read: unknown): read is ActiveRun & { readonly owner: Owner } {
  if (!isRecord(read)) return false;
  const { owner, journal, folders, family } = read;
  return (
    isOwner(owner) &&
    typeof journal === 'string' &&
    typeof family === 'string' &&
    Array.isArray(folders) &&
    folders.every((folder) => typeof folder === 'string')
  );
}

const overlap = (a: string, b: string): boolean => isWithin(a, b) || isWithin(b, a);
