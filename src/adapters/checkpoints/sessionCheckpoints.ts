import fs from 'node:fs';
import path from 'node:path';
import { isSameState, type FileDelta, type FileState } from '../../core/changes/fileState';
import type { JournalEntry } from '../../core/changes/journalEntry';
import { partsOf, workSince, type OthersWork } from '../../core/changes/othersChanges';
import { shownName } from '../../core/text/shownName';
import type { Checkpoint, Checkpoints } from '../../core/ports/environment';
import { thisProcess } from '../storage/fileLock';
import type { CheckpointStore } from './checkpointStore';
import type { ChangeWindow, FolderIndex } from './folderIndex';
import { journalOf, JournalReader, JournalWriter, readJournal } from './journal';
import type { LivingRun } from './livingRuns';

/** An action ends: so long the request of the model goes before what is looked at. Milliseconds. */
const requestFirstMs = 15;
/** The same where a run begins. */
const beginningFirstMs = 40;
/**
 * What an action did that says it changes nothing is looked for so much later, once for several of them. Milliseconds.
 */
const companyMs = 1000;
/** Whoever asks again and again what changed between actions is answered from one look for so long. Milliseconds. */
const betweenEveryMs = 1000;
/** Files that are named, at most, where another run may have changed them. */
const mostNamed = 5;

export interface SessionCheckpointsOptions {
  /** The log of the run; its journal is stored beside it. */
  readonly log: string;
  readonly folders: readonly string[];
  readonly store: CheckpointStore;
  /** The absolute path that a tool means. Throws for what it may not touch. */
  resolve(spelled: string): string;
  /** Tells a person something they should know, each message once. */
  onNotice(text: string): void;
  /**
   * Whether processes that commands of this run began live at this moment: what these change belongs to the run, also
   * between two actions. Absent: there are none.
   */
  hasProcesses?(): Promise<boolean>;
  /** The same for a run and those that work for it; the run alone when absent. */
  readonly family?: string;
  /**
   * Actions that began as the log has it that was opened. Others had no effect, also where the journal says that they
   * began: its line is written while the disk takes the log. Absent: all that the journal says.
   */
  readonly begun?: ReadonlySet<string>;
}

interface OpenWindow {
  readonly index: FolderIndex;
  readonly window: ChangeWindow;
}

/** A command that runs, whose changes are those of the folder. */
interface RunningCommand {
  readonly action: string;
  readonly open: readonly OpenWindow[];
}

/** An action that says that it changes nothing, until it was looked whether that is so. */
interface Unchanging {
  readonly action: string;
  readonly open: readonly OpenWindow[];
}

/** The time between two actions in which processes of the run may change files. */
interface Gap {
  readonly since: number;
  readonly open: readonly OpenWindow[];
}

/** What is known of an action when it begins. */
interface Begun {
  /** When, in milliseconds since 1970. */
  readonly at: number;
  readonly open: readonly OpenWindow[];
  /** Why changes of it may be missed, in words. */
  readonly uncovered: string | undefined;
  readonly command: RunningCommand;
  /** The files that it edits, where it says so. */
  readonly places: readonly string[];
}

/**
 * Keeps, for one run, what files held before its actions changed them, and notes in a journal what each action changed.
 */
export class SessionCheckpoints implements Checkpoints {
  readonly journal: string;
  private readonly indexes: readonly FolderIndex[];
  private readonly writer: JournalWriter;
  private readonly reader: JournalReader;
  /** Entries that were looked through for what a person undid. */
  private entriesKnown = 0;
  /** Actions that ended and whose changes are still being collected. */
  private readonly ending = new Set<Promise<void>>();
  private unchanging: readonly Unchanging[] = [];
  private readonly commands = new Set<RunningCommand>();
  private readonly begunHere = new Set<string>();
  private gap: Gap | undefined;
  private lookedBetweenAt = -Infinity;
  private readonly self: LivingRun;
  /** Files that tools edit at this moment, each as often as it is edited. */
  private edited: readonly string[] = [];
  private lookingLater: NodeJS.Timeout | undefined;
  /** Ends the waits of those who let others go first. */
  private readonly hurried = new Set<() => void>();
  /** Files of the journal as they were when they were last noted. */
  private readonly noted = new Map<string, FileState>();
  private readonly told = new Set<string>();
  private firstLook: Promise<void> | undefined;
  private hasFirstLookFailed = false;
  private isOpen = false;
  private isDisposed = false;

