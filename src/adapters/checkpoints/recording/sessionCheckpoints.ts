import { isSameState, type FileDelta } from '../../../core/changes/snapshot';
import type { JournalEntry } from '../../../core/changes/journalEntry';
import { unendedActions, unendedGap } from '../../../core/changes/unendedActions';
import type { ActionCheckpoint, Checkpoints } from '../../../core/ports/checkpoints';
import { realPath } from '../../storage/diskPaths';
import { thisProcess } from '../../storage/fileLock';
import type { CheckpointStore } from '../checkpointStore';
import { mayKeepContent } from '../coverage';
import { journalOf } from '../journal';
import { RunFolders } from '../runFolders';
import { ActiveWork } from './activeWork';
import { BackgroundWork } from './backgroundWork';
import { CreatedPaths } from './createdPaths';
import type { FolderWindows } from './folderWindows';
import { recordMovedIn } from './movedIn';
import { RunJournal, type Recording } from './runJournal';
import type { ActiveCommand } from './activeCommands';
import { ScannedFolders } from './scannedFolders';
import { TakenFiles } from './takenFiles';
import {
  closedWords,
  cutOffWords,
  failureWords,
  gapCutOffWords,
  otherRunsDoubts,
  tooMuchWords,
  unknownWords,
} from './uncoveredWords';
import { UserChanges } from './userChanges';

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

/** Facts about an action when it begins. */
interface StartedAction {
  /** Start time, in ms since 1970. */
  readonly at: number;
  readonly windows: FolderWindows;
  /** Why its changes may be missed, as a message. */
  readonly uncovered: string | undefined;
  /** Absent for an edit, which names its files. */
  readonly command: ActiveCommand | undefined;
  /** The files that it edits, if it names them. */
  readonly places: readonly string[];
  /** The files without copies that a command may take away. */
  readonly taken?: TakenFiles;
}

/** What the scan at the end of an action found out, apart from the changes. */
interface ScanAtEnd {
  /** Processes of the run are alive, and may change more. */
  readonly goesOn: boolean;
  /** What is new in the folders cannot have been moved there from elsewhere. */
  readonly onlyCopies: boolean;
  /** Number of files that were too much to copy. */
  readonly uncopied: number;
  readonly problem?: unknown;
}

/**
 * Saves, for one run, the contents of files before its actions change them, and records in a journal what each action
 * changed.
 */
export class SessionCheckpoints implements Checkpoints {
  /** Path of the journal. */
  readonly journal: string;
  private readonly folders: ScannedFolders;
  private readonly record: RunJournal;
  private readonly recording: Recording;
  private readonly active: ActiveWork;
  private readonly user: UserChanges;
  private readonly background = new BackgroundWork();
  private readonly begunHere = new Set<string>();
  private lastBegun: string | undefined;
  private scannedBetweenAt = -Infinity;
  /** The edits of tools that are running. */
  private readonly edits = new Set<Pick<StartedAction, 'places' | 'windows'>>();
  private laterScan: NodeJS.Timeout | undefined;
  private readonly reported = new Set<string>();
  private firstScan: Promise<void> | undefined;
  private hasFirstScanFailed = false;
  private isFirstScanOver = false;
  private isDisposed = false;

  constructor(private readonly options: SessionCheckpointsOptions) {
    const { store, log } = options;
    this.journal = journalOf(log);
    // The log grows while commands run, even if it is stored in the folder itself.
    store.ignore(realPath(log));
    this.folders = new ScannedFolders(options.folders, store);
    const scanned = this.folders.indexes.map(({ folder }) => folder);
    const run = { journal: this.journal, folders: scanned, family: options.family ?? log };
    this.record = new RunJournal({ file: this.journal, folders: options.folders, store, run });
    this.recording = { folders: this.folders, journal: this.record };
    this.active = new ActiveWork(this.recording);
    this.user = new UserChanges(this.recording, this.active);
  }

