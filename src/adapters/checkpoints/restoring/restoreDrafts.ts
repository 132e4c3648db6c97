import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { FileDelta } from '../../../core/changes/snapshot';
import { draftName } from '../../files/drafts';
import type { BlobStore } from '../blobStore';
import type { RunFolders } from '../runFolders';
import { changing } from './openedFolders';

/**
 * Maximum number of files to sync at once, each with an open descriptor. Syncing in parallel waits for a busy disk only
 * once.
 */
const maxSyncedAtOnce = 16;

/** Where each file is written before it is moved into place. */
export function draftsFor(files: readonly FileDelta[], folders: RunFolders): Map<string, string> {
  const written = files.filter(({ after }) => after !== null && after.kind !== 'folder');
  return new Map(written.map(({ path: file }) => [file, path.join(folders.nearestFolder(file), draftName())]));
}

/** Writes all drafts and makes them durable, several at once. */
export async function writeDrafts(
  files: readonly FileDelta[],
  drafts: ReadonlyMap<string, string>,
  blobs: BlobStore,
  folders: RunFolders,
): Promise<void> {
  const open: number[] = [];
  try {
    for (const { path: file, before, after } of files) {
      const draft = drafts.get(file);
      if (draft === undefined || after === null) continue;
      if (after.kind === 'link')
        changing(draft, folders, (place) => fs.symlinkSync(after.target, place), { named: file });
      else if (after.kind === 'file') {
        const { hash, mode } = after;
        if (hash === undefined) throw new Error(`Waymark has no copy of ${file}, so it cannot be restored.`);
        const descriptor = changing(draft, folders, (place) => fs.openSync(place, 'wx', 0o600), { named: file });
        open.push(descriptor);
        fs.writeFileSync(descriptor, blobs.get(hash));
        fs.fchmodSync(descriptor, mode);
        if (before?.kind === 'file') keepOwner(file, descriptor, mode, folders);
      }
      if (open.length === maxSyncedAtOnce) await syncAndClose(open);
    }
    await syncAndClose(open);
  } finally {
    for (const descriptor of open) fs.closeSync(descriptor);
  }
}

/** Syncs and closes the descriptors and empties the list, even on errors. */
async function syncAndClose(open: number[]): Promise<void> {
  // Closes none while another is still being synced.
  const results = await Promise.allSettled(open.map((descriptor) => sync(descriptor)));
  for (const descriptor of open.splice(0)) fs.closeSync(descriptor);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

const sync = promisify(fs.fsync);

/** Gives the draft the owner of the file, if that is allowed. */
function keepOwner(file: string, draft: number, mode: number, folders: RunFolders): void {
  const { uid, gid } = folders.withPath(file, (place) => fs.lstatSync(place));
  const own = fs.fstatSync(draft);
  if (own.uid === uid && own.gid === gid) return;
  try {
    fs.fchownSync(draft, uid, gid);
    // Changing the owner may clear bits of the mode.
    fs.fchmodSync(draft, mode);
  } catch {
    // Only root may change the owner, or the mode of a file of another user.
  }
}

/** Deletes drafts. Those whose folder was deleted are skipped. */
export function removeDrafts(drafts: Iterable<string>, folders: RunFolders): void {
  for (const draft of drafts) {
    try {
      folders.withPath(draft, (place) => fs.rmSync(place, { force: true }));
    } catch {
      // Its folder was deleted, and the draft with it.
    }
  }
}
