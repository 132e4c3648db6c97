import type { JournalEntry } from '../../../core/changes/journalEntry';
import { othersWorkSince, splitByOwner, type OthersWork } from '../../../core/changes/othersChanges';
import { RemovedContents } from '../../../core/changes/removedContents';
import type { FileDelta, FileState } from '../../../core/changes/snapshot';
import type { ActiveRun } from '../activeRuns';
import type { CheckpointStore } from '../checkpointStore';
import { realPath } from '../../storage/diskPaths';
import { reachedStat } from '../folderIndex/foundEntries';
import { JournalReader, JournalWriter, readJournal } from '../journal';
import type { ScannedFolders } from './scannedFolders';

/** Where the changes of a run are found, and where they are recorded. */
export interface Recording {
  readonly folders: ScannedFolders;
  readonly journal: RunJournal;
}

/** Returns the permissions of folders; nothing if one of them is no folder. */
function modesOf(folders: readonly string[]): { readonly modes?: number[] } {
  const modes = folders.flatMap((folder) => {
    const stat = reachedStat(folder);
    return stat?.isDirectory() ? [stat.mode & 0o7777] : [];
  });
  return modes.length === folders.length ? { modes } : {};
}

interface RunJournalParts {
  /** Path of the journal. */
  readonly file: string;
  /** The folders of the run, as it names them. */
  readonly folders: readonly string[];
  readonly store: CheckpointStore;
  readonly run: ActiveRun;
}

/** Records the changes of a run, and knows what the user and other runs recorded at the same time. */
export class RunJournal {
  private readonly writer: JournalWriter;
  private readonly reader: JournalReader;
  /** The last recorded states of files. */
  private readonly states = new Map<string, FileState>();
  /** Number of entries whose states are known. */
  private entriesKnown = 0;
  private isOpen = false;

  constructor(private readonly parts: RunJournalParts) {
    this.writer = new JournalWriter(parts.file);
    this.reader = new JournalReader(parts.file);
  }

  /** Makes the journal known to the store, the run known to other runs, and the store known to the journal. */
  open(): void {
    const { file, folders, store, run } = this.parts;
    // Each time: a cleanup may have removed the registration while it was being written.
    store.register(file);
    if (this.isOpen) return;
    store.activeRuns.enter(run);
    const entries = this.entries();
    // Undos before this process opened the run say nothing about what it finds.
    this.entriesKnown = entries.length;
    const opened = entries.flatMap((entry) => (entry.type === 'opened' ? [entry] : []));
    const real = folders.map(realPath);
    const isKnown = folders.every((folder, at) =>
      opened.some((entry) => entry.folders.includes(folder) && (entry.real?.includes(real[at]!) ?? true)),
    );
    const isNoted = opened.at(-1)?.store === store.folder && isKnown;
    if (!isNoted)
      this.append({
        type: 'opened',
        version: 1,
        at: Date.now(),
        store: store.folder,
        folders: [...folders],
        real,
        ...modesOf(real),
      });
    // Last: after a failure the next action tries again.
    this.isOpen = true;
  }

  /** Makes the run unknown to other runs. */
  leave(): void {
    if (this.isOpen) this.parts.store.activeRuns.leave(this.parts.run);
  }

  /** Resolves when all entries survive a power failure. Rejects with the error of the disk. */
  close(): Promise<void> {
    return this.writer.close();
  }

  /** All entries that are on disk. */
  entries(): readonly JournalEntry[] {
    return readJournal(this.parts.file).entries;
  }

  append(entry: JournalEntry): void {
    this.writer.append(entry);
  }

  /** Records the known changes of others as theirs, and the rest as the entry from `own`. */
  appendParts(
    files: readonly FileDelta[],
    others: readonly FileDelta[],
    own: (files: FileDelta[]) => JournalEntry,
  ): void {
    const parts = files.map((file) => splitByOwner(file, others));
    const most = Math.max(0, ...parts.map(({ length }) => length));
    for (let nth = 0; nth < most; nth++) {
      const now = parts.flatMap((each) => each[nth] ?? []);
      const mine = now.filter(({ isOthers }) => !isOthers).map(({ delta }) => delta);
      const theirs = now.filter(({ isOthers }) => isOthers).map(({ delta }) => delta);
      if (mine.length > 0) this.append(own(mine));
      if (theirs.length > 0) this.append({ type: 'elsewhere', at: Date.now(), files: theirs });
    }
  }

  /** Remembers the states of files that are recorded, to find out later whether others changed them. */
  remember(files: readonly FileDelta[]): void {
    for (const { path, after } of files) this.states.set(path, after);
  }

  /** The last recorded states, with what the user restored in the meantime. */
  recordedStates(): ReadonlyMap<string, FileState> {
    if (!this.writer.haveOthersWritten()) return this.states;
    const { entries } = this.reader.read();
    // In order, with the own entries: a file may have been changed again since an undo.
    for (const entry of entries.slice(this.entriesKnown))
      if ('files' in entry && entry.type !== 'kept') this.remember(entry.files);
    this.entriesKnown = entries.length;
    return this.states;
  }

  /** What the run removed before, according to this journal. */
  removed(): RemovedContents {
    return new RemovedContents(this.reader.read().entries);
  }

  /** What this journal says about changes since a moment, in ms since 1970. */
  workSince(since: number): OthersWork {
    return othersWorkSince(this.reader.read().entries, since);
  }

  /** What the journals of other runs in these folders say that are active or were since then. */
  othersSince(since: number): OthersWork[] {
    const others = this.parts.store.activeRuns.othersIn(this.parts.run, since);
    return others.map(({ journal, hasLeft }) => {
      const work = othersWorkSince(readJournal(journal).entries, since);
      return hasLeft ? { ...work, isActing: false } : work;
    });
  }
}
