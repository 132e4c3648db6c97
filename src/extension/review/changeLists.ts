import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { PastChange } from '../../protocol/panel/panel';
import type { CheckpointStore } from '../../adapters/checkpoints/checkpointStore';
import { RunChanges } from '../../adapters/checkpoints/restoring/runChanges';
import type { SessionCheckpoints } from '../../adapters/checkpoints/recording/sessionCheckpoints';
import { shownChanges, type FileChanges } from '../../core/changes/changesOf';
import { settingsOf } from '../../core/log/runSettings';
import { shownToPeople } from '../../core/text/shownName';
import type { LiveSession } from '../sessions/liveSession';
import { editorSnapshot } from './editorSnapshot';
import { withSlashes } from '../../adapters/storage/diskPaths';

/** Debounce delay of a refresh, in ms: changes come in bursts. */
const companyMs = 150;

/** What the review needs from the window. */
export interface ReviewParts {
  /** Returns the session on display, after opening it if necessary. */
  shown(): Promise<LiveSession | undefined>;
  /** The session on display, if it is open. */
  readonly live: LiveSession | undefined;
  /** Returns the open sessions that the user sees, in any place. */
  visibleSessions(): readonly LiveSession[];
  logOf(session: string): string;
  readonly store: CheckpointStore;
  readonly workspaceState: vscode.Memento;
  /** Returns the checkpoints of the sessions that are open in this window. */
  runs(): readonly SessionCheckpoints[];
  onProblem(problem: unknown): void;
}

/** The changes of one session to review, as of the last refresh. */
interface ListedChanges {
  /** Number of the refresh that produced it. */
  readonly began: number;
  readonly isKept: boolean;
  readonly files: readonly FileChanges[];
  /** Edits that change no file until the user applies them. */
  readonly held: readonly FileChanges[];
  readonly byPath: ReadonlyMap<string, FileChanges>;
}

/** What a place of the panel lists for its session. */
export interface SessionChanges {
  readonly session: string;
  readonly isKept: boolean;
  /** Held-back edits come first. */
  readonly files: readonly FileChanges[];
  /** Returns the display name of a path. */
  displayPath(absolute: string): string;
}

/**
 * The changes to review of every session that the user sees, kept up to date. The session on display comes first; the
 * others follow in the background.
 */
export class ChangeLists implements vscode.Disposable {
  /** True while an undo is in progress here; it is reported to the model at its end. */
  isUndoing = false;
  private readonly changed = new vscode.EventEmitter<void>();
  /** Fires when the changes of the session on display have been refreshed. */
  readonly onDidChange = this.changed.event;
  private readonly listed = new vscode.EventEmitter<void>();
  /** Fires when `all` has been refreshed. */
  readonly onDidList = this.listed.event;
  /** Session ID → changes, for visible sessions. */
  private readonly runs = new Map<string, RunChanges>();
  private readonly lists = new Map<string, ListedChanges>();
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> = Promise.resolve();
  private lookingAside: Promise<void> = Promise.resolve();
  private isAsideWaiting = false;
  private looks = 0;
  private readonly listening: vscode.Disposable;
  /** Journal IDs of undos made elsewhere that the model was told about. */
  private readonly toldUndone = new Set<string>();
  /** Problems that the user was told about. */
  private readonly reported = new Set<string>();

