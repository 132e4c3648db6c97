import type { JournalEntry } from './journalEntry';
import { isSameState, type FileDelta, type FileState } from './snapshot';

/** What a run removed from its files and folders, and what an undo restores. */
export class RemovedContents {
  private readonly keys = new Set<string>();
  private readonly places = new Map<string, FileState>();

  constructor(entries: readonly JournalEntry[]) {
    const { keys, places } = this;
    for (const entry of entries) {
      if (!('files' in entry)) {
        if (entry.type === 'cleaned') [keys, places].forEach((each) => each.clear());
        continue;
      }
      for (const { path, before, after } of entry.files)
        if (after !== null || entry.type !== 'changed') places.delete(path);
        else places.set(path, before);
      // An undo does not restore what the user agreed to remove.
      if (entry.type === 'kept') for (const { path, before } of entry.files) keys.delete(keyOf(path, before));
      if (entry.type !== 'changed' && entry.type !== 'between') continue;
      for (const { path, before, after } of entry.files) if (!isSameState(before, after)) keys.add(keyOf(path, before));
    }
  }

  /** Returns what was at a path that the run deleted last, and nobody else since; null if it deleted nothing there. */
  from(path: string): FileState {
    return this.places.get(path) ?? null;
  }

  /** Returns whether the run removed what is at a path now, there or, if it is a file, elsewhere. */
  has({ path, after }: FileDelta): boolean {
    const key = keyOf(path, after);
    return key !== '' && this.keys.has(key);
  }
}

/** Empty if there is no content. */
function keyOf(path: string, state: FileState): string {
  if (state?.kind === 'folder') return `folder ${path}`;
  if (state?.kind === 'link') return `link ${state.target}`;
  return state?.hash === undefined ? '' : `file ${state.hash}`;
}
