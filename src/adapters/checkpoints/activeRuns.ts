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

/**
 * The active runs of one user, one small file each. Used to detect that two runs in one folder see each other's
 * changes.
 */
export class ActiveRuns {
  constructor(private readonly folder: string) {}

  enter(run: ActiveRun): void {
    makeFolder(this.folder);
    fs.writeFileSync(this.fileOf(run), JSON.stringify({ ...run, owner: thisProcess() }), { mode: 0o600 });
  }

  /** Never throws: a file that remains names a dead process, and the next run removes it. */
  leave(run: ActiveRun): void {
    removeQuietly(this.fileOf(run));
  }

  /** Other runs in the folders of a run, above or below them, except those of its family. */
  othersIn(run: ActiveRun): ActiveRun[] {
    return namesIn(this.folder).flatMap((name) => {
      const file = path.join(this.folder, name);
      const other = readRun(file);
      const isGone = other !== undefined && isAlive(other.owner) === false;
      if (isGone) removeQuietly(file);
      if (!other || isGone || other.family === run.family) return [];
      return other.folders.some((folder) => run.folders.some((own) => overlap(folder, own))) ? [other] : [];
    });
  }

  private fileOf({ journal }: ActiveRun): string {
    const hash = createHash('sha256').update(journal).digest('hex').slice(0, 24);
    return path.join(this.folder, `${process.pid}-${hash}.json`);
  }
}

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
