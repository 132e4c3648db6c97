import { isCopied, isSameState, type FileDelta, type FileState } from '../../core/changes/snapshot';
import type { Doubt, Move } from '../../core/changes/journalEntry';
import { unendedActions } from '../../core/changes/unendedActions';
import type { ActionCheckpoint, Checkpoints } from '../../core/ports/checkpoints';
import { thisProcess } from '../storage/fileLock';
import type { CheckpointStore } from './checkpointStore';
import { CreatedPaths } from './createdPaths';
import type { ChangeWindow, FolderIndex } from './folderIndex';
import { journalOf } from './journal';
import { separateMovedIn } from './moves/movedIn';
import { RunFolders } from './runFolders';
import { RunJournal } from './runJournal';
import { TakenFiles } from './moves/takenFiles';
import { closedWords, cutOffWords, failureWords, otherRunsDoubts, tooMuchWords, unknownWords } from './uncoveredWords';
import { realPath } from '../storage/diskPaths';
import { compareTexts } from '../../core/text/order';

/** Delay of the scan after an action, so that the model request goes first, in ms. */
const requestFirstMs = 15;
/** The same delay at the beginning of a run. */
const beginningFirstMs = 40;
/** Delay of the scan after an action that claims to change nothing, in ms. One scan serves several actions. */
const companyMs = 1000;
/** Minimum interval between scans for changes between two actions, in ms. */
const betweenEveryMs = 1000;
interface SessionCheckpointsOptions {
  /** The log of the run; its journal is stored beside it. */
  readonly log: string;
  readonly folders: readonly string[];
  readonly store: CheckpointStore;
  /** Returns the absolute path that a tool means. Throws for a path that it may not touch. */
  resolve(spelled: string): string;
  /** Shows a notice to the user, each one once. */
  onNotice(text: string): void;
  /**
   * Returns whether processes started by commands of this run are alive. Their changes belong to the run, also between
   * two actions. If absent, there are none.
   */
  hasProcesses?(): Promise<boolean>;
  /**
   * Returns whether the last command can have written only the folders and temporary files of its own sandbox. What it
   * put into the folders is a copy then, even if it is older than the command. If absent, it may have moved files from
   * anywhere.
   */
  wroteOnlyInside?(): Promise<boolean>;
  /** Shared by a run and its child runs; only this run if absent. */
  readonly family?: string;
  /**
   * The actions that began according to the log that was opened. Others had no effect, even if the journal says that
   * they began: its line is written while the log is being saved. If absent, all actions in the journal count.
   */
  readonly begun?: ReadonlySet<string>;
}

interface OpenWindow {
  readonly index: FolderIndex;
  readonly window: ChangeWindow;
}

/** A running command. Changes in its folders are attributed to it. */
interface RunningCommand {
  readonly action: string;
  /** False once another one ran at the same time. */
  isAlone: boolean;
  readonly open: readonly OpenWindow[];
}

/** An action that claims to change nothing, until a scan has verified that. */
interface Unchanging {
  readonly action: string;
  readonly open: readonly OpenWindow[];
}

/** The time between two actions in which processes of the run may change files. */
interface Gap {
  /** The action after which it began. */
  readonly after: string;
  readonly since: number;
  readonly open: readonly OpenWindow[];
}

/** Facts about an action when it begins. */
interface StartedAction {
  /** Start time, in ms since 1970. */
  readonly at: number;
  readonly open: readonly OpenWindow[];
  /** Why its changes may be missed, as a message. */
  readonly uncovered: string | undefined;
  readonly command: RunningCommand;
  /** The files that it edits, if it names them. */
  readonly places: readonly string[];
  /** The files without copies that a command may take away. */
  readonly taken?: TakenFiles;
}

/**
 * Saves, for one run, the contents of files before its actions change them, and records in a journal what each action
 * changed.
 */
