import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { isRecord } from '../../core/text/fields';
import { makeFolder } from '../storage/durableFile';
import { isAlive, isOwner, thisProcess, type Owner } from '../storage/fileLock';
import { namesIn } from '../storage/namesIn';

/** A run that is at work. */
export interface LivingRun {
  readonly journal: string;
  readonly folders: readonly string[];
  /** The same for a run and those that work for it. */
  readonly family: string;
}

/**
 * The runs of one person that are at work at this moment, one small file for each. Two in one folder see each other's
 * changes, which is told by this.
 */
export class LivingRuns {
  constructor(private readonly folder: string) {}

  enter(run: LivingRun): void {
    makeFolder(this.folder);
    fs.writeFileSync(this.fileOf(run), JSON.stringify({ ...run, owner: thisProcess() }), { mode: 0o600 });
  }

  /** Never throws: what is left says a process that is gone, and the next run takes it away. */
  leave(run: LivingRun): void {
    removeQuietly(this.fileOf(run));
  }

  /** Other runs that work in one of its folders, above or below it, but not those of its family. */
  besides(run: LivingRun): LivingRun[] {
    return namesIn(this.folder).flatMap((name) => {
      const file = path.join(this.folder, name);
      const other = readRun(file);
      const isGone = other !== undefined && isAlive(other.owner) === false;
      if (isGone) removeQuietly(file);
      if (!other || isGone || other.family === run.family) return [];
      return other.folders.some((folder) => run.folders.some((own) => overlap(folder, own))) ? [other] : [];
    });
  }

  private fileOf({ journal }: LivingRun): string {
    const hash = createHash('sha256').update(journal).digest('hex').slice(0, 24);
    return path.join(this.folder, `${process.pid}-${hash}.json`);
  }
}

function removeQuietly(file: string): void {
  try {
    fs.rmSync(file, { force: true });
  } catch {
    // A disk that takes nothing: who reads the file next sees that its process is gone.
  }
}

function readRun(file: string): (LivingRun & { readonly owner: Owner }) | undefined {
  try {
    const read: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
    return isLivingRun(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

/** Checked by hand: a run reads these after each command that changed files, and needs zod for nothing else. */
function isLivingRun(read: unknown): read is LivingRun & { readonly owner: Owner } {
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

const isIn = (folder: string, other: string): boolean => `${folder}${path.sep}`.startsWith(`${other}${path.sep}`);
const overlap = (one: string, other: string): boolean => isIn(one, other) || isIn(other, one);