  constructor(private readonly parts: ReviewParts) {
    this.listening = vscode.Disposable.from(
      vscode.workspace.onDidSaveTextDocument(() => this.refreshSoon()),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        // Detects what another window or a terminal did meanwhile.
        if (focused) this.refreshSoon();
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        const { fsPath, scheme } = document.uri;
        if (scheme === 'file' && [...this.lists.values()].some(({ byPath }) => byPath.has(fsPath))) this.refreshSoon();
      }),
      vscode.workspace.onDidCreateFiles(() => this.refreshSoon()),
      vscode.workspace.onDidDeleteFiles(() => this.refreshSoon()),
      vscode.workspace.onDidRenameFiles(() => this.refreshSoon()),
    );
  }

  /** What is known about the session on display; undefined if it was not refreshed yet. */
  get shown(): ListedChanges | undefined {
    const { live } = this.parts;
    return live && this.lists.get(live.id);
  }

  /** Changes to review of every session that the user sees. */
  get all(): readonly SessionChanges[] {
    return [...this.allSeen].flatMap((live) => {
      const known = this.lists.get(live.id);
      if (!known) return [];
      const displayPath = (absolute: string): string => this.displayPathIn(live, absolute);
      return { session: live.id, isKept: known.isKept, files: [...known.held, ...known.files], displayPath };
    });
  }

  /** Returns the latest files that actions of a visible session changed. Empty if no copies of its files exist. */
  async pastChanges(session: string): Promise<PastChange[]> {
    const live = [...this.allSeen].find(({ id }) => id === session);
    const run = live && this.runs.get(session);
    if (!run?.record.isKept || run.record.cleaned) return [];
    return (await run.pastChanges()).map(({ action, path: changed, kind, isByCommand, isReverted }) => ({
      action,
      shown: this.displayPathIn(live, changed),
      kind,
      ...(isByCommand && { byCommand: true }),
      ...(isReverted && { reverted: true }),
    }));
  }

  /** The changes of the session on display, if it was refreshed or used. */
  get runShown(): RunChanges | undefined {
    const { live } = this.parts;
    return live && this.runs.get(live.id);
  }

  /** Returns the display name of a path of a session. */
  displayPathIn(live: LiveSession | undefined, absolute: string): string {
    const root = live && settingsOf(live.conversation.history)?.cwd;
    const relative = root === undefined ? absolute : path.relative(root, absolute);
    const isOutside = relative.startsWith('..') || path.isAbsolute(relative);
    return shownToPeople(isOutside ? inOtherFolder(absolute, root) : withSlashes(relative));
  }

  /** Returns the changes of a session, with its unsaved ones. */
  runOf(live: LiveSession): RunChanges {
    const known = this.runs.get(live.id);
    if (known) return known;
    const { logOf, store } = this.parts;
    const shown = (absolute: string): string => this.displayPathIn(live, absolute);
    const changes: RunChanges = new RunChanges(logOf(live.id), store, shown, {
      asSeen: editorSnapshot,
      atWork: () => this.parts.runs().find(({ journal }) => journal === changes.record.journal),
    });
    this.runs.set(live.id, changes);
    return changes;
  }

  /** Schedules a refresh, debounced. */
  refreshSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.refresh();
    }, companyMs);
  }

  /** Updates the changes from disk. Resolves when they are current. */
  refresh(): Promise<void> {
    this.looking = this.looking.then(() => this.refreshNow()).catch((error: unknown) => this.parts.onProblem(error));
    return this.looking;
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listening.dispose();
    this.changed.dispose();
    this.listed.dispose();
  }

  /** The sessions that the user sees, including the one in the current place. */
  private get allSeen(): ReadonlySet<LiveSession> {
    const { live } = this.parts;
    return new Set([...this.parts.visibleSessions(), ...(live ? [live] : [])]);
  }

  private async refreshNow(): Promise<void> {
    const { live } = this.parts;
    if (live) await this.lookInto(live);
    // Another session may be on display by now.
    if (this.parts.live !== live) return this.refreshNow();
    const ids = new Set(Array.from(this.allSeen, ({ id }) => id));
    for (const of of [this.lists, this.runs]) for (const id of of.keys()) if (!ids.has(id)) of.delete(id);
    this.changed.fire();
    this.listed.fire();
    this.refreshOthers();
  }

  /** Refreshes the other visible sessions in the background. */
  private refreshOthers(): void {
    if (this.isAsideWaiting) return;
    this.isAsideWaiting = true;
    this.lookingAside = this.lookingAside
      .then(async () => {
        this.isAsideWaiting = false;
        const others = new Set(this.parts.visibleSessions().filter((session) => session !== this.parts.live));
        for (const session of others) await this.lookInto(session);
        if (others.size > 0) this.listed.fire();
      })
      // A failed refresh must not stop later ones.
      .catch((error: unknown) => this.parts.onProblem(error));
  }

  private async lookInto(session: LiveSession): Promise<void> {
    const began = ++this.looks;
    try {
      const known = { began, ...(await this.lookAt(session)) };
      // A refresh that started later may already be done, and the session may not be visible anymore.
      const isLatest = (this.lists.get(session.id)?.began ?? 0) < began;
      if (isLatest && this.allSeen.has(session)) this.lists.set(session.id, known);
    } catch (error) {
      this.parts.onProblem(error);
    }
  }

  private async lookAt(live: LiveSession): Promise<Omit<ListedChanges, 'began'>> {
    // Changes of the last action may still be being detected.
    await live.changesKnown();
    const run = this.runOf(live);
    for (const words of await run.refresh()) void vscode.window.showWarningMessage(words);
    this.tellOfUndone({ live, run });
    const isKept = run.record.isKept && !run.record.cleaned;
    const files = isKept ? shownChanges(await run.changes()) : [];
    const held = shownChanges((await live.heldEdits?.changes()) ?? []);
    this.tellOnce(live.heldEdits?.problem);
    return { isKept, files, held, byPath: new Map(files.map((file) => [file.path, file])) };
  }

  /**
   * Tells the model about undos made by another window or a terminal, which cannot write to the log of this session.
   */
  private tellOfUndone({ live, run }: { readonly live: LiveSession; readonly run: RunChanges }): void {
    if (!live.writable || this.isUndoing) return;
    const reported = live.conversation.history.flatMap((event) =>
      event.type === 'feedback' && event.cause === 'changes_undone' ? [event.text] : [],
    );
    for (const { id, words } of run.record.unreportedUndos(reported)) {
      if (this.toldUndone.has(id)) continue;
      this.toldUndone.add(id);
      live.conversation.append({ type: 'feedback', cause: 'changes_undone', text: words });
    }
  }

  private tellOnce(words: string | undefined): void {
    if (words !== undefined && !this.reported.has(words)) void vscode.window.showWarningMessage(words);
    if (words !== undefined) this.reported.add(words);
  }
}

/**
 * Returns a path in another folder of the workspace with the name of that folder first, as tools accept it. Returns the
 * path itself if it is elsewhere, or if that name is ambiguous. `root`: the folder of the session.
 */
function inOtherFolder(absolute: string, root: string | undefined): string {
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(absolute))?.uri.fsPath;
  if (folder === undefined) return absolute;
  const name = path.basename(folder);
  const sameNames = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => path.basename(uri.fsPath) === name);
  if (sameNames.length > 1 || (root !== undefined && fs.existsSync(path.join(root, name)))) return absolute;
  return withSlashes(path.join(name, path.relative(folder, absolute)));
}
