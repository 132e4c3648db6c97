import path from 'node:path';
import * as vscode from 'vscode';
import type { HeldEdits } from '../../adapters/checkpoints/heldEdits';
import type { CheckpointStore } from '../../adapters/checkpoints/checkpointStore';
import type { SessionCheckpoints } from '../../adapters/checkpoints/sessionCheckpoints';
import type { KeptFile } from '../../adapters/git/commitKept';
import { RunChanges, type IsDoneElsewhere, type Undone } from '../../adapters/checkpoints/runChanges';
import { shownChanges, wholeRun, type ChangeScope, type FileChanges } from '../../core/changes/changesOf';
import type { ReviewedHunk } from '../../core/changes/fileReview';
import { lastingEffectsOf, type LastingEffect } from '../../core/changes/ledger';
import { stepsOfActions, textOfTurns, type ActionPlace } from '../../core/changes/stepsOfActions';
import {
  undoneMessage,
  undoPlan,
  type FileRestore,
  type UndoChoice,
  type UndoPlan,
  type UndoProblem,
} from '../../core/changes/undoPlan';
import { noFile, type Snapshot } from '../../core/changes/snapshot';
import { shownToPeople } from '../../core/text/shownName';
import { settingsOf } from '../../core/log/history';
import type { LiveSession } from '../sessions/liveSession';
import { openNotebookAt } from '../editor/openNotebook';
import { assertRestored, editorSnapshot, madeInEditors, restoreInEditor, shownAsOnDisk } from './editorSnapshot';

/** Debounce delay of a refresh, in ms: changes come in bursts. */
const companyMs = 150;
/** Maximum length of a turn's title, in characters. */
const mostTurnWords = 60;

/** What the review needs from the window. */
export interface ReviewParts {
  /** Returns the session on display, after opening it if necessary. */
  shown(): Promise<LiveSession | undefined>;
  /** The session on display, if it is open. */
  readonly live: LiveSession | undefined;
  /** Returns the open sessions that the user sees, in any place. */
  seen(): readonly LiveSession[];
  logOf(session: string): string;
  readonly store: CheckpointStore;
  readonly workspaceState: vscode.Memento;
  /** Returns the checkpoints of the sessions that are open in this window. */
  runs(): readonly SessionCheckpoints[];
  onProblem(problem: unknown): void;
}

/** Thrown if an undo was refused, with the files that prevent it. The message is for people. */
export class UndoRefused extends Error {
  constructor(
    message: string,
    readonly problems: readonly UndoProblem[],
  ) {
    super(message);
    this.name = 'UndoRefused';
  }
}

/** What restoring the end of a step would change, and what it cannot. */
export interface RestorePreview {
  readonly files: readonly FileChanges[];
  /** Files that the user changed since, or that have no copy. */
  readonly problems: readonly UndoProblem[];
  readonly ledger: readonly LastingEffect[];
}

/** The session that an action applies to, even if another one is on display by the time it runs. */
interface Meant {
  readonly live: LiveSession;
  readonly run: RunChanges;
}

/** The changes of one session to review, as of the last refresh. */
interface Known {
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
  shown(absolute: string): string;
}

/** How far the user has viewed a session. */
export interface Look {
  readonly session: string;
  /** The last saved event. */
  readonly seq: number;
  /** Time of the view, in ms since 1970. Needed for changes between steps, which have no event. */
  readonly at: number;
}

/**
 * The changes to review, and the user's actions on them. Several sessions may be visible at once; the lists of all of
 * them are kept up to date. Actions apply to the session in the place that the user used last.
 */
