import {
  changesIn,
  changesOf,
  FoldedReviews,
  reviewsOf,
  shownChanges,
  wholeRun,
  type ChangeScope,
  type ChangeSource,
  type FileChanges,
} from '../../../core/changes/changesOf';
import { baseWithHunks, type FileReview, type ReviewedHunk } from '../../../core/changes/fileReview';
import { actionChanges, type ActionChange, type JournalEntry, type Move } from '../../../core/changes/journalEntry';
import { isSameSnapshot, isSameState, isSpecial, type FileDelta, type Snapshot } from '../../../core/changes/snapshot';
import {
  isLeft,
  undoneMessage,
  undoPlan,
  type FileRestore,
  type UndoChoice,
  type UndoPlan,
  type UndoProblem,
} from '../../../core/changes/undoPlan';
import { Slices } from '../../../core/text/slices';
import { changeSource } from '../changeSource';
import type { KeptFile, KeptSide } from '../../git/commitKept';
import { CommandAtWork } from '../restoreConflict';
import { thisProcess, type Owner } from '../../storage/fileLock';
import type { CheckpointStore } from '../checkpointStore';
import { journalOf } from '../journal';
import { deltasOfMoves, moveBack, withMovesBack } from './movesBack';
import { hasRestores, recoverRestores } from './recoverRestores';
import { deltasToRestore, restore, storeState, whileRestoring } from './restore';
import { RunFolders } from '../runFolders';
import { RunRecord } from './runRecord';
import { SeenFiles } from '../seenFiles';

/**
 * The result of an undo. `words` tells the model what is on disk. `id` names the undo in the journal. If all of the
 * files are in editors, `words` is empty and `id` is absent: only the editors' own undo reverts it.
 */
export type Undone =
  | { readonly status: 'done'; readonly id?: string; readonly plan: UndoPlan; readonly words: string }
  | { readonly status: 'nothing'; readonly plan: UndoPlan }
  | { readonly status: 'refused'; readonly plan: UndoPlan; readonly problems: readonly UndoProblem[] };

/** Returns whether the caller itself puts a file into the requested state. */
export type IsDoneElsewhere = (restore: FileRestore) => boolean;

/** What an undo covers, and how. */
interface UndoParts {
  /** By default the whole run. */
  readonly scope?: ChangeScope;
  /** True if files without a copy stay unchanged. If false, the undo is refused. */
  readonly leaveUnkept?: boolean;
  /**
   * For files with unsaved changes in an editor. They are not in the journal, so `redo` does not affect them, and the
   * editor's own undo restores them.
   */
  readonly isDoneElsewhere?: IsDoneElsewhere;
}

/** The run itself, if it is open in this process: it knows what its commands are doing. */
interface RunAtWork {
  changedByCommands(places: readonly string[]): Promise<readonly string[]>;
  afterRestore(files: readonly FileDelta[]): Promise<void>;
}

/** More files are counted without reading them. */
const maxReadFiles = 200;

/** Counts files that were moved without another change, by the hash of their content. */
function moveCount(files: readonly Pick<FileDelta, 'before' | 'after'>[]): number {
  const hashOf = (state: FileDelta['before']): string | undefined =>
    state?.kind === 'file' && state.size > 0 ? state.hash : undefined;
  const gone = new Map<string, number>();
  for (const { before, after } of files) {
    const hash = hashOf(before);
    if (after === null && hash !== undefined) gone.set(hash, (gone.get(hash) ?? 0) + 1);
  }
  let count = 0;
  for (const { before, after } of files) {
    const hash = hashOf(after);
    const left = before === null && hash !== undefined ? (gone.get(hash) ?? 0) : 0;
    if (left === 0) continue;
    gone.set(hash!, left - 1);
    count++;
  }
  return count;
}

/** A change by an action. `isReverted`: the file is now as it was before. */
type PastActionChange = ActionChange & { readonly isReverted: boolean };