  constructor(private readonly options: SessionCheckpointsOptions) {
    const { store, log } = options;
    this.journal = journalOf(log);
    // The log grows while commands run, even if it is stored in the folder itself.
    store.ignore(realPath(log));
    this.indexes = outermost(options.folders).map((folder) => store.index(folder));
    for (const index of this.indexes) index.join();
    this.writer = new JournalWriter(this.journal);
    this.reader = new JournalReader(this.journal);
    const folders = this.indexes.map(({ folder }) => folder);
    this.self = { journal: this.journal, folders, family: options.family ?? log };
  }

  /** Starts the first scan of the folders in the background. */
  prepare(): void {
    this.firstLook ??= this.othersFirst(beginningFirstMs)
      .then(() => this.lookFirst())
      .catch((error: unknown) => {
        this.hasFirstLookFailed = true;
        this.tell(error);
      });
  }

  canUndo(paths?: readonly string[]): boolean {
    if (this.isDisposed) return false;
    if (paths === undefined) return !this.hasFirstLookFailed;
    return paths.every((spelled) => {
      const place = this.placeOf(spelled);
      return place !== undefined && this.indexes.some((index) => index.holds(place) && index.canCopy(place));
    });
  }

  async before(action: string, paths?: readonly string[]): Promise<Checkpoint> {
    const nothing = { after: () => Promise.resolve(), ended: () => undefined };
    if (this.isDisposed) return nothing;
    const asked = performance.now();
    try {
      await this.ended();
      const begun = await this.begin(action, paths, asked);
      const end = () => this.end(action, paths, begun).catch((error: unknown) => this.tell(error));
      return { after: end, ended: () => this.endSoon(end) };
    } catch (error) {
      this.tell(error);
      return nothing;
    }
  }

