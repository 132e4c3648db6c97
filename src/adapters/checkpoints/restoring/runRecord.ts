import { unendedActions, unendedGap } from '../../../core/changes/unendedActions';
import type { JournalEntry } from '../../../core/changes/journalEntry';
import { isAlive, type Owner } from '../../storage/fileLock';
import { appendToJournal, JournalReader, type ReadJournal } from '../journal';
import type { RunPlaces } from '../runFolders';

/** An action whose changes are not all known, with the reason worded for people. */
export interface UncoveredAction {
  readonly action: string;
  readonly words: string;
  /** The files that it is about; absent if they are not known. */
  readonly files?: readonly string[];
}

const doubtsOf = ({ action, uncovered, doubts = [] }: JournalEntry & { type: 'changed' }): UncoveredAction[] => [
  ...(uncovered === undefined ? [] : [{ action, words: uncovered }]),
  ...doubts.map((doubt) => ({ action, ...doubt })),
];

/** What the journal of a run says, without a look at its files. */
export class RunRecord {
  private readonly reader: JournalReader;
  private read: ReadJournal;

  /** `journal`: its file. */
  constructor(readonly journal: string) {
    this.reader = new JournalReader(journal);
    this.read = this.reader.read();
  }

  get entries(): readonly JournalEntry[] {
    return this.read.entries;
  }

  /** What could not be read of the journal, and restores that were rolled back, as a message for people. */
  get problems(): readonly string[] {
    return this.read.problems;
  }

  /** True if checkpoints were made for this run. */
  get isKept(): boolean {
    return this.entries.some(({ type }) => type === 'opened');
  }

  /** True if the copies were deleted because of their age or size, and the run has changed nothing since. */
  get cleaned(): boolean {
    const hasCleaned = this.entries.some(({ type }) => type === 'cleaned');
    return hasCleaned && !this.counting.some(({ type }) => type === 'changed');
  }

  /** The entries whose copies were not cleaned up. A run that continues after a cleanup adds new ones. */
  get counting(): readonly JournalEntry[] {
    return this.entries.slice(this.entries.findLastIndex(({ type }) => type === 'cleaned') + 1);
  }

  /** True if an action that may change files is running. */
  get isActing(): boolean {
    return this.ownersAtWork().length > 0;
  }

  /** Number of hunks that the user kept. */
  get keptHunks(): number {
    return this.entries.reduce((sum, entry) => sum + (entry.type === 'kept' ? entry.hunks : 0), 0);
  }

  /** Undos that were not redone, oldest first. */
  get undone(): readonly Extract<JournalEntry, { type: 'undone' }>[] {
    const entries = this.counting;
    const redone = new Set(entries.flatMap((entry) => (entry.type === 'redone' ? [entry.of] : [])));
    return entries.flatMap((entry) => (entry.type === 'undone' && !redone.has(entry.id) ? [entry] : []));
  }

  /** The latest undo that was not redone. */
  get lastUndone(): Extract<JournalEntry, { type: 'undone' }> | undefined {
    return this.undone.at(-1);
  }

  /**
   * Returns undos that the model was not notified of: another window or terminal did them and cannot write the log.
   * `reported`: the messages in the log.
   */
  unreportedUndos(reported: readonly string[]): { readonly id: string; readonly words: string }[] {
    const left = [...reported];
    const isTold = ({ words }: { readonly words: string }): boolean => {
      const at = left.indexOf(words);
      if (at >= 0) left.splice(at, 1);
      return at >= 0;
    };
    const all = this.counting.filter((entry) => entry.type === 'undone');
    const standing = new Set(this.undone.map(({ id }) => id));
    return all.filter((entry) => !isTold(entry) && standing.has(entry.id));
  }

  /** Actions whose changes may not be completely known, or not for certain files, with the reason as a message. */
  get uncovered(): readonly UncoveredAction[] {
    const open = unendedActions(this.entries);
    // The latest one may still be running, unless its program was killed.
    const latest = this.entries.findLast((entry) => entry.type === 'began');
    const running = latest?.by && isAlive(latest.by) === false ? undefined : latest;
    const counting = new Set(this.counting);
    const uncovered = this.entries.flatMap((entry) => {
      if (entry.type === 'changed' && entry.files.length > 0 && !counting.has(entry))
        return [{ action: entry.action, words: 'The copies of the files that this action changed were cleaned up.' }];
      if (entry.type === 'changed') return doubtsOf(entry);
      if (entry.type === 'began' && entry !== running && open.get(entry.action) === entry)
        return [
          { action: entry.action, words: 'The changes of this action were not recorded, or the record was deleted.' },
        ];
      return [];
    });
    return [...uncovered, ...this.uncoveredGap()];
  }

  /** The changes of hooks and background processes that were running when the program of the run was killed. */
  private uncoveredGap(): readonly UncoveredAction[] {
    const gap = unendedGap(this.counting);
    if (!gap || isAlive(gap.by) !== false) return [];
    const words =
      'The program ended while a hook or background process could change files after this action. These changes are not recorded. If the run continues, they are looked for and listed as "between steps".';
    return [{ action: gap.after, words }];
  }

  /** True if an action began whose end was not recorded: it is running, or its program was killed. */
  get hasOpenAction(): boolean {
    return unendedActions(this.entries).size > 0;
  }

  /** The folders in which the run works, as paths of the disk. */
  get places(): RunPlaces {
    const opened = this.entries.filter((entry) => entry.type === 'opened');
    const areReal = opened.every(({ real }) => real !== undefined);
    const modes = opened.flatMap(({ real = [], modes: known = [] }) =>
      real.flatMap((folder, at): [string, number][] => (known[at] === undefined ? [] : [[folder, known[at]]])),
    );
    return {
      folders: opened.flatMap(({ folders, real }) => (areReal && real) || folders),
      areReal,
      modes: new Map(modes),
    };
  }

  /** The processes in which an action of this run is running. */
  ownersAtWork(): Owner[] {
    return [...unendedActions(this.entries).values()].flatMap(({ by }) => (by && isAlive(by) !== false ? [by] : []));
  }

  /** Reads what was added to the file since. */
  reread(): void {
    this.read = this.reader.read();
  }

  append(entry: JournalEntry): void {
    appendToJournal(this.journal, entry);
    this.reread();
  }
}
