import {
  changesIn,
  changesOf,
  reviewsOf,
  wholeRun,
  type ChangeScope,
  type ChangeSource,
  type FileChanges,
} from '../../core/changes/changesOf';
import type { FileDelta } from '../../core/changes/fileState';
import { baseWithHunks, type FileReview } from '../../core/changes/fileReview';
import type { JournalEntry } from '../../core/changes/journalEntry';
import { isSameSnapshot, type Snapshot } from '../../core/changes/snapshot';
import { undoneInWords, undoPlan, type UndoChoice, type UndoPlan, type UndoProblem } from '../../core/changes/undoPlan';
import { changeSource } from './changeSource';
import type { KeptFile, KeptSide } from '../git/commitKept';
import { RestoreConflict } from './restoreConflict';
import { isAlive, type Owner } from '../storage/fileLock';
import type { CheckpointStore } from './checkpointStore';
import { appendToJournal, journalOf, readJournal } from './journal';
import { deltasToRestore, hasRestores, keptState, recoverRestores, restore, whileRestoring } from './restore';
import { RunFolders } from './runFolders';

/** What came of undoing. `words` is what the model is to be told. */
export type Undone =
  | { readonly status: 'done'; readonly id: string; readonly plan: UndoPlan; readonly words: string }
  | { readonly status: 'nothing'; readonly plan: UndoPlan }
  | { readonly status: 'refused'; readonly plan: UndoPlan; readonly problems: readonly UndoProblem[] };

/** The changes of one run on this machine: what they are, and what a person does with them. */
export class RunChanges {
  readonly journal: string;
  private read: { readonly entries: readonly JournalEntry[]; readonly problems: readonly string[] };

  /** `asSeen`: a file as it is, where not the disk says so but an editor. `shown`: a path for people. */
  constructor(
    log: string,
    private readonly store: CheckpointStore,
    private readonly shown: (path: string) => string,
    private readonly asSeen: (path: string, disk: Snapshot) => Snapshot = (_path, disk) => disk,
  ) {
    this.journal = journalOf(log);
    this.read = readJournal(this.journal);
  }

  get entries(): readonly JournalEntry[] {
    return this.read.entries;
  }

  /** What of the journal could not be read, and restores that had to be taken back, in words for a person. */
  get problems(): readonly string[] {
    return this.read.problems;
  }

  /** Whether checkpoints were made for this run. */
  get isKept(): boolean {
    return this.entries.some(({ type }) => type === 'opened');
  }

  /** Whether the copies are gone, because of their age or size. */
  get cleaned(): boolean {
    return this.entries.some(({ type }) => type === 'cleaned');
  }

  /** How many hunks a person kept. */
  get keptHunks(): number {
    return this.entries.reduce((sum, entry) => sum + (entry.type === 'kept' ? entry.hunks : 0), 0);
  }

  /** What was undone and not put back, oldest first. */
  get undone(): readonly Extract<JournalEntry, { type: 'undone' }>[] {
    const redone = new Set(this.entries.flatMap((entry) => (entry.type === 'redone' ? [entry.of] : [])));
    return this.entries.flatMap((entry) => (entry.type === 'undone' && !redone.has(entry.id) ? [entry] : []));
  }

  /** The net changes up to the last action that counts, whatever was done later. */
  changesUntil(counts: (action: string) => boolean, scope: ChangeScope): Promise<FileChanges[]> {
    const last = this.entries.findLastIndex((entry) => entry.type === 'changed' && counts(entry.action));
    const source = { ...this.source, entries: this.entries.slice(0, last + 1) };
    return changesOf(source, { ...scope, untilNow: false });
  }