  async beforeUnchanging(action: string): Promise<Checkpoint> {
    // What others changed until now is none of its doing.
    await this.ended();
    const open = this.indexes.map((index): OpenWindow => ({ index, window: index.open(true) }));
    this.unchanging = [...this.unchanging, { action, open }];
    const ended = (): void => {
      // The clock here leaves out parts of a millisecond, that of the file system may not.
      for (const { window } of open) window.until = Date.now() + 1;
      this.lookingLater ??= setTimeout(() => this.scanLater(), companyMs).unref();
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

  /** Looks what processes of the run changed since its last action. */
  private async scanBetween(): Promise<void> {
    const isRecent = performance.now() - this.lookedBetweenAt < betweenEveryMs && !this.isDisposed;
    if (!this.gap || this.commands.size > 0 || isRecent) return;
    try {
      // Asked first: what ends now has changed all that it will before the look.
      const goesOn = await this.mayChangeFiles();
      await Promise.all(this.indexes.map((index) => index.scan()));
      if (this.commands.size === 0) this.noteBetween(undefined, !goesOn);
    } catch (error) {
      this.tell(error);
    }
    this.lookedBetweenAt = performance.now();
  }

  private async mayChangeFiles(): Promise<boolean> {
    const { hasProcesses } = this.options;
    return hasProcesses ? hasProcesses().catch(() => false) : false;
  }

  /** Resolves when it is known what the actions changed that ended, but for those that say they change nothing. */
  async ended(): Promise<void> {
    for (const hurry of this.hurried) hurry();
    await Promise.all(this.ending);
  }

  /** Looks whether actions that say they change nothing kept to it. Beside all else. */
  private scanLater(): void {
    clearTimeout(this.lookingLater);
    this.lookingLater = undefined;
    const isKnown = this.indexes.every(({ isComplete }) => isComplete);
    this.finish(
      Promise.all(isKnown ? this.indexes.map((index) => index.scan()) : [])
        .then(() => this.closeUnchanging())
        .catch((error: unknown) => this.tell(error)),
    );
  }

  /** After a look: what those changed after all that said they change nothing. */
  private closeUnchanging(): void {
    const isOver = ({ open }: Unchanging): boolean => open.every(({ window }) => window.until !== undefined);
    const over = this.unchanging.filter(isOver);
    this.unchanging = this.unchanging.filter((each) => !isOver(each));
    for (const { action, open } of over) {
      const files = filesOf(open);
      if (files.length === 0) continue;
      this.open();
      this.noteFiles(files);
      this.forgetInGap(files.map(({ path }) => path));
      this.append({ type: 'changed', at: Date.now(), action, files });
    }
  }

  private finish(work: Promise<void>): void {
    this.ending.add(work);
    void work.finally(() => this.ending.delete(work));
  }

  /**
   * Resolves when all that is known is on disk. A first look that goes on is given up. `processesEnded`: resolves when
   * no process of the run lives, which is waited for where some may still change files.
   */
  async dispose(processesEnded?: Promise<unknown>): Promise<void> {
    if (this.isDisposed) return;
    this.isDisposed = true;
    await this.ended();
    if (this.gap) await processesEnded?.catch(() => undefined);
    await this.settled();
    this.closeGap();
    for (const index of this.indexes) index.leave();
    if (this.isOpen) this.options.store.living.leave(this.self);
    await this.writer.close().catch((error: unknown) => this.tell(error));
  }

  private endSoon(end: () => Promise<void>): void {
    this.finish(this.othersFirst(requestFirstMs).then(end));
  }

  /** Resolves after a moment in which other work goes first, or as soon as somebody waits for what follows. */
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

  private async begin(action: string, paths: readonly string[] | undefined, asked: number): Promise<Begun> {
    let uncovered: string | undefined;
    if (paths === undefined) uncovered = await this.lookAtAll(asked);
    else await this.lookAtSome(paths);
    if (paths === undefined) this.closeUnchanging();
    this.open();
    this.noteBetween(action, paths === undefined);
    if (uncovered === undefined) this.noteElsewhere(paths);
    const open = this.indexes.map((index): OpenWindow => ({ index, window: index.open() }));
    const at = Date.now();
    this.begunHere.add(action);
    this.append({ type: 'began', at, action, by: thisProcess(), ...(paths !== undefined && { edits: true }) });
    const command: RunningCommand = { action, open };
    const places = (paths ?? []).flatMap((spelled) => this.placeOf(spelled) ?? []);
    if (paths === undefined) this.commands.add(command);
    this.edited = [...this.edited, ...places];
    return { at, open, uncovered, command, places };
  }

  /** From now on until the next action, what processes of the run change belongs to it. */
  private openGap(): void {
    if (this.commands.size > 0) return;
    this.gap ??= {
      since: Date.now(),
      open: this.indexes.map((index): OpenWindow => ({ index, window: index.open() })),
    };
  }

  private closeGap(): void {
    for (const { index, window } of this.gap?.open ?? []) index.close(window);
    this.gap = undefined;
  }

  /** What is known to be of an action or a person is none of what changed between actions. */
  private forgetInGap(paths: readonly string[]): void {
    for (const { window } of this.gap?.open ?? []) for (const path of paths) window.before.delete(path);
  }

  /** Notes what the last look found of changes between two actions. */
  private noteBetween(next: string | undefined, isOver: boolean): void {
    const { gap } = this;
    if (!gap) return;
    const files = gap.open.flatMap(({ index, window }) => deltasOf(index, window));
    for (const { window } of gap.open) window.before.clear();
    if (isOver) this.closeGap();
    if (files.length === 0) return;
    // What a person undid meanwhile, or another run did, is neither.
    const own = workSince(this.reader.read().entries, gap.since);
    const others = [own, ...this.othersSince(gap.since)].flatMap((work) =>
      work === own ? work.own : [...work.own, ...work.whileCommands],
    );
    this.noteFiles(files);
    this.appendParts(files, others, (some) => ({
      type: 'between',
      at: Date.now(),
      ...(next !== undefined && { next }),
      files: some,
    }));
  }

  /** What the journals say of the other runs that are at work in these folders. */
  private othersSince(since: number): OthersWork[] {
    const others = this.options.store.living.besides(this.self);
    return others.map(({ journal }) => workSince(readJournal(journal).entries, since));
  }

  /** Writes what others are known to have done as theirs, and the rest as what `own` makes of it. */
  private appendParts(
    files: readonly FileDelta[],
    others: readonly FileDelta[],
    own: (files: FileDelta[]) => JournalEntry,
  ): void {
    const parts = files.map((file) => partsOf(file, others));
    const most = Math.max(0, ...parts.map(({ length }) => length));
    for (let nth = 0; nth < most; nth++) {
      const now = parts.flatMap((each) => each[nth] ?? []);
      const mine = now.filter(({ isOthers }) => !isOthers).map(({ delta }) => delta);
      const theirs = now.filter(({ isOthers }) => isOthers).map(({ delta }) => delta);
      if (mine.length > 0) this.append(own(mine));
      if (theirs.length > 0) this.append({ type: 'elsewhere', at: Date.now(), files: theirs });
    }
  }

  /** Whether a tool of this run edits the file at this moment, so that a save of it is none of a person. */
  isEditing(place: string): boolean {
    return this.edited.includes(place);
  }

  /** Whether something that belongs to the run may change files at this moment. */
  private get isWatched(): boolean {
    return this.commands.size > 0 || this.unchanging.length > 0 || this.gap !== undefined;
  }

  /** A person is about to save a file while commands may run: what those did to it until now is theirs. */
  async beforePersonSaves(place: string): Promise<void> {
    if (this.isWatched) await this.indexes.find((index) => index.holds(place))?.scanPaths([place]);
  }

  /** A person saved the file: that change is theirs and no command's. */
  async afterPersonSaved(place: string): Promise<void> {
    const index = this.isWatched ? this.indexes.find((each) => each.holds(place)) : undefined;
    if (!index) return;
    const before = index.stateOf(place);
    await index.scanPaths([place]);
    const after = index.stateOf(place);
    if (isSameState(before, after)) return;
    this.open();
    this.takeFromRunning([{ path: place, before, after }]);
    // Both looks are told of by now: the one before the save, and this one.
    const changedBetween = this.gap?.open.some(({ window }) => {
      const atBegin = window.before.get(place);
      return atBegin !== undefined && !isSameState(atBegin, before);
    });
    if (changedBetween) this.noteBetweenUntil(place, before);
    this.forgetInGap([place]);
    const files = [{ path: place, before, after }];
    this.noteFiles(files);
    this.append({ type: 'elsewhere', at: Date.now(), files });
  }

  /** Which of some files a command that is at work has changed up to now; all of them where that cannot be told. */
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
   * A person put files back while commands are at work: that is none of the commands' doing. What a file is other than
   * it was put back is.
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

  /** What somebody else did at this moment is of nothing that runs; what a command did before that is noted as its. */
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

  /** What a command did to a file until somebody else changed it. */
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
    this.append({ type: 'changed', at, action, files: [{ path, before: atBegin, after: before }] });
    // It still runs: what else it changes is found when it ended, or by the next run where it is cut off.
    this.append({ type: 'began', at, action, by: thisProcess() });
  }

  /** What processes did to a file between two actions until a person saved it. */
  private noteBetweenUntil(path: string, after: FileState): void {
    const window = this.gap?.open.find((each) => each.window.before.has(path))?.window;
    const before = window?.before.get(path) ?? null;
    this.append({ type: 'between', at: Date.now(), files: [{ path, before, after }] });
  }

  private async end(
    action: string,
    paths: readonly string[] | undefined,
    { at, open, uncovered, command, places }: Begun,
  ): Promise<void> {
    let problem: unknown;
    let uncopied = 0;
    let goesOn = false;
    try {
      if (paths === undefined) goesOn = await this.mayChangeFiles();
      if (paths === undefined && uncovered === undefined) uncopied = await this.lookAround();
      else if (paths !== undefined) await this.lookAtSome(paths);
    } catch (error) {
      problem = error;
    }
    this.commands.delete(command);
    this.edited = this.edited.filter((place) => !places.includes(place));
    const files = filesOf(open);
    // A command that runs meanwhile did not do what this action says that it edits.
    if (paths !== undefined) this.takeFromRunning(files.filter(({ path }) => places.includes(path)));
    this.noteFiles(files);
    this.forgetInGap(files.map(({ path }) => path));
    const others = paths === undefined && files.length > 0 ? this.othersSince(at) : [];
    const doubts = [
      uncovered ?? (problem === undefined ? undefined : wordsOf(problem)),
      uncopied > 0 ? uncopiedWords(uncopied, this.options.store.limits.mostBytes) : undefined,
      besideOthersWords(files, others),
    ].filter((words) => words !== undefined);
    const changed = (some: FileDelta[]) => ({ type: 'changed' as const, at: Date.now(), action, files: some });
    const othersOwn = others.flatMap(({ own }) => own);
    if (othersOwn.length > 0) this.appendParts(files, othersOwn, changed);
    const left = othersOwn.length > 0 ? [] : files;
    this.append({ ...changed(left), ...(doubts.length > 0 && { uncovered: doubts.join(' ') }) });
    if (problem !== undefined) this.tell(problem);
    if (goesOn) this.openGap();
  }

  /** Looks at all folders. Resolves to how many files were too much to copy. */
  private async lookAround(): Promise<number> {
    const uncopied = await Promise.all(this.indexes.map((index) => index.scan()));
    return uncopied.reduce((sum, each) => sum + each, 0);
  }

  /**
   * Why changes may be missed, in words; undefined where all are seen. The scan after another action, where it began
   * when this one was `asked` for already, is the scan before this one.
   */
  private async lookAtAll(asked: number): Promise<string | undefined> {
    this.prepare();
    for (const hurry of this.hurried) hurry();
    const { longestWait } = this.options.store.limits;
    const isInTime = await within(longestWait, this.firstLook!);
    if (isInTime && this.indexes.every(({ isComplete }) => isComplete)) {
      // Where another process or action may have changed something since that scan, only a new one keeps it apart.
      const since = this.gap || this.unchanging.length > 0 ? Infinity : asked;
      await Promise.all(this.indexes.map((index) => index.scanSince(since)));
      return undefined;
    }
    return isInTime
      ? 'The folder could not be looked at, so what this command changed is not known.'
      : 'The first look at the folder had not ended when this command began, so what it changed is not known.';
  }

  private async lookAtSome(paths: readonly string[]): Promise<void> {
    const places = paths.flatMap((spelled) => this.placeOf(spelled) ?? []);
    for (const index of this.indexes) {
      const own = places.filter((place) => index.holds(place));
      if (own.length > 0) await index.scanPaths(own);
    }
  }

  private placeOf(spelled: string): string | undefined {
    try {
      return this.options.resolve(spelled);
    } catch {
      return undefined; // the tool itself says why
    }
  }

  /** The first look of a run that goes on finds what an action changed that was cut off. */
  private async lookFirst(): Promise<void> {
    const { entries } = readJournal(this.journal);
    for (const entry of entries) if ('files' in entry) this.noteFiles(entry.files);
    const { begun } = this.options;
    // An edit may have begun while the first look waited.
    const unended = openActions(entries).filter((action) => !this.begunHere.has(action));
    const cutOff = unended.findLast((action) => begun?.has(action) ?? true);
    for (const action of unended.filter((each) => begun?.has(each) === false))
      this.append({ type: 'changed', at: Date.now(), action, files: [] });
    const open = this.indexes.map((index): OpenWindow => ({ index, window: { before: new Map() } }));
    await Promise.all(open.map(({ index, window }) => index.scan(window)));
    const isKnown = this.indexes.every(({ isComplete }) => isComplete);
    if (cutOff === undefined || !isKnown) return;
    const files = filesOf(open);
    this.noteFiles(files);
    this.append({ type: 'changed', at: Date.now(), action: cutOff, files });
  }

  /** What somebody else did to the files of this run since they were last noted. */
  private noteElsewhere(paths: readonly string[] | undefined): void {
    this.noteUndone();
    const wanted = paths === undefined ? undefined : new Set(paths.flatMap((spelled) => this.placeOf(spelled) ?? []));
    const files: FileDelta[] = [];
    for (const [path, before] of this.noted) {
      if (wanted && !wanted.has(path)) continue;
      const index = this.indexes.find((each) => each.holds(path));
      const after = index?.stateOf(path) ?? null;
      if (!isSameState(before, after)) files.push({ path, before, after });
    }
    if (files.length === 0) return;
    this.noteFiles(files);
    this.append({ type: 'elsewhere', at: Date.now(), files });
  }

  /** What a person put back is in the journal already. */
  private noteUndone(): void {
    if (!this.writer.haveOthersWritten()) return;
    const { entries } = this.reader.read();
    for (const entry of entries.slice(this.entriesKnown))
      if (entry.type === 'undone' || entry.type === 'redone') this.noteFiles(entry.files);
    this.entriesKnown = entries.length;
  }

  private noteFiles(files: readonly FileDelta[]): void {
    for (const { path, after } of files) this.noted.set(path, after);
  }

  private open(): void {
    if (this.isOpen) return;
    const { store, folders } = this.options;
    store.register(this.journal);
    store.living.enter(this.self);
    const opened = readJournal(this.journal).entries.flatMap((entry) => (entry.type === 'opened' ? [entry] : []));
    const isKnown = folders.every((folder) => opened.some((entry) => entry.folders.includes(folder)));
    const isNoted = opened.at(-1)?.store === store.folder && isKnown;
    if (!isNoted)
      this.append({ type: 'opened', version: 1, at: Date.now(), store: store.folder, folders: [...folders] });
    // Last: what failed is tried again by the next action.
    this.isOpen = true;
  }

  private append(entry: JournalEntry): void {
    this.writer.append(entry);
  }

  /** The run continues without checkpoints; the person is told once. */
  private tell(error: unknown): void {
    const words = wordsOf(error);
    if (this.told.has(words)) return;
    this.told.add(words);
    this.options.onNotice(words);
  }
}

/** What is said of a step that changed more than one look copies. */
const uncopiedWords = (count: number, mostBytes: number): string =>
  `More than ${Math.round(mostBytes / 1024 / 1024)} MB changed at once, so ${count} of the files were not copied and cannot be undone.`;

/** What is said of a command beside which another run worked in the same folder; undefined where it cannot matter. */
function besideOthersWords(files: readonly FileDelta[], others: readonly OthersWork[]): string | undefined {
  const theirs = new Set(others.flatMap(({ whileCommands }) => whileCommands.map(({ path }) => path)));
  const isActing = others.some((other) => other.isActing);
  const shared = files.filter(({ path }) => isActing || theirs.has(path)).map(({ path }) => path);
  if (shared.length === 0) return undefined;
  const named = shared.slice(0, mostNamed).map((file) => shownName(path.basename(file)));
  const more = shared.length - named.length;
  const list = more > 0 ? [...named, `${more} more`] : named;
  return `Another run worked in this folder at the same time, so these changes may be its: ${list.join(', ')}.`;
}

const wordsOf = (error: unknown): string => {
  const why = error instanceof Error ? error.message : String(error);
  return `Changes of files may not be undone in this run. ${why}`;
};

function realPath(file: string): string {
  try {
    return fs.realpathSync(file);
  } catch {
    return file;
  }
}

/** Folders that lie in none of the others. */
const outermost = (folders: readonly string[]): string[] => {
  const real = [...new Set(folders.map(realPath))];
  return real.filter((folder) => !real.some((other) => other !== folder && folder.startsWith(`${other}/`)));
};

/** What changed in the windows, which are closed by that. */
function filesOf(open: readonly OpenWindow[]): FileDelta[] {
  const files = open.flatMap(({ index, window }) => deltasOf(index, window));
  for (const { index, window } of open) index.close(window);
  return files;
}

function deltasOf(index: FolderIndex, window: ChangeWindow): FileDelta[] {
  const deltas = [...window.before].map(([path, before]) => ({ path, before, after: index.stateOf(path) }));
  return deltas.filter(({ before, after }) => !isSameState(before, after)).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The actions that had begun when the program ended, in order. */
function openActions(entries: readonly JournalEntry[]): string[] {
  const open = new Set<string>();
  for (const entry of entries) {
    if (entry.type === 'began') open.add(entry.action);
    if (entry.type === 'changed') open.delete(entry.action);
  }
  return [...open];
}

/** Whether it ended in time. */
async function within(milliseconds: number, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  const isInTime = await Promise.race([work.then(() => true as const), late]);
  clearTimeout(timer);
  return isInTime;
}