/** True if the current file has the content and the permissions of a former state. A copy is read only if needed. */
async function isInState(source: ChangeSource, path: string, state: FileDelta['before']): Promise<boolean> {
  const now = await source.now(path, state);
  const isEdited = now.state?.kind === 'file' && now.state.hash === undefined && now.text !== undefined;
  return isEdited ? isSameSnapshot(await source.load(state), now) : isSameState(state, now.state);
}

/** What happens around a run while its changes are shown. */
interface RunSurroundings {
  /** Returns the state of a file, which an editor may override. */
  readonly asSeen?: (path: string, disk: Snapshot) => Snapshot;
  /** Returns the run while it works. */
  readonly atWork?: () => RunAtWork | undefined;
}

/** The changes of one run on this machine, and what the user does with them. */
export class RunChanges {
  /** What the journal of the run says. */
  readonly record: RunRecord;
  private readonly seenFiles = new SeenFiles();
  /** Messages about restores that are not known to have ended. */
  private readonly toldOpen = new Set<string>();
  /** Reviews folded from the entries, starting with the first one that counts. */
  private folded: { readonly first: JournalEntry | undefined; readonly reviews: FoldedReviews } | undefined;

  private readonly asSeen: NonNullable<RunSurroundings['asSeen']>;
  private readonly atWork: NonNullable<RunSurroundings['atWork']>;

  /** `shown`: the display form of a path. */
  constructor(
    log: string,
    private readonly store: CheckpointStore,
    private readonly shown: (path: string) => string,
    { asSeen = (_path, disk) => disk, atWork = () => undefined }: RunSurroundings = {},
  ) {
    this.record = new RunRecord(journalOf(log));
    this.asSeen = asSeen;
    this.atWork = atWork;
  }

  /** Size of the copies of all runs on this machine, in bytes. */
  get copiesBytes(): number {
    return this.store.blobs.size();
  }

  /** Returns the net changes up to the last action that counts, regardless of later changes. */
  changesUntil(counts: (action: string) => boolean, scope: ChangeScope): Promise<FileChanges[]> {
    return this.withSource((all) => {
      const last = all.entries.findLastIndex((entry) => entry.type === 'changed' && counts(entry.action));
      return changesOf({ ...all, entries: all.entries.slice(0, last + 1) }, { ...scope, untilNow: false });
    });
  }

  /**
   * Rolls back interrupted restores, and reads the journal again. Resolves to messages for people, each once. Rejects
   * with an error of the disk.
   */
  async refresh(): Promise<string[]> {
    const { ended, open } = hasRestores(this.store)
      ? await whileRestoring(this.store, () => recoverRestores(this.store))
      : { ended: [], open: [] };
    this.record.reread();
    const untold = open.filter((words) => !this.toldOpen.has(words));
    for (const words of untold) this.toldOpen.add(words);
    return [...ended, ...untold];
  }

  /** Returns the snapshot of a file of the run on disk. */
  onDisk(path: string): Snapshot {
    return new RunFolders(this.record.places).snapshot(path, this.store.limits);
  }

  /** Calls `work` with the former and current files of the run. */
  private async withSource<Answer>(work: (source: ChangeSource) => Promise<Answer>): Promise<Answer> {
    await this.store.blobs.load();
    const folders = new RunFolders(this.record.places);
    const now: ChangeSource['now'] = (path, known) =>
      Promise.resolve(this.asSeen(path, folders.cachedSnapshot(path, this.store.limits, known, this.seenFiles)));
    try {
      return await work(changeSource(this.record.counting, this.store.blobs, now));
    } finally {
      folders.release();
    }
  }

  /** The reviews of the whole run. Starts over if the first entry that counts is another one. */
  private foldedReviews({ entries }: ChangeSource): FoldedReviews {
    const [first] = entries;
    if (!this.folded || this.folded.first !== first) this.folded = { first, reviews: new FoldedReviews() };
    return this.folded.reviews;
  }