  /** Actions whose changes may not be all known, with the reason in words. */
  get uncovered(): readonly { readonly action: string; readonly words: string }[] {
    const ended = new Set(this.entries.flatMap((entry) => (entry.type === 'changed' ? [entry.action] : [])));
    // The latest may run at this moment.
    const latest = this.entries.findLast(({ type }) => type === 'began');
    return this.entries.flatMap((entry) => {
      if (entry.type === 'changed' && entry.uncovered !== undefined)
        return [{ action: entry.action, words: entry.uncovered }];
      if (entry.type === 'began' && entry !== latest && !ended.has(entry.action))
        return [{ action: entry.action, words: 'What this action changed was not recorded, or the record is gone.' }];
      return [];
    });
  }

  /** Takes back restores that were cut off, and reads the journal again. Resolves to what a person should know. */
  async refresh(): Promise<string[]> {
    const told = hasRestores(this.store)
      ? await whileRestoring(this.store, () => Promise.resolve(recoverRestores(this.store)))
      : [];
    this.read = readJournal(this.journal);
    return told;
  }

  private get folders(): readonly string[] {
    return this.entries.flatMap((entry) => (entry.type === 'opened' ? entry.folders : []));
  }

  /** A file of the run as it is on disk. */
  onDisk(path: string): Snapshot {
    return new RunFolders(this.folders).snapshot(path, this.store.limits);
  }

  private get source(): ChangeSource {
    const folders = new RunFolders(this.folders);
    const now = (path: string): Promise<Snapshot> =>
      Promise.resolve(this.asSeen(path, folders.snapshot(path, this.store.limits)));
    return changeSource(this.entries, this.store.blobs, now);
  }