  /** Starts the first scan of the folders in the background. */
  prepare(): void {
    this.firstScan ??= this.background
      .delay(beginningFirstMs)
      .then(() => this.scanForFirstTime())
      .catch((error: unknown) => {
        this.hasFirstScanFailed = true;
        this.reportOnce(error);
      })
      .finally(() => {
        this.isFirstScanOver = true;
      });
  }

  canUndo(paths?: readonly string[]): boolean {
    if (this.isDisposed) return false;
    if (paths === undefined) return !this.hasFirstScanFailed;
    return paths.every((spelled) => {
      const place = this.placeOf(spelled);
      return place !== undefined && this.folders.canCopy(place);
    });
  }

  async before(action: string, paths?: readonly string[], text?: string): Promise<ActionCheckpoint> {
    const nothing = { after: () => Promise.resolve(), ended: () => undefined };
    if (this.isDisposed) return nothing;
    const requestedAt = performance.now();
    try {
      await this.ended();
      await this.options.store.restored();
      const started = await this.begin(action, { paths, text }, requestedAt);
      const end = () => this.end(action, paths, started).catch((error: unknown) => this.reportOnce(error));
      return { after: end, ended: () => this.background.addLater(requestFirstMs, end) };
    } catch (error) {
      this.reportOnce(error);
      return nothing;
    }
  }

  async beforeUnchanging(action: string): Promise<ActionCheckpoint> {
    // Changes made by others so far must not be attributed to it.
    await this.ended();
    const end = this.active.unchanging.begin(action);
    const ended = (): void => {
      end();
      this.laterScan ??= setTimeout(() => this.scanLater(), companyMs).unref();
    };
    const after = (): Promise<void> => {
      ended();
      return this.settled();
    };
    return { after, ended };
  }

  async hookBegins(): Promise<void> {
    try {
      // Before the first action nothing is recorded.
      if (this.lastBegun === undefined && !(await this.isContinued())) return;
      // The last action may have ended without its changes being recorded yet: what the hook changes is not one of them.
      await this.ended();
      if (!this.active.commands.areRunning) this.active.between.open(this.lastBegun!);
    } catch (error) {
      this.reportOnce(error);
    }
  }

  /** Returns whether the run continues that of an earlier process. Waits for the first scan, which records what that left. */
  private async isContinued(): Promise<boolean> {
    const before = this.record.entries().findLast((entry) => entry.type === 'began');
    if (before === undefined || this.isDisposed) return false;
    this.prepare();
    this.background.hurry();
    await within(this.options.store.limits.maxWaitMs, this.firstScan!);
    if (!this.folders.areComplete) return false;
    this.record.open();
    this.lastBegun ??= before.action;
    return true;
  }

  /** Resolves when the changes of finished actions are known, except of actions that claim to change nothing. */
  async ended(): Promise<void> {
    this.background.hurry();
    await this.background.done();
  }

  async settled(): Promise<void> {
    await this.ended();
    if (this.active.unchanging.areUnverified) this.scanLater();
    await this.background.done();
    await this.scanBetween();
  }

  /**
   * Resolves when everything is on disk. An unfinished first scan is aborted, unless it looks for the changes of an
   * interrupted action. `processesEnded`: resolves when all processes of the run have ended; awaited if some may still
   * change files.
   */
  async dispose(processesEnded?: Promise<unknown>): Promise<void> {
    if (this.isDisposed) return;
    this.isDisposed = true;
    await this.ended();
    if (this.active.between.isOpen) await processesEnded?.catch(() => undefined);
    await this.settled();
    try {
      this.active.between.close();
    } catch (error) {
      this.reportOnce(error);
    }
    if (this.firstScan && !this.isFirstScanOver && this.interrupted(this.record.entries()).after !== undefined)
      await within(this.options.store.limits.maxWaitMs, this.firstScan);
    this.folders.leave();
    this.record.leave();
    await this.record.close().catch((error: unknown) => this.reportOnce(error));
  }

  /**
   * Returns whether the run created a file, not a folder, and nothing else changed it since. Waits for the changes of
   * finished actions.
   */
  async isCreatedHere(place: string): Promise<boolean> {
    await this.ended();
    const real = this.placeOf(place);
    const index = real === undefined ? undefined : this.folders.indexOf(real);
    if (real === undefined || !index) return false;
    const created = new CreatedPaths(this.record.entries());
    return created.isThere(real, new RunFolders({ folders: [index.folder], areReal: true }), this.options.store.limits);
  }

