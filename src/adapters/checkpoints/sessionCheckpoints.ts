import fs from 'node:fs';
import { isSameState, type FileDelta, type FileState } from '../../core/changes/fileState';
import type { JournalEntry } from '../../core/changes/journalEntry';
import type { Checkpoints } from '../../core/ports/environment';
import type { CheckpointStore } from './checkpointStore';
import type { ChangeWindow, FolderIndex } from './folderIndex';
import { appendToJournal, journalOf, readJournal } from './journal';

export interface SessionCheckpointsOptions {
  /** The log of the run; its journal lies beside it. */
  readonly log: string;
  readonly folders: readonly string[];
  readonly store: CheckpointStore;
  /** The absolute path that a tool means. Throws for what it may not touch. */
  resolve(spelled: string): string;
  /** What a person should know, in words; each is told once. */
  onNotice(text: string): void;
}

interface OpenWindow {
  readonly index: FolderIndex;
  readonly window: ChangeWindow;
}

/** Keeps, for one run, what files held before its actions changed them, and notes in a journal what each action changed. */
export class SessionCheckpoints implements Checkpoints {
  private readonly indexes: readonly FolderIndex[];
  private readonly journal: string;
  /** Files of the journal as they were when they were last noted. */
  private readonly noted = new Map<string, FileState>();
  private readonly told = new Set<string>();
  private firstLook: Promise<void> | undefined;
  private isOpen = false;
  private isBroken = false;

  constructor(private readonly options: SessionCheckpointsOptions) {
    const { store, log } = options;
    this.journal = journalOf(log);
    // The log grows while commands run, also where it lies in the folder.
    store.ignore(realPath(log));
    this.indexes = outermost(options.folders).map((folder) => store.index(folder));
  }

  /** Begins the first look at the folders, beside all else. */
  prepare(): void {
    this.firstLook ??= this.lookFirst().catch((error: unknown) => this.tell(error));
  }

  async before(action: string, paths?: readonly string[]): Promise<{ after(): Promise<void> }> {
    const nothing = { after: () => Promise.resolve() };
    if (this.isBroken) return nothing;
    try {
      const begun = await this.begin(action, paths);
      return { after: () => this.end(action, paths, begun).catch((error: unknown) => this.tell(error)) };
    } catch (error) {
      this.tell(error);
      return nothing;
    }
  }

  private async begin(action: string, paths: readonly string[] | undefined) {
    let uncovered: string | undefined;
    if (paths === undefined) uncovered = await this.lookAtAll();
    else await this.lookAtSome(paths);
    this.open();
    this.noteElsewhere(paths);
    const open = this.indexes.map((index): OpenWindow => ({ index, window: index.open() }));
    this.append({ type: 'began', at: Date.now(), action });
    return { open, uncovered };
  }

  private async end(
    action: string,
    paths: readonly string[] | undefined,
    { open, uncovered }: { readonly open: readonly OpenWindow[]; readonly uncovered: string | undefined },
  ): Promise<void> {
    let problem: unknown;
    try {
      if (paths === undefined && uncovered === undefined) await Promise.all(this.indexes.map((index) => index.look()));
      else if (paths !== undefined) await this.lookAtSome(paths);
    } catch (error) {
      problem = error;
    }
    const files = open.flatMap(({ index, window }) => deltasOf(index, window));
    for (const { index, window } of open) index.close(window);
    this.noteFiles(files);
    const why = uncovered ?? (problem === undefined ? undefined : wordsOf(problem));
    this.append({ type: 'changed', at: Date.now(), action, files, ...(why !== undefined && { uncovered: why }) });
    if (problem !== undefined) this.tell(problem);
  }

  /** Why changes may be missed, in words; undefined where all are seen. */
  private async lookAtAll(): Promise<string | undefined> {
    this.prepare();
    const { longestWait } = this.options.store.limits;
    const isInTime = await within(longestWait, this.firstLook!);
    if (isInTime && this.indexes.every(({ isComplete }) => isComplete)) {
      await Promise.all(this.indexes.map((index) => index.look()));
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
      if (own.length > 0) await index.lookAt(own);
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
    const cutOff = openAction(entries);
    const open = cutOff === undefined ? [] : this.indexes.map((index) => ({ index, window: index.open() }));
    await Promise.all(this.indexes.map((index) => index.look()));
    if (cutOff === undefined) return;
    const files = open.flatMap(({ index, window }) => deltasOf(index, window));
    for (const { index, window } of open) index.close(window);
    this.noteFiles(files);
    this.append({ type: 'changed', at: Date.now(), action: cutOff, files });
  }

  /** What somebody else did to the files of this run since they were last noted. */
  private noteElsewhere(paths: readonly string[] | undefined): void {
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

  private noteFiles(files: readonly FileDelta[]): void {
    for (const { path, after } of files) this.noted.set(path, after);
  }

  private open(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    const { store, folders } = this.options;
    store.register(this.journal);
    if (readJournal(this.journal).entries.some(({ type }) => type === 'opened')) return;
    this.append({ type: 'opened', version: 1, at: Date.now(), store: store.folder, folders: [...folders] });
  }

  private append(entry: JournalEntry): void {
    appendToJournal(this.journal, entry);
  }

  /** A run goes on without checkpoints; the person is told once. */
  private tell(error: unknown): void {
    const words = wordsOf(error);
    if (this.told.has(words)) return;
    this.told.add(words);
    this.options.onNotice(words);
  }
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

function deltasOf(index: FolderIndex, window: ChangeWindow): FileDelta[] {
  const deltas = [...window].map(([path, before]) => ({ path, before, after: index.stateOf(path) }));
  return deltas.filter(({ before, after }) => !isSameState(before, after)).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The action that had begun when the program ended. */
function openAction(entries: readonly JournalEntry[]): string | undefined {
  const open = new Set<string>();
  for (const entry of entries) {
    if (entry.type === 'began') open.add(entry.action);
    if (entry.type === 'changed') open.delete(entry.action);
  }
  return [...open].at(-1);
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