export class SessionCheckpoints implements Checkpoints {
  readonly journal: string;
  private readonly indexes: readonly FolderIndex[];
  private readonly record: RunJournal;
  /** Actions that ended and whose changes are still being collected. */
  private readonly ending = new Set<Promise<void>>();
  private unchanging: readonly Unchanging[] = [];
  private readonly commands = new Set<RunningCommand>();
  private readonly begunHere = new Set<string>();
  private gap: Gap | undefined;
  private scannedBetweenAt = -Infinity;
  /** Files that tools are editing, once per edit. */
  private edited: readonly string[] = [];
  private laterScan: NodeJS.Timeout | undefined;
  /** Callbacks that end the delays of `othersFirst`. */
  private readonly hurried = new Set<() => void>();
  private readonly reported = new Set<string>();
  private firstScan: Promise<void> | undefined;
  private hasFirstScanFailed = false;
  private isDisposed = false;

  constructor(private readonly options: SessionCheckpointsOptions) {
    const { store, log } = options;
    this.journal = journalOf(log);
    // The log grows while commands run, even if it is stored in the folder itself.
    store.ignore(realPath(log));
    this.indexes = outermost(options.folders).map((folder) => store.index(folder));
    for (const index of this.indexes) index.join();
    const scanned = this.indexes.map(({ folder }) => folder);
    const run = { journal: this.journal, folders: scanned, family: options.family ?? log };
    this.record = new RunJournal({ file: this.journal, folders: options.folders, store, run });
  }

  /** Starts the first scan of the folders in the background. */
  prepare(): void {
    this.firstScan ??= this.othersFirst(beginningFirstMs)
      .then(() => this.scanForFirstTime())
      .catch((error: unknown) => {
        this.hasFirstScanFailed = true;
        this.reportOnce(error);
      });
  }

  canUndo(paths?: readonly string[]): boolean {
    if (this.isDisposed) return false;
    if (paths === undefined) return !this.hasFirstScanFailed;
    return paths.every((spelled) => {
      const place = this.placeOf(spelled);
      return place !== undefined && this.indexes.some((index) => index.holds(place) && index.canCopy(place));
    });
  }

  async before(action: string, paths?: readonly string[], text?: string): Promise<ActionCheckpoint> {
    const nothing = { after: () => Promise.resolve(), ended: () => undefined };
    if (this.isDisposed) return nothing;
    const asked = performance.now();
    try {
      await this.ended();
      await this.options.store.restored();
      const begun = {
        ...(await this.begin(action, paths, asked)),
        ...(text !== undefined && { taken: this.takenBy(text) }),
      };
      const end = () => this.end(action, paths, begun).catch((error: unknown) => this.reportOnce(error));
      return { after: end, ended: () => this.endSoon(end) };
    } catch (error) {
      this.reportOnce(error);
      return nothing;
    }
  }

  async beforeUnchanging(action: string): Promise<ActionCheckpoint> {
    // Changes made by others so far must not be attributed to it.
    await this.ended();
    const open = this.indexes.map((index): OpenWindow => ({ index, window: index.open({ timed: true }) }));
    this.unchanging = [...this.unchanging, { action, open }];
    const ended = (): void => {
      // Rounded up: the clock of the file system may have fractions of a millisecond.
      for (const { window } of open) window.until = Date.now() + 1;
      this.laterScan ??= setTimeout(() => this.scanLater(), companyMs).unref();
    };
    const after = (): Promise<void> => {
      ended();
      return this.settled();
    };
    return { after, ended };
  }

  async settled(): Promise<void> {
    await this.ended();
    if (this.unchanging.length > 0) this.scanLater();
    await Promise.all(this.ending);
    await this.scanBetween();
  }

  /** Scans for changes that processes of the run have made since its last action. */
  private async scanBetween(): Promise<void> {
    const isRecent = performance.now() - this.scannedBetweenAt < betweenEveryMs && !this.isDisposed;
    if (!this.gap || this.commands.size > 0 || isRecent) return;
    try {
      await this.options.store.restored();
      // Checked first: a process that ends afterwards has made its changes before the scan.
      const goesOn = await this.mayChangeFiles();
      await Promise.all(this.indexes.map((index) => index.scan()));
      if (this.commands.size === 0) this.noteBetween(undefined, !goesOn);
    } catch (error) {
      this.reportOnce(error);
    }
    this.scannedBetweenAt = performance.now();
  }