export class SessionReview implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** Fires when the changes of the session on display have been refreshed. */
  readonly onDidChange = this.changed.event;
  private readonly listed = new vscode.EventEmitter<void>();
  /** Fires when `lists` has been refreshed. */
  readonly onDidList = this.listed.event;
  /** Session ID → changes, for visible sessions. */
  private readonly runs = new Map<string, RunChanges>();
  private readonly known = new Map<string, Known>();
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> = Promise.resolve();
  private lookingAside: Promise<void> = Promise.resolve();
  private isAsideWaiting = false;
  private looks = 0;
  private readonly listening: vscode.Disposable;
  /** True while an undo is in progress here; it is reported to the model at its end. */
  private undoing = false;
  /** Journal IDs of undos made elsewhere that the model was told about. */
  private readonly toldUndone = new Set<string>();
  /** Problems that the user was told about. */
  private readonly told = new Set<string>();

  constructor(private readonly parts: ReviewParts) {
    this.listening = vscode.Disposable.from(
      vscode.workspace.onDidSaveTextDocument(() => this.refreshSoon()),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        // Detects what another window or a terminal did meanwhile.
        if (focused) this.refreshSoon();
      }),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        const { fsPath, scheme } = document.uri;
        if (scheme === 'file' && [...this.known.values()].some(({ byPath }) => byPath.has(fsPath))) this.refreshSoon();
      }),
      vscode.workspace.onDidCreateFiles(() => this.refreshSoon()),
      vscode.workspace.onDidDeleteFiles(() => this.refreshSoon()),
      vscode.workspace.onDidRenameFiles(() => this.refreshSoon()),
    );
  }

  /** Changes to review as of the last refresh, held-back edits first. */
  get files(): readonly FileChanges[] {
    const { knownNow } = this;
    return knownNow ? [...knownNow.held, ...knownNow.files] : [];
  }

  /** Edits that change no file until the user applies them. */
  get heldFiles(): readonly FileChanges[] {
    return this.knownNow?.held ?? [];
  }

  /** What is known about the session on display; undefined if it was not refreshed yet. */
  private get knownNow(): Known | undefined {
    return this.session === undefined ? undefined : this.known.get(this.session);
  }

  /** The sessions that the user sees, including the one in the current place. */
  private get allSeen(): ReadonlySet<LiveSession> {
    const { live } = this.parts;
    return new Set([...this.parts.seen(), ...(live ? [live] : [])]);
  }

  /** Changes to review of every session that the user sees. */
  get lists(): readonly SessionChanges[] {
    return [...this.allSeen].flatMap((live) => {
      const known = this.known.get(live.id);
      if (!known) return [];
      const shown = (absolute: string): string => this.shownIn(live, absolute);
      return { session: live.id, isKept: known.isKept, files: [...known.held, ...known.files], shown };
    });
  }

  /** Action ID → place, for the session on display. */
  get steps(): ReadonlyMap<string, ActionPlace> {
    return stepsIn(this.parts.live);
  }

  /** Returns the first line of the user's message that began a turn, truncated. */
  turnInWords(turn: number): string {
    const words = textOfTurns(this.parts.live?.conversation.savedHistory ?? [])[turn - 1] ?? '';
    const line = shownToPeople(words.split('\n')[0]!);
    return line.length > mostTurnWords ? `${line.slice(0, mostTurnWords)}…` : line;
  }

  /** Marks everything up to this moment as viewed; later changes are not. */
  get seenNow(): Look | undefined {
    const { live } = this.parts;
    return live && { session: live.id, seq: live.conversation.savedHistory.at(-1)?.seq ?? -1, at: Date.now() };
  }

  /** Total size of the file copies of all sessions on this machine, in bytes. */
  get copiesBytes(): number {
    return this.parts.store.blobs.size();
  }

  /** True if the session works in a worktree. Its changes are then brought back instead of kept. */
  get isInWorktree(): boolean {
    return this.parts.live?.worktree !== undefined;
  }

  get session(): string | undefined {
    return this.parts.live?.id;
  }

  /** Returns a function that tells whether the session that is on display now is still on display. */
  ofShown(): () => boolean {
    const { session } = this;
    return () => this.isShown(session);
  }

  /** Returns whether the session is on display. If not, schedules a refresh. */
  isShown(session: string | undefined): boolean {
    const isShown = this.session === session;
    if (!isShown) this.refreshSoon();
    return isShown;
  }

  /** Throws an `Error` with a message for people if the session of an action is not on display. */
  assertShown(session: string | undefined): void {
    if (this.isShown(session)) return;
    throw new Error(
      vscode.l10n.t(
        'This change belongs to another session. Select that session, then try again. Nothing was changed.',
      ),
    );
  }

  /** Like `assertShown`, for the case that part of the action is already done. */
  assertStillShown(session: string | undefined): void {
    if (this.isShown(session)) return;
    throw new Error(
      vscode.l10n.t(
        'Another session was selected meanwhile, so only a part was done. Select the session before it, then try again.',
      ),
    );
  }

  /** True while an action that may change files is running. */
  get isActing(): boolean {
    return this.runNow?.isActing ?? false;
  }

  get canRedo(): boolean {
    return this.runNow?.lastUndone !== undefined;
  }

  private get runNow(): RunChanges | undefined {
    return this.session === undefined ? undefined : this.runs.get(this.session);
  }

  /** Returns the display name of a path. */
  readonly shown = (absolute: string): string => this.shownIn(this.parts.live, absolute);

  private shownIn(live: LiveSession | undefined, absolute: string): string {
    const root = live && settingsOf(live.conversation.history)?.cwd;
    const relative = root === undefined ? absolute : path.relative(root, absolute);
    const isOutside = relative.startsWith('..') || path.isAbsolute(relative);
    return shownToPeople(isOutside ? absolute : relative.split(path.sep).join('/'));
  }

  /** Returns the changes of the file with this URI. */
  fileAt(uri: vscode.Uri | undefined): FileChanges | undefined {
    return uri?.scheme === 'file' ? this.knownNow?.byPath.get(uri.fsPath) : undefined;
  }

  /** Returns a file of the run with its unsaved changes. */
  asSeen(file: string): Snapshot {
    const { live } = this.parts;
    const run = live && this.runOf(live);
    return run ? editorSnapshot(file, run.onDisk(file)) : noFile;
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

  private async refreshNow(): Promise<void> {
    const { live } = this.parts;
    if (live) await this.lookInto(live);
    // Another session may be on display by now.
    if (this.parts.live !== live) return this.refreshNow();
    const ids = new Set(Array.from(this.allSeen, ({ id }) => id));
    for (const of of [this.known, this.runs]) for (const id of of.keys()) if (!ids.has(id)) of.delete(id);
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
        const others = new Set(this.parts.seen().filter((session) => session !== this.parts.live));
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
      const isLatest = (this.known.get(session.id)?.began ?? 0) < began;
      if (isLatest && this.allSeen.has(session)) this.known.set(session.id, known);
    } catch (error) {
      this.parts.onProblem(error);
    }
  }

  private async lookAt(live: LiveSession): Promise<Omit<Known, 'began'>> {
    // Changes of the last action may still be being detected.
    await live.changesKnown();
    const run = this.runOf(live);
    for (const words of await run.refresh()) void vscode.window.showWarningMessage(words);
    this.tellOfUndone({ live, run });
    const isKept = run.isKept && !run.cleaned;
    const files = isKept ? shownChanges(await run.changes()) : [];
    const held = shownChanges((await live.heldEdits?.changes()) ?? []);
    this.tellOnce(live.heldEdits?.problem);
    return { isKept, files, held, byPath: new Map(files.map((file) => [file.path, file])) };
  }

  /**
   * Tells the model about undos made by another window or a terminal, which cannot write to the log of this session.
   */
  private tellOfUndone({ live, run }: Meant): void {
    if (!live.writable || this.undoing) return;
    const told = live.conversation.history.flatMap((event) =>
      event.type === 'feedback' && event.cause === 'changes_undone' ? [event.text] : [],
    );
    for (const { id, words } of run.unreportedUndos(told)) {
      if (this.toldUndone.has(id)) continue;
      this.toldUndone.add(id);
      live.conversation.append({ type: 'feedback', cause: 'changes_undone', text: words });
    }
  }

  private tellOnce(words: string | undefined): void {
    if (words !== undefined && !this.told.has(words)) void vscode.window.showWarningMessage(words);
    if (words !== undefined) this.told.add(words);
  }

  private runOf(live: LiveSession): RunChanges {
    const known = this.runs.get(live.id);
    if (known) return known;
    const { logOf, store } = this.parts;
    const shown = (absolute: string): string => this.shownIn(live, absolute);
    const changes: RunChanges = new RunChanges(logOf(live.id), store, shown, editorSnapshot, () =>
      this.parts.runs().find(({ journal }) => journal === changes.journal),
    );
    this.runs.set(live.id, changes);
    return changes;
  }

  /** Returns the session on display, with its changes. Throws if nothing can be undone in it. */
  private async needed(): Promise<Meant> {
    const live = await this.parts.shown();
    if (!live) throw new Error(vscode.l10n.t('No session is open. Open one first.'));
    return this.neededOf(live);
  }

  private async neededOf(live: LiveSession): Promise<Meant> {
    const run = this.runOf(live);
    // Changes of the last action may still be being detected.
    await live.changesKnown();
    await run.refresh();
    if (!run.isKept) throw new Error(vscode.l10n.t('This session has no checkpoints, so nothing can be undone.'));
    if (run.cleaned)
      throw new Error(vscode.l10n.t('The checkpoints of this session were cleaned up, so nothing can be undone.'));
    return { live, run };
  }

  async keep(choice: UndoChoice): Promise<void> {
    const { live, run } = await this.needed();
    if (live.worktree)
      throw new Error(vscode.l10n.t('You cannot keep changes in a worktree. Bring them back to the workspace.'));
    const kept = await run.keep(choice);
    await this.refresh();
    if (kept === 0) throw new Error(vscode.l10n.t('The change no longer exists. Nothing was kept.'));
  }

  /** Undoes changes and tells the model. Files with unsaved changes are changed in their editor and stay unsaved. */
  async undo(choice: UndoChoice): Promise<UndoPlan> {
    return this.undoOf(await this.needed(), choice, wholeRun);
  }

  private async undoOf({ live, run }: Meant, choice: UndoChoice, scope: ChangeScope): Promise<UndoPlan> {
    const unsaved = new Map<string, vscode.TextDocument>();
    const isInEditor = madeInEditors(unsaved);
    const isForEditor: IsDoneElsewhere = (restore) => {
      this.refuseUnsavedNotebook(restore.path);
      return isInEditor(restore);
    };
    const { undone, refused } = await this.undoAndTell({ live, run }, choice, scope, isForEditor, unsaved);
    if (undone.status === 'refused') {
      await this.refresh();
      const [first] = undone.problems;
      throw new UndoRefused(
        first
          ? vscode.l10n.t('{0}: {1} Nothing was undone.', this.shownIn(live, first.path), first.words)
          : vscode.l10n.t('The change no longer exists. Nothing was undone.'),
        undone.problems,
      );
    }
    await this.followed(run, undone.plan.restores);
    await this.refresh();
    assertRestored(refused, (file) => this.shownIn(live, file));
    return undone.plan;
  }

  private async undoAndTell(
    { live, run }: Meant,
    choice: UndoChoice,
    scope: ChangeScope,
    isForEditor: IsDoneElsewhere,
    unsaved: ReadonlyMap<string, vscode.TextDocument>,
  ): Promise<{ readonly undone: Undone; readonly refused: readonly FileRestore[] }> {
    const tell = (text: string): void => {
      // If another window has the session open, that window tells the model.
      if (text !== '' && live.writable) live.conversation.append({ type: 'feedback', cause: 'changes_undone', text });
    };
    const refused: FileRestore[] = [];
    const inEditors = new Set<string>();
    this.undoing = true;
    try {
      const undone = await run.undo(choice, scope, true, isForEditor);
      if (undone.status !== 'done') return { undone, refused };
      tell(undone.words);
      for (const each of undone.plan.restores) {
        const document = unsaved.get(each.path);
        if (!document) continue;
        if (await restoreInEditor(document, each)) inEditors.add(each.path);
        else refused.push(each);
      }
      const hunks = undone.plan.hunks.filter((hunk) => inEditors.has(hunk.path));
      if (hunks.length > 0) tell(undoneMessage(hunks, (file) => this.shownIn(live, file)));
      return { undone, refused };
    } finally {
      this.undoing = false;
    }
  }

  /** Throws if the file is an open notebook with unsaved changes, which would not be reloaded from disk. */
  private refuseUnsavedNotebook(file: string): void {
    if (!openNotebookAt(file)?.isDirty) return;
    const words = vscode.l10n.t('{0} has unsaved changes in the notebook editor.', this.shown(file));
    throw new Error(`${words} ${vscode.l10n.t('Save it first. Nothing was undone.')}`);
  }

  /** Applies held-back edits to the files. They count as accepted and need no review. */
  async applyHeld(choice: UndoChoice): Promise<void> {
    const { live, held } = await this.neededHeld();
    await live.changesKnown();
    const run = this.runOf(live);
    await run.refresh();
    const waited = await run.waiting();
    const { plan, words, left } = await held.apply(choice);
    live.conversation.append({ type: 'feedback', cause: 'edits_applied', text: words });
    await run.refresh();
    if (run.isKept && !live.worktree) await run.keepNew([...new Set(plan.hunks.map(({ path: file }) => file))], waited);
    await this.followed(run, plan.restores);
    await this.refresh();
    if (left !== undefined) throw new Error(left);
  }

  /** Discards held-back edits without changing files. */
  async discardHeld(choice: UndoChoice): Promise<void> {
    const { live, held } = await this.neededHeld();
    const { words } = await held.discard(choice);
    live.conversation.append({ type: 'feedback', cause: 'changes_undone', text: words });
    await this.refresh();
  }

  private async neededHeld(): Promise<{ readonly live: LiveSession; readonly held: HeldEdits }> {
    const live = await this.parts.shown();
    if (!live?.heldEdits) throw new Error(vscode.l10n.t('No session is open. Open one first.'));
    return { live, held: live.heldEdits };
  }

  /**
   * Returns the kept changes that are not committed yet. `noteCommitted` records the commit for the same session, even
   * if another one is on display by then.
   */
  async keptToCommit(): Promise<{ readonly files: KeptFile[]; noteCommitted(commits: readonly string[]): void }> {
    const { live, run } = await this.needed();
    if (live.worktree)
      throw new Error(
        vscode.l10n.t('This session works in a worktree. Bring its changes back, then commit them in the workspace.'),
      );
    const { files, ids } = await run.keptToCommit();
    return { files, noteCommitted: (commits) => run.noteCommitted(ids, commits) };
  }

  /** Redoes the latest undo. */
  async redo(): Promise<void> {
    const { run } = await this.needed();
    const files = run.lastUndone?.files ?? [];
    for (const { path: file } of files) this.refuseUnsavedNotebook(file);
    if (!(await run.redo())) throw new Error(vscode.l10n.t('There is nothing to redo.'));
    await this.followed(run, files);
    await this.refresh();
  }

  /**
   * Resolves when open documents show the restored files. Until then their lines do not match the hunks, so the cursor
   * position would refer to the wrong one.
   */
  private async followed(run: RunChanges, files: readonly Pick<FileRestore, 'path'>[]): Promise<void> {
    await Promise.all(files.map(({ path: file }) => shownAsOnDisk(file, run.onDisk(file))));
  }

  /** Returns the step that an event belongs to; for a user message, the step before it. 0 is before the first step. */
  stepAt(seq: number): number {
    const history = this.parts.live?.conversation.history ?? [];
    return history.filter((event) => event.type === 'agent_response' && event.seq <= seq).length;
  }

  /** Returns the changes of one turn, from its beginning to its end, including those that were kept or undone since. */
  async changesOfTurn(turn: number): Promise<readonly FileChanges[]> {
    const { live, run } = await this.needed();
    const steps = stepsIn(live);
    const turnOf = (action: string): number => steps.get(action)?.turn ?? Infinity;
    const scope: ChangeScope = {
      includes: (action) => turnOf(action) === turn,
      respectsKept: false,
      untilNow: false,
    };
    return shownChanges(await run.changesUntil((action) => turnOf(action) <= turn, scope));
  }

  /** Returns the changes since a view that are still to be reviewed. */
  async changesSince({ session, seq, at }: Look): Promise<readonly FileChanges[]> {
    const { live, run } = await this.needed();
    if (live.id !== session) return [];
    const steps = stepsIn(live);
    // An action requested before the view may have changed files after it.
    const includes = (action: string): boolean => (steps.get(action)?.endedAt ?? Infinity) > seq;
    return shownChanges(await run.changes({ ...wholeRun, includes, includesBetween: (found) => found > at }));
  }

  /** Returns what restoring the end of a step would change, and what it cannot. Step 0 is before the first. */
  async previewOf(step: number): Promise<RestorePreview> {
    const { live, run } = await this.needed();
    const scope = afterStep(live, step);
    const changes = await run.changes(scope);
    const { problems } = undoPlan(changes);
    return {
      files: shownChanges(changes),
      problems,
      ledger: lastingEffectsOf(live.conversation.history, scope.includes),
    };
  }

  /** Returns the effects of the given actions, or of all actions, that undoing file changes does not undo. */
  ledger(includes?: (action: string) => boolean): LastingEffect[] {
    return lastingEffectsOf(this.parts.live?.conversation.history ?? [], includes);
  }

  /** True while the agent is running in the session. */
  get isRunning(): boolean {
    return this.parts.live?.conversation.running ?? false;
  }

  /** Stops a running agent, then restores files to the end of a step: the given ones, or all. */
  async restoreTo(step: number, files?: readonly string[]): Promise<UndoPlan> {
    const live = await this.parts.shown();
    if (live?.conversation.running) await live.stop(vscode.l10n.t('You restored files to an earlier step.'));
    const meant = live ? await this.neededOf(live) : await this.needed();
    return this.undoOf(meant, files === undefined ? {} : { files }, afterStep(meant.live, step));
  }

  /** For example "step 3: make the parser faster". */
  reasonOf({ actions }: Pick<ReviewedHunk, 'actions'>): string {
    const place = actions.flatMap((action) => this.steps.get(action) ?? []).at(-1);
    if (!place) return '';
    const words = (place.reason || place.summary).split('\n')[0]!;
    return vscode.l10n.t('step {0}: {1}', place.step, words.length > 80 ? `${words.slice(0, 80)}…` : words);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listening.dispose();
    this.changed.dispose();
    this.listed.dispose();
  }
}

/** Returns the steps of a session's actions: action ID → place. */
const stepsIn = (live: LiveSession | undefined): ReadonlyMap<string, ActionPlace> =>
  live ? stepsOfActions(live.conversation.savedHistory) : new Map();

function afterStep(live: LiveSession, step: number): ChangeScope {
  const steps = stepsIn(live);
  return {
    // An action missing from the log came after its last event: the end of the log was lost.
    includes: (action) => (steps.get(action)?.step ?? Infinity) > step,
    respectsKept: false,
    untilNow: true,
  };
}