  /** Returns whether a tool of this run is editing the file, so that a save of it is not the user's change. */
  isEditing(place: string): boolean {
    return [...this.edits].some(({ places }) => places.includes(place));
  }

  /**
   * Called after a tool has edited a file that had unsaved changes in its editor, and has saved these as well. `typed`:
   * the file as the user alone would have saved it. The difference to the file on disk is the user's change.
   */
  async editedUnsaved(spelled: string, typed: Buffer): Promise<void> {
    const place = this.placeOf(spelled);
    const edit = [...this.edits].find(({ places }) => place !== undefined && places.includes(place));
    if (place === undefined || !edit) return;
    const { blobs, limits } = this.options.store;
    if (!mayKeepContent(typed, limits)) return;
    try {
      if (this.user.typedBeforeEdit(place, { typed, edit: edit.windows, blobs })) await blobs.flush();
    } catch (error) {
      this.reportOnce(error);
    }
  }

  /**
   * Called before the user saves a file while commands may be running: earlier changes to it are attributed to the
   * commands.
   */
  beforePersonSaves(place: string): Promise<void> {
    return this.user.beforeSave(place);
  }

  /** Called after the user has saved the file: that change is attributed to the user, not to a command. */
  afterPersonSaved(place: string): Promise<void> {
    return this.user.afterSave(place);
  }

  /**
   * Called when the user has restored files while commands are running: the restore is not attributed to the commands,
   * but later changes are.
   */
  afterRestore(files: readonly FileDelta[]): Promise<void> {
    return this.user.afterRestore(files);
  }

  /** Returns which of some files the running commands have changed so far, or all of them if that is unknown. */
  async changedByCommands(places: readonly string[]): Promise<readonly string[]> {
    if (!this.folders.areComplete) return places;
    await this.folders.scanPaths(places);
    const { windows } = this.active.commands;
    return places.filter((place) =>
      windows.some((each) => {
        const atBegin = each.stateBefore(place);
        return atBegin !== undefined && !isSameState(atBegin, this.folders.stateOf(place));
      }),
    );
  }

  private async begin(
    action: string,
    { paths, text }: { readonly paths: readonly string[] | undefined; readonly text: string | undefined },
    requestedAt: number,
  ): Promise<StartedAction> {
    const places = this.placesOf(paths ?? []);
    let uncovered: string | undefined;
    if (paths === undefined) {
      uncovered = await this.scanBeforeCommand(requestedAt);
      this.active.recordUnchanging();
    } else {
      await this.folders.scanPaths(places);
    }
    this.record.open();
    this.active.between.record({ next: action, isOver: paths === undefined });
    if (uncovered === undefined) this.noteElsewhere(paths);
    const windows = this.folders.openWindows();
    const at = Date.now();
    this.begunHere.add(action);
    this.lastBegun = action;
    this.record.append({ type: 'began', at, action, by: thisProcess(), ...(paths !== undefined && { edits: true }) });
    const command = paths === undefined ? this.active.commands.begin(action, windows) : undefined;
    const started: StartedAction = {
      at,
      windows,
      uncovered,
      command,
      places: this.placesOf(paths ?? []),
      ...(text !== undefined && { taken: this.takenBy(text) }),
    };
    if (paths !== undefined) this.edits.add(started);
    return started;
  }

  private async end(action: string, paths: readonly string[] | undefined, started: StartedAction): Promise<void> {
    const { command } = started;
    const scanned = await this.scanAtEnd(paths, started);
    if (command) this.active.commands.end(command);
    this.edits.delete(started);
    this.recordChanges(action, paths, started, scanned);
    if (scanned.problem !== undefined) this.reportOnce(scanned.problem);
    if (scanned.goesOn && !this.active.commands.areRunning) this.active.between.open(action);
  }