  private async mayChangeFiles(): Promise<boolean> {
    const { hasProcesses } = this.options;
    return hasProcesses ? hasProcesses().catch(() => false) : false;
  }

  /**
   * Returns whether the run created a file, not a folder, and nothing else changed it since. Waits for the changes of
   * finished actions.
   */
  async isCreatedHere(place: string): Promise<boolean> {
    await this.ended();
    const real = this.placeOf(place);
    const index = real === undefined ? undefined : this.indexes.find((each) => each.holds(real));
    if (real === undefined || !index) return false;
    const created = new CreatedPaths(this.record.entries());
    return created.isThere(real, new RunFolders([index.folder]), this.options.store.limits);
  }

  /** Resolves when the changes of finished actions are known, except of actions that claim to change nothing. */
  async ended(): Promise<void> {
    for (const hurry of this.hurried) hurry();
    await Promise.all(this.ending);
  }

  /** Verifies in the background that actions which claim to change nothing did not change anything. */
  private scanLater(): void {
    clearTimeout(this.laterScan);
    this.laterScan = undefined;
    const isKnown = this.indexes.every(({ isComplete }) => isComplete);
    this.finish(
      this.options.store
        .restored()
        .then(() => Promise.all(isKnown ? this.indexes.map((index) => index.scan()) : []))
        .then(() => this.closeUnchanging())
        .catch((error: unknown) => this.reportOnce(error)),
    );
  }

  /** After a scan: records changes made by actions that claim to change nothing. */
  private closeUnchanging(): void {
    const isOver = ({ open }: Unchanging): boolean => open.every(({ window }) => window.until !== undefined);
    const over = this.unchanging.filter(isOver);
    this.unchanging = this.unchanging.filter((each) => !isOver(each));
    for (const { action, open } of over) {
      const found = filesOf(open);
      if (found.length === 0) continue;
      this.record.open();
      const { files, doubts } = this.withoutMovedIn(found);
      this.record.remember(files);
      this.forgetInGap(found.map(({ path }) => path));
      this.record.append({ type: 'changed', at: Date.now(), action, files, ...(doubts.length > 0 && { doubts }) });
    }
  }

  private finish(work: Promise<void>): void {
    this.ending.add(work);
    void work.finally(() => this.ending.delete(work));
  }

  /**
   * Resolves when everything is on disk. An unfinished first scan is aborted. `processesEnded`: resolves when all
   * processes of the run have ended; awaited if some may still change files.
   */
  async dispose(processesEnded?: Promise<unknown>): Promise<void> {
    if (this.isDisposed) return;
    this.isDisposed = true;
    await this.ended();
    if (this.gap) await processesEnded?.catch(() => undefined);
    await this.settled();
    this.closeGap();
    for (const index of this.indexes) index.leave();
    this.record.leave();
    await this.record.close().catch((error: unknown) => this.reportOnce(error));
  }

  private endSoon(end: () => Promise<void>): void {
    this.finish(this.othersFirst(requestFirstMs).then(end));
  }

