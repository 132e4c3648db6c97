import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { startOf, thisProcess } from '../storage/fileLock';

/**
 * Names of temporary files that exist only while another file is written: `.waymark-PLACE-PID-RANDOM.tmp`. The name
 * says which process on which machine made the file, so that leftovers of a killed program can be told apart from files
 * in use.
 */
const draftPattern = /^\.waymark-(?:([0-9a-f]{8})-(\d+)-)?[0-9a-f]{12}\.tmp$/;

/** Milliseconds after which a draft of an unknown owner is nobody's: of another machine, or of an earlier version. */
const oldAge = 24 * 60 * 60_000;
/** Names that a sweep looks at, at most. */
const mostNames = 50_000;
/** What nobody writes drafts into, and what may be large. */
const passedOver = new Set(['.git', 'node_modules']);

let mark: string | undefined;
/** Where numbers of processes mean the same, in a few letters. */
const placeMark = (): string =>
  (mark ??= createHash('sha256')
    .update(thisProcess().place ?? '')
    .digest('hex')
    .slice(0, 8));

/** A name for a new draft. */
export const draftName = (): string => `.waymark-${placeMark()}-${process.pid}-${randomBytes(6).toString('hex')}.tmp`;

/**
 * Deletes the drafts below some folders that killed programs left there. Never rejects:
 * what cannot be looked at stays as it is.
 */
export async function sweepDrafts(folders: readonly string[]): Promise<void> {
  const waiting = [...folders];
  for (let seen = 0, folder = waiting.shift(); folder !== undefined && seen < mostNames; folder = waiting.shift()) {
    const entries = await fs.promises.readdir(folder, { withFileTypes: true }).catch(() => []);
    seen += entries.length;
    for (const entry of entries) {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory() && !passedOver.has(entry.name)) waiting.push(file);
      else if (entry.isFile() && (await isLeft(file, entry.name)))
        await fs.promises.rm(file, { force: true }).catch(() => undefined);
    }
  }
}

/**
 * Whether a running program of this machine is writing a file of this name now. Other files cannot hide behind such a
 * name.
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