  /** Does something for which nothing else may restore meanwhile, beginning with what the journal says then. */
  private alone<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    return whileRestoring(this.store, () => {
      recoverRestores(this.store);
      this.read = readJournal(this.journal);
      return work();
    });
  }

  reviews(scope: ChangeScope = wholeRun): Promise<Map<string, FileReview>> {
    return reviewsOf(this.source, scope);
  }

  async changes(scope: ChangeScope = wholeRun): Promise<FileChanges[]> {
    return changesIn([...(await this.reviews(scope)).values()]);
  }

  /**
   * Takes changes back. Files of which no copy was kept stay as they are where `leaveUnkept` says so. Those of `isDoneElsewhere` are for
   * the caller: an editor holds them.
   */
  undo(
    choice: UndoChoice,
    scope: ChangeScope = wholeRun,
    leaveUnkept = false,
    isDoneElsewhere: (path: string) => boolean = () => false,
  ): Promise<Undone> {
    return this.alone(() => this.undoAlone(choice, scope, leaveUnkept, isDoneElsewhere));
  }

  private async undoAlone(
    choice: UndoChoice,
    scope: ChangeScope,
    leaveUnkept: boolean,
    isDoneElsewhere: (path: string) => boolean,
  ): Promise<Undone> {
    this.refuseWhileActing();
    const plan = undoPlan(await this.changes(scope), choice);
    const standing = plan.problems.filter(({ kind }) => !(leaveUnkept && kind === 'no_copy'));
    if (standing.length > 0 || plan.unknown.length > 0) return { status: 'refused', plan, problems: standing };
    if (plan.restores.length === 0) return { status: 'nothing', plan };
    const onDisk = plan.restores.filter(({ path }) => !isDoneElsewhere(path));
    const files = deltasToRestore(onDisk, new RunFolders(this.folders), this.store);
    const words = undoneInWords(plan.hunks, this.shown);
    const id = crypto.randomUUID();
    if (files.length > 0) await this.restore(files, { type: 'undone', at: Date.now(), id, files, words });
    return { status: 'done', id, plan, words };
  }

  /** What a command finds changed when it ends would count as its own, also what was undone meanwhile. */
  private refuseWhileActing(): void {
    const open = new Map<string, Owner>();
    for (const entry of this.entries) {
      if (entry.type === 'began' && entry.by) open.set(entry.action, entry.by);
      if (entry.type === 'changed') open.delete(entry.action);
    }
    if (![...open.values()].some((owner) => isAlive(owner) !== false)) return;
    throw new RestoreConflict(
      'A command of this run is still at work. Wait for its end or stop the run, then undo. Nothing was changed.',
      '',
    );
  }

  /** The latest undoing that was not taken back itself. */
  get lastUndone(): Extract<JournalEntry, { type: 'undone' }> | undefined {
    return this.undone.at(-1);
  }

  /** Takes the latest undoing back. False where there is none. Throws `RestoreConflict` where its files were changed since. */
  redo(): Promise<boolean> {
    return this.alone(() => this.redoAlone());
  }

  private async redoAlone(): Promise<boolean> {
    const undone = this.lastUndone;
    if (!undone) return false;
    this.refuseWhileActing();
    const files = undone.files.map(({ path, before, after }): FileDelta => ({ path, before: after, after: before }));
    const entry: JournalEntry = { type: 'redone', at: Date.now(), id: crypto.randomUUID(), of: undone.id, files };
    await this.restore(files, entry);
    return true;
  }

  /** Keeps hunks: they wait for review no more. Returns how many. */
  keep(choice: UndoChoice): Promise<number> {
    return this.alone(() => this.keepAlone(choice));
  }

  private async keepAlone(choice: UndoChoice): Promise<number> {
    const { hunks } = undoPlan(await this.changes(), choice);
    const reviews = await this.reviews();
    const files: FileDelta[] = [];
    for (const path of new Set(hunks.map((hunk) => hunk.path))) {
      const review = reviews.get(path);
      if (!review) continue;
      const kept = baseWithHunks(
        review,
        hunks.filter((hunk) => hunk.path === path),
      );
      if (!isSameSnapshot(review.base, kept)) files.push(this.keptDelta(review, kept));
    }
    if (files.length === 0) return 0;
    await this.store.blobs.flush();
    this.append({ type: 'kept', at: Date.now(), id: crypto.randomUUID(), files, hunks: hunks.length });
    return hunks.length;
  }

  /** What a person kept and did not commit yet, by file, oldest first. `ids`: of the entries that it is in. */
  async keptToCommit(): Promise<{ readonly files: KeptFile[]; readonly ids: readonly string[] }> {
    const committed = new Set(this.entries.flatMap((entry) => (entry.type === 'committed' ? entry.kept : [])));
    const kept = this.entries.flatMap((entry) => (entry.type === 'kept' && !committed.has(entry.id) ? [entry] : []));
    const files = new Map<string, KeptFile>();
    for (const { path, before, after } of kept.flatMap((entry) => entry.files)) {
      const step = { before: await this.keptSide(path, before), after: await this.keptSide(path, after) };
      files.set(path, { path, steps: [...(files.get(path)?.steps ?? []), step] });
    }
    return { files: [...files.values()], ids: kept.map(({ id }) => id) };
  }

  noteCommitted(ids: readonly string[], commits: readonly string[]): void {
    this.append({ type: 'committed', at: Date.now(), kept: [...ids], commits: [...commits] });
  }

  private async keptSide(path: string, state: FileDelta['before']): Promise<KeptSide> {
    const snapshot = await this.source.load(path, state);
    const isKept = snapshot.missing === undefined && state?.kind === 'file' && state.hash !== undefined;
    if (snapshot.text !== undefined || !isKept) return snapshot;
    return { ...snapshot, bytes: this.store.blobs.get(state.hash!) };
  }

  private keptDelta({ path, base }: FileReview, kept: Snapshot): FileDelta {
    const { blobs } = this.store;
    return { path, before: keptState(base, blobs), after: keptState(kept, blobs) };
  }

  private async restore(files: readonly FileDelta[], entry: JournalEntry): Promise<void> {
    await restore(files, { store: this.store, folders: this.folders, journal: this.journal, entry });
    this.read = readJournal(this.journal);
  }

  private append(entry: JournalEntry): void {
    appendToJournal(this.journal, entry);
    this.read = readJournal(this.journal);
  }
}