  /** Resolves after a delay that lets other work go first, or as soon as somebody needs the result. */
  private othersFirst(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const goOn = (): void => {
        clearTimeout(timer);
        this.hurried.delete(goOn);
        resolve();
      };
      const timer = setTimeout(goOn, milliseconds);
      this.hurried.add(goOn);
    });
  }

  private async begin(
    action: string,
    paths: readonly string[] | undefined,
    requestedAt: number,
  ): Promise<StartedAction> {
    let uncovered: string | undefined;
    if (paths === undefined) uncovered = await this.scanAll(requestedAt);
    else await this.scanPlaces(this.placesOf(paths));
    if (paths === undefined) this.closeUnchanging();
    this.record.open();
    this.noteBetween(action, paths === undefined);
    if (uncovered === undefined) this.noteElsewhere(paths);
    const open = this.indexes.map((index): OpenWindow => ({ index, window: index.open() }));
    const at = Date.now();
    this.begunHere.add(action);
    this.record.append({ type: 'began', at, action, by: thisProcess(), ...(paths !== undefined && { edits: true }) });
    const command: RunningCommand = { action, isAlone: this.commands.size === 0, open };
    if (paths === undefined) for (const other of this.commands) other.isAlone = false;
    const places = this.placesOf(paths ?? []);
    if (paths === undefined) this.commands.add(command);
    this.edited = [...this.edited, ...places];
    return { at, open, uncovered, command, places };
  }

  /** Begins to attribute changes made by processes of the run to the gap before the next action. */
  private openGap(after: string): void {
    if (this.commands.size > 0) return;
    this.gap ??= {
      after,
      since: Date.now(),
      open: this.indexes.map((index): OpenWindow => ({ index, window: index.open() })),
    };
  }

  private closeGap(): void {
    for (const { index, window } of this.gap?.open ?? []) index.close(window);
    this.gap = undefined;
  }

  /** Changes attributed to an action or the user do not belong to the gap between actions. */
  private forgetInGap(paths: readonly string[]): void {
    for (const { window } of this.gap?.open ?? []) for (const path of paths) window.before.delete(path);
  }

  /** Records the changes between two actions that the last scan found. */
  private noteBetween(next: string | undefined, isOver: boolean): void {
    const { gap } = this;
    if (!gap) return;
    const found = gap.open.flatMap(({ index, window }) => deltasOf(index, window));
    for (const { window } of gap.open) window.before.clear();
    if (isOver) this.closeGap();
    if (found.length === 0) return;
    const { files, doubts } = this.withoutMovedIn(found);
    if (doubts.length > 0)
      this.record.append({ type: 'changed', at: Date.now(), action: gap.after, files: [], doubts });
    // Excludes what the user undid or another run changed in the meantime.
    const others = [
      ...this.record.workSince(gap.since).own,
      ...this.record.othersSince(gap.since).flatMap(({ own, whileCommands }) => [...own, ...whileCommands]),
    ];
    this.record.remember(files);
    this.record.appendParts(files, others, (some) => ({
      type: 'between',
      at: Date.now(),
      ...(next !== undefined && { next }),
      files: some,
    }));
  }

  /** Returns whether a tool of this run is editing the file, so that a save of it is not the user's change. */
  isEditing(place: string): boolean {
    return this.edited.includes(place);
  }

  /** True if something that belongs to the run may be changing files. */
  private get isWatched(): boolean {
    return this.commands.size > 0 || this.unchanging.length > 0 || this.gap !== undefined;
  }

  /**
   * Called before the user saves a file while commands may be running: earlier changes to it are attributed to the
   * commands.
   */
  async beforePersonSaves(place: string): Promise<void> {
    if (this.isWatched) await this.indexes.find((index) => index.holds(place))?.scanPaths([place]);
  }

  /** Called after the user has saved the file: that change is attributed to the user, not to a command. */
  async afterPersonSaved(place: string): Promise<void> {
    const index = this.isWatched ? this.indexes.find((each) => each.holds(place)) : undefined;
    if (!index) return;
    const before = index.stateOf(place);
    await index.scanPaths([place]);
    const after = index.stateOf(place);
    if (isSameState(before, after)) return;
    this.record.open();
    this.takeFromRunning([{ path: place, before, after }]);
    // Both scans are included here: the one before the save, and this one.
    const changedBetween = this.gap?.open.some(({ window }) => {
      const atBegin = window.before.get(place);
      return atBegin !== undefined && !isSameState(atBegin, before);
    });
    if (changedBetween) this.noteBetweenUntil(place, before);
    this.forgetInGap([place]);
    const files = [{ path: place, before, after }];
    this.record.remember(files);
    this.record.append({ type: 'elsewhere', at: Date.now(), files });
  }

  /** Returns which of some files the running commands have changed so far, or all of them if that is unknown. */
  async changedByCommands(places: readonly string[]): Promise<readonly string[]> {
    if (!this.indexes.every(({ isComplete }) => isComplete)) return places;
    for (const index of this.indexes) await index.scanPaths(places.filter((place) => index.holds(place)));
    const windows = [...this.commands].flatMap(({ open }) => open);
    return places.filter((place) =>
      windows.some(({ index, window }) => {
        const atBegin = window.before.get(place);
        return atBegin !== undefined && !isSameState(atBegin, index.stateOf(place));
      }),
    );
  }

  /**
   * Called when the user has restored files while commands are running: the restore is not attributed to the commands,
   * but later changes are.
   */
  async afterRestore(files: readonly FileDelta[]): Promise<void> {
    const gap = this.gap ? [this.gap] : [];
    const running = [...this.commands, ...this.unchanging, ...gap].flatMap(({ open }) => open);
    for (const index of this.indexes) {
      const own = files.filter(({ path }) => index.holds(path));
      if (own.length === 0) continue;
      await index.scanPaths(own.map(({ path }) => path));
      for (const { window } of running.filter((each) => each.index === index))
        for (const { path, after } of own) window.before.set(path, after);
    }
  }

  /**
   * Does not attribute changes that somebody else makes to running actions. Records earlier changes of a command to the
   * same file as its own.
   */
  private takeFromRunning(files: readonly FileDelta[]): void {
    for (const delta of files) {
      const index = this.indexes.find((each) => each.holds(delta.path));
      if (!index) continue;
      const sawIt = ({ open }: RunningCommand | Unchanging): boolean =>
        open.some(({ window }) => window.before.has(delta.path));
      for (const command of [...this.commands].filter(sawIt)) this.noteBeforeOther(command, index, delta);
      for (const { open } of this.unchanging.filter(sawIt))
        for (const { window } of open) if (window.before.has(delta.path)) window.before.set(delta.path, delta.after);
    }
  }

  /** Records what a command changed in a file before somebody else changed it. */
  private noteBeforeOther(
    { action, open }: RunningCommand,
    index: FolderIndex,
    { path, before, after }: FileDelta,
  ): void {
    const { window } = open.find((each) => each.index === index)!;
    const atBegin = window.before.get(path) ?? null;
    window.before.set(path, after);
    if (isSameState(atBegin, before)) return;
    const at = Date.now();
    this.record.append({ type: 'changed', at, action, files: [{ path, before: atBegin, after: before }] });
    // The command is still running. Its further changes are found when it ends, or by the next run if it is
    // interrupted.
    this.record.append({ type: 'began', at, action, by: thisProcess() });
  }

  /** Records what processes changed in a file between two actions before the user saved it. */
  private noteBetweenUntil(path: string, after: FileState): void {
    const window = this.gap?.open.find((each) => each.window.before.has(path))?.window;
    const before = window?.before.get(path) ?? null;
    this.record.append({ type: 'between', at: Date.now(), files: [{ path, before, after }] });
  }

  private async end(
    action: string,
    paths: readonly string[] | undefined,
    { at, open, uncovered, command, places, taken }: StartedAction,
  ): Promise<void> {
    let problem: unknown;
    let uncopied = 0;
    let goesOn = false;
    let onlyCopies = false;
    try {
      await this.options.store.restored();
      if (paths === undefined) goesOn = await this.mayChangeFiles();
      // Asked at the end, because a person may have let the command out of the sandbox.
      onlyCopies = taken !== undefined && (await this.options.wroteOnlyInside?.()) === true && command.isAlone;
      if (paths === undefined && uncovered === undefined) uncopied = await this.scanFolders();
      // A path may lead elsewhere now, such as to a file whose name looks the same as that of a deleted one.
      else if (paths !== undefined) await this.scanPlaces([...new Set([...places, ...this.placesOf(paths)])]);
    } catch (error) {
      problem = error;
    }
    this.commands.delete(command);
    this.edited = this.edited.filter((place) => !places.includes(place));
    const found = filesOf(open);
    const { files, doubts: movedDoubts, moved } = this.withoutMovedIn(found, { taken, onlyCopies });
    const closed = paths === undefined ? this.indexes.flatMap((index) => index.closed) : [];
    const unknown = paths === undefined ? this.indexes.flatMap((index) => index.unknown) : [];
    // Edits that this action names are not attributed to a command that runs at the same time.
    if (paths !== undefined) this.takeFromRunning(files.filter(({ path }) => places.includes(path)));
    this.record.remember(found);
    this.forgetInGap(found.map(({ path }) => path));
    // Also for an edit: if it was refused, another run may have changed its file meanwhile.
    const others = files.length > 0 ? this.record.othersSince(at) : [];
    const reasons = [
      uncovered ?? (problem === undefined ? undefined : failureWords(problem)),
      uncopied > 0 ? tooMuchWords(uncopied, this.options.store.limits.maxBytes) : undefined,
      closed.length > 0 ? closedWords(closed) : undefined,
      unknown.length > 0 ? unknownWords(unknown) : undefined,
    ].filter((words) => words !== undefined);
    const doubts = [...movedDoubts, ...(paths === undefined ? otherRunsDoubts(files, others) : [])];
    const changed = (some: FileDelta[]) => ({ type: 'changed' as const, at: Date.now(), action, files: some });
    const othersOwn = others.flatMap(({ own }) => own);
    if (othersOwn.length > 0) this.record.appendParts(files, othersOwn, changed);
    const left = othersOwn.length > 0 ? [] : files;
    this.record.append({
      ...changed(left),
      ...(reasons.length > 0 && { uncovered: reasons.join(' ') }),
      ...(doubts.length > 0 && { doubts }),
      ...(moved.length > 0 && { moved }),
    });
    if (problem !== undefined) this.reportOnce(problem);
    if (goesOn) this.openGap(action);
  }

  /**
   * Returns the changes without what existed elsewhere before. `doubts` and `moved`: what the entry of the action says
   * about that.
   */
  private withoutMovedIn(
    found: FileDelta[],
    { taken, onlyCopies = false }: { readonly taken?: TakenFiles | undefined; readonly onlyCopies?: boolean } = {},
  ): { files: FileDelta[]; doubts: Doubt[]; moved: Move[] } {
    const { files, movedIn, doubts, moved } = separateMovedIn(found, this.indexes, {
      removed: () => this.record.removed(),
      onlyCopies,
      ...(taken && { mayBeTaken: (file) => taken.mayBe(file, { onlyFrom: onlyCopies ? this.indexes : undefined }) }),
    });
    if (movedIn.length > 0) {
      this.record.remember(movedIn);
      this.record.append({ type: 'elsewhere', at: Date.now(), files: movedIn });
    }
    return { files, doubts: [...doubts], moved: [...moved] };
  }

  private takenBy(text: string): TakenFiles {
    const hasCopy = (place: string): boolean => {
      const state = this.indexes.find((index) => index.holds(place))?.stateOf(place) ?? null;
      return state !== null && isCopied({ state });
    };
    return new TakenFiles(text, this.options.folders[0] ?? '', hasCopy);
  }

  /** Scans all folders. Resolves to the number of files that were too much to copy. */
  private async scanFolders(): Promise<number> {
    const uncopied = await Promise.all(this.indexes.map((index) => index.scan()));
    return uncopied.reduce((sum, each) => sum + each, 0);
  }

  /**
   * Scans before an action. Resolves to why changes may be missed, as a message; undefined if none are. The scan after
   * another action also serves as the scan before this one if it began after this one was requested.
   */
  private async scanAll(requestedAt: number): Promise<string | undefined> {
    this.prepare();
    for (const hurry of this.hurried) hurry();
    const { maxWaitMs } = this.options.store.limits;
    const isInTime = await within(maxWaitMs, this.firstScan!);
    if (isInTime && this.indexes.every(({ isComplete }) => isComplete)) {
      // If another process or action may have changed files since that scan, only a new scan can separate the changes.
      const since = this.gap || this.unchanging.length > 0 ? Infinity : requestedAt;
      await Promise.all(this.indexes.map((index) => index.scanSince(since)));
      return undefined;
    }
    return isInTime
      ? 'The folder could not be scanned, so the changes of this command are unknown.'
      : 'The first scan of the folder was not finished when this command started, so what the command changed is unknown.';
  }

  private async scanPlaces(places: readonly string[]): Promise<void> {
    for (const index of this.indexes) {
      const own = places.filter((place) => index.holds(place));
      if (own.length > 0) await index.scanPaths(own);
    }
  }

  private placesOf(paths: readonly string[]): string[] {
    return paths.flatMap((spelled) => this.placeOf(spelled) ?? []);
  }

  private placeOf(spelled: string): string | undefined {
    try {
      return this.options.resolve(spelled);
    } catch {
      return undefined; // The tool itself reports the reason.
    }
  }

  /** The first scan. In a resumed run it finds the changes of an interrupted action. */
  private async scanForFirstTime(): Promise<void> {
    const entries = this.record.entries();
    for (const entry of entries) if ('files' in entry) this.record.remember(entry.files);
    const { begun } = this.options;
    // An edit may have begun while the first scan was waiting.
    const unended = [...unendedActions(entries).keys()].filter((action) => !this.begunHere.has(action));
    const cutOff = unended.findLast((action) => begun?.has(action) ?? true);
    for (const action of unended.filter((each) => begun?.has(each) === false))
      this.record.append({ type: 'changed', at: Date.now(), action, files: [] });
    // It began again whenever the user saved a file that it had changed.
    const beganAt = entries.flatMap((entry) => (entry.type === 'began' && entry.action === cutOff ? [entry.at] : []));
    const [cutOffAt] = beganAt;
    const open = this.indexes.map((index): OpenWindow => ({ index, window: { before: new Map(), cutOffAt } }));
    const isFirst = this.indexes.every(({ isComplete }) => !isComplete);
    await Promise.all(open.map(({ index, window }) => index.scan(window))).finally(() => {
      for (const { index, window } of open) index.close(window);
    });
    const isKnown = this.indexes.every(({ isComplete }) => isComplete);
    if (cutOff === undefined || !isKnown) return;
    const { files, doubts } = this.withoutMovedIn(filesOf(open));
    this.record.remember(files);
    // What the action changed cannot be told from what the user changed since it was interrupted.
    if (files.length > 0) this.record.append({ type: 'between', at: Date.now(), next: cutOff, files });
    const isWhole = isFirst && this.indexes.every((index) => index.comparedWith(beganAt.at(-1) ?? 0));
    this.record.append({
      type: 'changed',
      at: Date.now(),
      action: cutOff,
      files: [],
      ...(!isWhole && { uncovered: cutOffWords }),
      ...(doubts.length > 0 && { doubts }),
    });
  }

  /** Records what others did to the files of this run since they were last recorded. */
  private noteElsewhere(paths: readonly string[] | undefined): void {
    const wanted = paths === undefined ? undefined : new Set(paths.flatMap((spelled) => this.placeOf(spelled) ?? []));
    const files: FileDelta[] = [];
    for (const [path, before] of this.record.recordedStates()) {
      if (wanted && !wanted.has(path)) continue;
      const index = this.indexes.find((each) => each.holds(path));
      const after = index?.stateOf(path) ?? null;
      if (!isSameState(before, after)) files.push({ path, before, after });
    }
    if (files.length === 0) return;
    this.record.remember(files);
    this.record.append({ type: 'elsewhere', at: Date.now(), files });
  }

  /** The run continues without checkpoints; the user is notified once. */
  private reportOnce(error: unknown): void {
    const words = failureWords(error);
    if (this.reported.has(words)) return;
    this.reported.add(words);
    this.options.onNotice(words);
  }
}

/** The folders that are not inside another one. */
const outermost = (folders: readonly string[]): string[] => {
  const real = [...new Set(folders.map(realPath))];
  return real.filter((folder) => !real.some((other) => other !== folder && folder.startsWith(`${other}/`)));
};

/** Returns the changes in the windows and closes them. */
function filesOf(open: readonly OpenWindow[]): FileDelta[] {
  const files = open.flatMap(({ index, window }) => deltasOf(index, window));
  for (const { index, window } of open) index.close(window);
  return files;
}

function deltasOf(index: FolderIndex, window: ChangeWindow): FileDelta[] {
  const deltas = [...window.before].map(([path, before]) => ({ path, before, after: index.stateOf(path) }));
  return deltas.filter(({ before, after }) => !isSameState(before, after)).sort((a, b) => compareTexts(a.path, b.path));
}

/** Resolves to whether the work finished in time. */
async function within(milliseconds: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const isInTime = await Promise.race([work.then(() => true as const), late]);
  clearTimeout(timer);
  return isInTime;
}
