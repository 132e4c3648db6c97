import path from 'node:path';
import type { JournalEntry } from '../../core/changes/journalEntry';
import { isCopied, isSameState, type FileDelta, type FileState } from '../../core/changes/snapshot';
import { namesIn } from '../storage/lenientReads';
import { isLeftOut, type CheckpointLimits } from './coverage';
import type { RunFolders } from './runFolders';

/** Maximum number of files and folders to check in a folder. */
const maxEntries = 500;

/** What a run created according to its journal, in the state in which it left it. */
export class CreatedPaths {
  private readonly states = new Map<string, FileState>();

  constructor(entries: readonly JournalEntry[]) {
    for (const entry of entries) {
      if (entry.type === 'kept' || !('files' in entry)) continue;
      const isOwn = entry.type === 'changed' || entry.type === 'redone';
      const doubtful = new Set(entry.type === 'changed' ? entry.doubts?.flatMap(({ files }) => files) : []);
      const others = this.othersIn(entry.files);
      for (const { path: place, before, after } of entry.files) {
        const isOthers = after?.kind === 'file' && after.hash !== undefined && others.has(after.hash);
        const isNew = before === null && !isOthers;
        const isCreated = isOwn && !doubtful.has(place) && (isNew || this.states.has(place));
        if (isCreated && after !== null && isCopied({ state: after })) this.states.set(place, after);
        else this.states.delete(place);
      }
    }
  }

  /** Returns the earlier contents of files that the run did not create: it may have moved them. */
  private othersIn(files: readonly FileDelta[]): ReadonlySet<string> {
    const others = files.filter(({ path: place }) => !this.states.has(place));
    return new Set(others.flatMap(({ before }) => (before?.kind === 'file' ? (before.hash ?? []) : [])));
  }

  /**
   * Returns whether a file, or a folder with everything in it, is as the run created it. An undo can bring it back if it
   * is deleted then.
   */
  isThere(place: string, folders: RunFolders, limits: CheckpointLimits): boolean {
    let left = maxEntries;
    const isAsLeft = (at: string): boolean => {
      const known = this.states.get(at);
      if (known === undefined || left-- === 0) return false;
      if (!isSameState(known, folders.snapshot(at, limits, known).state)) return false;
      if (known?.kind !== 'folder') return true;
      return namesIn(at).every((name) => !isLeftOut(name, true) && isAsLeft(path.join(at, name)));
    };
    return isAsLeft(place);
  }
}