  /** Runs `work` while no other restore is possible, with an up-to-date journal. */
  private alone<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    return whileRestoring(this.store, async () => {
      const { unreadable } = await recoverRestores(this.store);
      // Rolled back later, it could revert what is restored now.
      if (unreadable !== undefined) throw new Error(`${unreadable} Nothing was changed. Try again.`);
      this.record.reread();
      return work();
    });
  }

  reviews(scope: ChangeScope = wholeRun): Promise<Map<string, FileReview>> {
    return this.withSource((source) =>
      scope === wholeRun ? this.foldedReviews(source).reviewsOf(source) : reviewsOf(source, scope),
    );
  }

  changes(scope: ChangeScope = wholeRun): Promise<FileChanges[]> {
    return this.withSource(async (source) => {
      if (scope === wholeRun) return this.foldedReviews(source).changesOf(source);
      return changesIn([...(await reviewsOf(source, scope)).values()]);
    });
  }

  /** The latest files that actions changed, oldest first, and whether each is now as it was before that action. */
  pastChanges(): Promise<PastActionChange[]> {
    return this.withSource(async (source) => {
      const slices = new Slices();
      const changes: PastActionChange[] = [];
      for (const change of actionChanges(source.entries)) {
        await slices.rest();
        changes.push({ ...change, isReverted: await isInState(source, change.path, change.before) });
      }
      return changes;
    });
  }

  /** Counts the files that differ because of the run. If they are many, by their states and without reading them. */
  async changedFileCount(): Promise<number> {
    const net = new Map<string, Pick<FileDelta, 'before' | 'after'>>();
    for (const entry of this.record.counting)
      if (entry.type === 'changed' || entry.type === 'undone' || entry.type === 'redone')
        for (const { path, before, after } of entry.files)
          net.set(path, { before: (net.get(path) ?? { before }).before, after });
    const differing = [...net.values()].filter(
      ({ before, after }) => !isSameState(before, after) && (after ?? before)?.kind !== 'folder',
    );
    return differing.length > maxReadFiles
      ? differing.length - moveCount(differing)
      : shownChanges(await this.changes()).length;
  }

  /** Plans how to undo changes of `scope`. Writes nothing. */
  planOf(changes: readonly FileChanges[], choice: UndoChoice = {}, { includes }: ChangeScope = wholeRun): UndoPlan {
    const moved = this.record.counting.flatMap((entry) =>
      entry.type === 'changed' && includes(entry.action) ? (entry.moved ?? []) : [],
    );
    return withMovesBack(undoPlan(changes, choice), changes, moved);
  }

  /** Undoes changes. */
  undo(choice: UndoChoice, options: UndoParts = {}): Promise<Undone> {
    return this.alone(() => this.undoAlone(choice, options));
  }

  private async undoAlone(
    choice: UndoChoice,
    { scope = wholeRun, leaveUnkept = false, isDoneElsewhere = () => false }: UndoParts,
  ): Promise<Undone> {
    const changes = await this.changes(scope);
    const plan = this.planOf(changes, choice, scope);
    const { moves } = plan;
    await this.refuseWhileActing([...plan.restores, ...moves.map(({ from }) => ({ path: from }))]);
    const standing = plan.problems.filter((each) => each.kind !== 'cache' && !(leaveUnkept && isLeft(each)));
    if (standing.length > 0 || plan.unknown.length > 0) return { status: 'refused', plan, problems: standing };
    if (plan.restores.length === 0 && moves.length === 0) return { status: 'nothing', plan };
    const elsewhere = new Set(plan.restores.filter(isDoneElsewhere).map(({ path }) => path));
    const onDisk = plan.restores.filter(({ path }) => !elsewhere.has(path));
    const files = await deltasToRestore(onDisk, new RunFolders(this.record.places), this.store);
    if (files.length === 0 && moves.length === 0) return { status: 'done', plan, words: '' };
    const words = undoneMessage(
      plan.hunks.filter(({ path }) => !elsewhere.has(path)),
      this.shown,
    );
    const id = crypto.randomUUID();
    const entry = {
      type: 'undone' as const,
      at: Date.now(),
      id,
      files: [...files, ...deltasOfMoves(moves, changes)],
      words,
    };
    await this.restore(files, { ...entry, ...(moves.length > 0 && { moves: [...moves] }) }, moves);
    return { status: 'done', id, plan, words };
  }

  /**
   * When a command ends, all changes that it finds are attributed to it, including an undo made in the meantime. Only
   * the process that runs the command can distinguish them, and only for files that the command has not changed so far.
   */
  private async refuseWhileActing(files: readonly { readonly path: string }[]): Promise<void> {
    // A command may have begun since.
    this.record.reread();
    const owners = this.record.ownersAtWork();
    if (owners.length === 0) return;
    const run = owners.every((owner) => isThisProcess(owner)) ? this.atWork() : undefined;
    if (!run)
      throw new CommandAtWork(
        'A command of this run is still running. Wait until it ends or stop the run, then undo. Nothing was changed.',
      );
    const [changed] = await run.changedByCommands(files.map(({ path }) => path));
    if (changed !== undefined)
      throw new CommandAtWork(
        `A command that is still running changed ${this.shown(changed)}. Wait until it ends or stop the run, then undo. Nothing was changed.`,
      );
  }

  /**
   * Reverts the latest undo. Resolves to false if there is none. Rejects with `RestoreConflict` if its files were
   * changed since.
   */
  redo(): Promise<boolean> {
    return this.alone(() => this.redoAlone());
  }

  private async redoAlone(): Promise<boolean> {
    const undone = this.record.lastUndone;
    if (!undone) return false;
    await this.refuseWhileActing(undone.files);
    // A named pipe that the undo deleted has no content to restore.
    const reversed = undone.files
      .filter(({ before }) => !isSpecial(before))
      .map(({ path, before, after }): FileDelta => ({ path, before: after, after: before }));
    const moves = (undone.moves ?? []).map(({ from, to }) => ({ from: to, to: from }));
    const movedPaths = new Set(moves.flatMap(({ from, to }) => [from, to]));
    const files = reversed.filter(({ path }) => !movedPaths.has(path));
    const entry: JournalEntry = {
      type: 'redone',
      at: Date.now(),
      id: crypto.randomUUID(),
      of: undone.id,
      files: reversed,
    };
    await this.restore(files, entry, moves);
    return true;
  }

  /** Keeps hunks: they are no longer pending review. Resolves to their number. `id`: identifies them for `unkeep`. */
  keep(choice: UndoChoice, id: string = crypto.randomUUID()): Promise<number> {
    return this.alone(() => this.keepAlone(choice, id));
  }

  /** The hunks that are pending review, in the form that `keepNew` needs. */
  async waiting(): Promise<readonly ReviewedHunk[]> {
    return (await this.changes()).flatMap(({ hunks }) => hunks);
  }

  /**
   * Keeps the changes to some files made since `before`: whoever applied them has reviewed them. Hunks that were
   * already pending stay pending, and a file that is pending as a whole stays pending with all its changes.
   */
  async keepNew(files: readonly string[], before: readonly ReviewedHunk[]): Promise<void> {
    const existingIds = new Set(before.map(({ id }) => id));
    const asWhole = new Set(before.filter(({ kind }) => kind !== 'lines' && kind !== 'mode').map(({ path }) => path));
    const wanted = new Set(files.filter((file) => !asWhole.has(file)));
    const hunks = (await this.waiting()).filter(({ id, path }) => wanted.has(path) && !existingIds.has(id));
    if (hunks.length > 0) await this.keep({ hunks: hunks.map(({ id }) => id) });
  }

  /** Makes what was kept under this id pending again. */
  unkeep(id: string): Promise<void> {
    return this.alone(() => {
      const kept = this.record.entries.flatMap((entry) => (entry.type === 'kept' && entry.id === id ? [entry] : []));
      for (const entry of kept.reverse()) {
        const files = entry.files.map(({ path, before, after }): FileDelta => ({ path, before: after, after: before }));
        this.record.append({ type: 'kept', at: Date.now(), id: `${id} undone`, files, hunks: -entry.hunks });
      }
      return Promise.resolve();
    });
  }

  private async keepAlone(choice: UndoChoice, id: string): Promise<number> {
    const changes = await this.changes();
    const { hunks } = undoPlan(changes, choice);
    const reviews = new Map(changes.flatMap((change) => change.reviews.map((review) => [review.path, review])));
    const files: FileDelta[] = [];
    for (const path of new Set(hunks.map((hunk) => hunk.path))) {
      const review = reviews.get(path);
      if (!review) continue;
      const newBase = baseWithHunks(
        review,
        hunks.filter((hunk) => hunk.path === path),
      );
      if (!isSameSnapshot(review.base, newBase)) files.push(this.keptDelta(review, newBase));
    }
    if (files.length === 0) return 0;
    await this.store.blobs.flush();
    this.record.append({ type: 'kept', at: Date.now(), id, files, hunks: hunks.length });
    return hunks.length;
  }

  /** What the user kept and did not commit yet, by file, oldest first. `ids`: the journal entries that contain it. */
  async keptToCommit(): Promise<{ readonly files: KeptFile[]; readonly ids: readonly string[] }> {
    const committed = new Set(this.record.entries.flatMap((entry) => (entry.type === 'committed' ? entry.kept : [])));
    const kept = this.record.entries.flatMap((entry) =>
      entry.type === 'kept' && !committed.has(entry.id) ? [entry] : [],
    );
    const files = new Map<string, KeptFile>();
    for (const { path, before, after } of kept.flatMap((entry) => entry.files)) {
      const step = { before: await this.keptSide(before), after: await this.keptSide(after) };
      files.set(path, { path, steps: [...(files.get(path)?.steps ?? []), step] });
    }
    return { files: [...files.values()], ids: kept.map(({ id }) => id) };
  }

  noteCommitted(ids: readonly string[], commits: readonly string[]): void {
    this.record.append({ type: 'committed', at: Date.now(), kept: [...ids], commits: [...commits] });
  }

  private async keptSide(state: FileDelta['before']): Promise<KeptSide> {
    const snapshot = await this.withSource((source) => source.load(state));
    const isKept = snapshot.missing === undefined && state?.kind === 'file' && state.hash !== undefined;
    if (snapshot.text !== undefined || !isKept) return snapshot;
    return { ...snapshot, bytes: this.store.blobs.get(state.hash!) };
  }

  private keptDelta({ path, base }: FileReview, kept: Snapshot): FileDelta {
    const { blobs } = this.store;
    return { path, before: storeState(base, blobs), after: storeState(kept, blobs) };
  }

  private async restore(
    files: readonly FileDelta[],
    entry: JournalEntry & { readonly files: readonly FileDelta[] },
    moves: readonly Move[],
  ): Promise<void> {
    // A command may have begun while copies were written.
    const stillAllowed = (): Promise<void> => this.refuseWhileActing(files);
    await restore(files, {
      store: this.store,
      places: this.record.places,
      journal: this.record.journal,
      entry,
      stillAllowed,
    });
    const emptied = files.flatMap(({ path, before, after }) => (before?.kind === 'folder' && !after ? [path] : []));
    moveBack(moves, emptied, new RunFolders(this.record.places));
    this.record.reread();
    // Also if no command is running: one may be about to begin.
    await this.atWork()?.afterRestore(entry.files);
  }
}

function isThisProcess(owner: Owner): boolean {
  const own = thisProcess();
  return own.pid === owner.pid && own.start === owner.start && own.place === owner.place;
}
