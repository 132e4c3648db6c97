import type { JournalEntry } from '../../../core/changes/journalEntry';
import { isCopied, isSameState, type FileDelta, type FileState } from '../../../core/changes/snapshot';
import type { CheckpointLimits } from '../coverage';
import type { RunFolders } from '../runFolders';

/** Maximum duration of an action during which nobody else is expected to create files, in ms. */
const maxAloneMs = 5000;

type EntryWithFiles = Extract<JournalEntry, { readonly files: unknown }>;

/**
 * What a run created according to its journal, in the state in which it left it. Omits what appeared during a long
 * action: somebody else may have saved it meanwhile, and times of files do not tell.
 */
export class CreatedPaths {
  /** Also of folders: a file that replaces one of them is created by the run, too. */
  private readonly states = new Map<string, FileState>();
  /** What a redo may bring back although somebody else may have created it. */
  private readonly uncertain = new Set<string>();

  constructor(entries: readonly JournalEntry[]) {
    const began = new Map<string, number>();
    for (const entry of entries) {
      // If the user saves a file during an action, the journal says again that it began.
      if (entry.type === 'began' && !began.has(entry.action)) began.set(entry.action, entry.at);
      if (entry.type === 'kept' || !('files' in entry)) continue;
      const isLong = entry.type === 'changed' && entry.at - (began.get(entry.action) ?? -Infinity) > maxAloneMs;
      const others = this.othersIn(entry.files);
      this.noteUncertain(entry, isLong);
      for (const file of entry.files) this.noteState(file, entry, others);
    }
  }

  /** `isLong`: an action during which others may have created files. */
  private noteUncertain(entry: EntryWithFiles, isLong: boolean): void {
    const doubtful = new Set(entry.type === 'changed' ? entry.doubts?.flatMap(({ files }) => files) : []);
    for (const { path: place } of entry.files)
      if (entry.type !== 'redone' && (isLong || doubtful.has(place))) this.uncertain.add(place);
      else if (entry.type === 'changed') this.uncertain.delete(place);
  }

  /** `others`: contents of files that the run did not create. */
  private noteState(
    { path: place, before, after }: FileDelta,
    { type }: EntryWithFiles,
    others: ReadonlySet<string>,
  ): void {
    const isOwn = (type === 'changed' || type === 'redone') && !this.uncertain.has(place);
    const isOthers = after?.kind === 'file' && after.hash !== undefined && others.has(after.hash);
    const isNew = before === null && !isOthers;
    const isCreated = isOwn && (isNew || this.states.has(place));
    if (isCreated && after !== null && isCopied({ state: after })) this.states.set(place, after);
    else this.states.delete(place);
  }

  /** Returns the earlier contents of files that the run did not create: it may have moved them. */
  private othersIn(files: readonly FileDelta[]): ReadonlySet<string> {
    const others = files.filter(({ path: place }) => !this.states.has(place));
    return new Set(others.flatMap(({ before }) => (before?.kind === 'file' ? (before.hash ?? []) : [])));
  }

  /**
   * Returns whether a file is as the run created it. An undo can bring it back if it is deleted then. False for a folder:
   * deleting one is for a person to decide, whoever created it.
   */
  isThere(place: string, folders: RunFolders, limits: CheckpointLimits): boolean {
    const known = this.states.get(place);
    if (!known || known.kind === 'folder') return false;
    return isSameState(known, folders.snapshot(place, limits, known).state);
  }
}
