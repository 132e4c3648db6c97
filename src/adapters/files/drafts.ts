import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { startOf, thisProcess } from '../storage/fileLock';

/**
 * Names of files that are there only while another one is written: `.waymark-PLACE-PID-RANDOM.tmp`. The name
 * says which process of which machine made it, so that what a killed program left behind can be told from
 * what another one is writing at this moment.
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
 * Whether a name is that of a file which a living program of this machine writes at this moment. Whoever else takes
 * such a name hides nothing by it.
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
