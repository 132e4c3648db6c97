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

/**
 * Age in ms after which a draft of an unknown owner counts as abandoned: one from another machine or an earlier
 * version.
 */
const oldAge = 24 * 60 * 60_000;
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
export async function sweepDrafts(folders: readonly string[]): Promise<void> {
  const waiting = [...folders];
  for (
    let namesRead = 0, folder = waiting.shift();
    folder !== undefined && namesRead < maxNames;
    folder = waiting.shift()
  ) {
    const entries = await fs.promises.readdir(folder, { withFileTypes: true }).catch(() => []);
    namesRead += entries.length;
    for (const entry of entries) {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory() && !withoutOwnFiles.has(entry.name)) waiting.push(file);
      else if (entry.isFile() && (await isLeft(file, entry.name)))
        await fs.promises.rm(file, { force: true }).catch(() => undefined);
    }
  }
}

/**
 * Returns whether a running program of this machine is writing a file of this name. Other files cannot hide behind such
 * a name.
 */
export function isLivingDraft(name: string): boolean {
  const found = name.startsWith('.waymark-') ? draftPattern.exec(name) : null;
  if (!found) return false;
  const [, place, pid] = found;
  return place === placeMark() && startOf(Number(pid)) !== '';
}

async function isLeft(file: string, name: string): Promise<boolean> {
  const found = draftPattern.exec(name);
  if (!found) return false;
  const [, place, pid] = found;
  if (place === placeMark()) return startOf(Number(pid)) === '';
  const { mtimeMs } = await fs.promises.stat(file).catch(() => ({ mtimeMs: Date.now() }));
  return Date.now() - mtimeMs > oldAge;
}
