import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { startOf, thisProcess } from '../storage/fileLock';
import { withoutOwnFiles } from '../storage/skippedFolders';

/**
 * Names of temporary files that exist only while another file is written: `.waymark-PLACE-PID-RANDOM.tmp`. The name
 * identifies the machine and the process, so that leftovers of a killed program can be distinguished from files in use.
 */
const draftPattern = /^\.waymark-(?:([0-9a-f]{8})-(\d+)-)?[0-9a-f]{12}\.tmp$/;

/** Age after which a draft counts as abandoned if its owner is unknown: another machine, or an earlier version. */
const abandonedAfterMs = 24 * 60 * 60_000;
/** Maximum number of names that a sweep checks. */
const maxNames = 50_000;

let cachedPlaceMark: string | undefined;
/** A short hash of the machine or container within which process ids are comparable. */
const placeMark = (): string =>
  (cachedPlaceMark ??= createHash('sha256')
    .update(thisProcess().place ?? '')
    .digest('hex')
    .slice(0, 8));

/** Returns a name for a new draft. */
export const draftName = (): string => `.waymark-${placeMark()}-${process.pid}-${randomBytes(6).toString('hex')}.tmp`;

/** Deletes the drafts that killed programs left below some folders. Never rejects; unreadable folders are skipped. */
export async function sweepDraftsBelow(folders: readonly string[]): Promise<void> {
  const waiting = [...folders];
  let namesRead = 0;
  for (let folder = waiting.shift(); folder !== undefined && namesRead < maxNames; folder = waiting.shift()) {
    const entries = await fs.promises.readdir(folder, { withFileTypes: true }).catch(() => []);
    namesRead += entries.length;
    for (const entry of entries) {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory() && !withoutOwnFiles.has(entry.name)) waiting.push(file);
      else if (entry.isFile() && (await isAbandoned(file, entry.name)))
        await fs.promises.rm(file, { force: true }).catch(() => undefined);
    }
  }
}

/** Returns the owner that a draft name contains: empty if it has none, undefined if it is no name of a draft. */
function ownerIn(name: string): { readonly place?: string; readonly pid?: number } | undefined {
  const match = name.startsWith('.waymark-') ? draftPattern.exec(name) : null;
  if (!match) return undefined;
  const [, place, pid] = match;
  return place === undefined ? {} : { place, pid: Number(pid) };
}

/**
 * Returns whether a running program of this machine is writing a file of this name. Other files cannot hide behind such
 * a name.
 */
export function isLivingDraft(name: string): boolean {
  const owner = ownerIn(name);
  return owner?.pid !== undefined && owner.place === placeMark() && startOf(owner.pid) !== '';
}

/** Returns whether a file is a draft that no program is still writing. */
async function isAbandoned(file: string, name: string): Promise<boolean> {
  const owner = ownerIn(name);
  if (!owner) return false;
  if (owner.pid !== undefined && owner.place === placeMark()) return startOf(owner.pid) === '';
  const { mtimeMs } = await fs.promises.stat(file).catch(() => ({ mtimeMs: Date.now() }));
  return Date.now() - mtimeMs > abandonedAfterMs;
}