  private async scanAtEnd(
    paths: readonly string[] | undefined,
    { uncovered, command, places, taken }: StartedAction,
  ): Promise<ScanAtEnd> {
    const scanned = { goesOn: false, onlyCopies: false, uncopied: 0 };
    try {
      await this.options.store.restored();
      if (paths === undefined) scanned.goesOn = await this.processesMayChangeFiles();
      // Asked at the end, because a person may have let the command out of the sandbox.
      scanned.onlyCopies =
        taken !== undefined && (await this.options.wroteOnlyInside?.()) === true && command?.isAlone === true;
      if (paths === undefined && uncovered === undefined) scanned.uncopied = await this.folders.scan();
      // A path may lead elsewhere now, such as to a file whose name looks the same as that of a deleted one.
      else if (paths !== undefined) await this.folders.scanPaths([...new Set([...places, ...this.placesOf(paths)])]);
      return scanned;
    } catch (problem) {
      return { ...scanned, problem };
    }
  }

  /** Records what an action changed, and why that may be incomplete. */
  private recordChanges(
    action: string,
    paths: readonly string[] | undefined,
    { at, windows, uncovered, places, taken }: StartedAction,
    { problem, uncopied, onlyCopies }: ScanAtEnd,
  ): void {
    const found = windows.take();
    const { files, doubts: movedDoubts, moved } = recordMovedIn(found, this.recording, { taken, onlyCopies });
    // Edits that this action names are not attributed to a command that runs at the same time.
    if (paths !== undefined) this.active.attributeToOthers(files.filter(({ path }) => places.includes(path)));
    this.record.remember(found);
    this.active.between.forget(found.map(({ path }) => path));
    // Also for an edit: if it was refused, another run may have changed its file meanwhile.
    const others = files.length > 0 ? this.record.othersSince(at) : [];
    const reasons = [
      uncovered ?? (problem === undefined ? undefined : failureWords(problem)),
      uncopied > 0 ? tooMuchWords(uncopied, this.options.store.limits.maxBytes) : undefined,
      ...(paths === undefined ? this.wordsAboutUnreadable() : []),
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
      ...(moved.length > 0 && { moved: [...moved] }),
    });
  }

  /** What the last scan could not read or compare, as messages. */
  private wordsAboutUnreadable(): string[] {
    const closed = this.folders.indexes.flatMap((index) => index.closed);
    const unknown = this.folders.indexes.flatMap((index) => index.unknown);
    return [
      ...(closed.length > 0 ? [closedWords(closed)] : []),
      ...(unknown.length > 0 ? [unknownWords(unknown)] : []),
    ];
  }

  private takenBy(text: string): TakenFiles {
    return new TakenFiles(text, this.options.folders[0] ?? '', (place) => this.folders.hasCopyOf(place));
  }

  private async processesMayChangeFiles(): Promise<boolean> {
    const { hasProcesses } = this.options;
    return hasProcesses ? hasProcesses().catch(() => false) : false;
  }

  /** Scans for changes that processes of the run have made since its last action. */
  private async scanBetween(): Promise<void> {
    const { between, commands } = this.active;
    const isRecent = performance.now() - this.scannedBetweenAt < betweenEveryMs && !this.isDisposed;
    if (!between.isOpen || commands.areRunning || isRecent) return;
    try {
      await this.options.store.restored();
      // Checked first: a process that ends afterwards has made its changes before the scan.
      const goesOn = await this.processesMayChangeFiles();
      await this.folders.scan();
      if (!commands.areRunning) between.record({ isOver: !goesOn });
    } catch (error) {
      this.reportOnce(error);
    }
    this.scannedBetweenAt = performance.now();
  }

  /** Verifies in the background that actions which claim to change nothing did not change anything. */
  private scanLater(): void {
    clearTimeout(this.laterScan);
    this.laterScan = undefined;
    const { areComplete } = this.folders;
    this.background.add(
      this.options.store
        .restored()
        .then(() => (areComplete ? this.folders.scan() : undefined))
        .then(() => this.active.recordUnchanging())
        .catch((error: unknown) => this.reportOnce(error)),
    );
  }

  /**
   * Scans before an action. Resolves to why changes may be missed, as a message; undefined if none are. The scan after
   * another action also serves as the scan before this one if it began after this one was requested.
   */
  private async scanBeforeCommand(requestedAt: number): Promise<string | undefined> {
    this.prepare();
    this.background.hurry();
    const { maxWaitMs } = this.options.store.limits;
    const isInTime = await within(maxWaitMs, this.firstScan!);
    if (isInTime && this.folders.areComplete) {
      // If another process or action may have changed files since that scan, only a new scan can separate the changes.
      const { between, unchanging } = this.active;
      await this.folders.scanSince(between.isOpen || unchanging.areUnverified ? Infinity : requestedAt);
      return undefined;
    }
    return isInTime
      ? 'The folder could not be scanned, so the changes of this command are unknown.'
      : 'The first scan of the folder was not finished when this command started, so what the command changed is unknown.';
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
    const { unended, cutOff, gap, after } = this.interrupted(entries);
    for (const action of unended.filter((each) => begun?.has(each) === false))
      this.record.append({ type: 'changed', at: Date.now(), action, files: [] });
    // It began again whenever the user saved a file that it had changed.
    const beganAt = entries.flatMap((entry) => (entry.type === 'began' && entry.action === cutOff ? [entry.at] : []));
    const cutOffAt = beganAt[0] ?? gap?.since;
    const isFirst = this.folders.indexes.every(({ isComplete }) => !isComplete);
    const windows = await this.folders.scanForFirstTime(cutOffAt);
    if (after === undefined || !this.folders.areComplete) return;
    const { files, doubts } = recordMovedIn(windows.take(), this.recording);
    this.record.remember(files);
    // What the run changed cannot be told from what the user changed since it was interrupted.
    if (files.length > 0 || gap)
      this.record.append({
        type: 'between',
        at: Date.now(),
        files,
        ...(cutOff !== undefined && { next: cutOff }),
        ...(gap && { ended: true }),
      });
    const storedAt = cutOff === undefined ? lastScanAt(entries) : (beganAt.at(-1) ?? 0);
    const isWhole = isFirst && this.folders.indexes.every((index) => index.comparedWith(storedAt));
    if (cutOff === undefined && isWhole && doubts.length === 0) return;
    this.record.append({
      type: 'changed',
      at: Date.now(),
      action: after,
      files: [],
      ...(!isWhole && { uncovered: cutOff === undefined ? gapCutOffWords : cutOffWords }),
      ...(doubts.length > 0 && { doubts: [...doubts] }),
    });
  }

  /**
   * The actions that an earlier process did not end, the last of them that had begun, and the time between two actions
   * that it did not end. `after`: the action during or after which it was killed, if it was changing files.
   */
  private interrupted(entries: readonly JournalEntry[]): {
    readonly unended: readonly string[];
    readonly cutOff: string | undefined;
    readonly gap: ReturnType<typeof unendedGap>;
    readonly after: string | undefined;
  } {
    // An edit may have begun while the first scan was waiting.
    const unended = [...unendedActions(entries).keys()].filter((action) => !this.begunHere.has(action));
    const cutOff = unended.findLast((action) => this.options.begun?.has(action) ?? true);
    const gap = this.active.between.isOpen ? undefined : unendedGap(entries);
    return { unended, cutOff, gap, after: cutOff ?? gap?.after };
  }

  /** Records what others did to the files of this run since they were last recorded. */
  private noteElsewhere(paths: readonly string[] | undefined): void {
    const wanted = paths === undefined ? undefined : new Set(paths.flatMap((spelled) => this.placeOf(spelled) ?? []));
    const files: FileDelta[] = [];
    for (const [path, before] of this.record.recordedStates()) {
      if (wanted && !wanted.has(path)) continue;
      const after = this.folders.stateOf(path);
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

/** When the run last scanned its folders, or later, in ms since 1970: what it recorded, it found by a scan before. */
const lastScanAt = (entries: readonly JournalEntry[]): number =>
  entries.findLast(({ type }) => ['began', 'changed', 'between'].includes(type))?.at ?? 0;

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
