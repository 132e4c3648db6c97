import * as vscode from 'vscode';
import type { HeldEdits } from '../../adapters/checkpoints/heldEdits';
import type { KeptFile } from '../../adapters/git/commitKept';
import type { IsDoneElsewhere, RunChanges, Undone } from '../../adapters/checkpoints/runChanges';
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
import type { LiveSession } from '../sessions/liveSession';
import { openNotebookAt } from '../editor/openNotebook';
import { ChangeLists, type ReviewParts, type SessionChanges } from './changeLists';
import { assertRestored, editorSnapshot, madeInEditors, restoreInEditor, shownAsOnDisk } from './editorSnapshot';

/** Maximum length of a turn's title, in characters. */
const mostTurnWords = 60;

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
  private readonly known: ChangeLists;
  /** Fires when the changes of the session on display have been refreshed. */
  readonly onDidChange: vscode.Event<void>;
  /** Fires when `lists` has been refreshed. */
  readonly onDidList: vscode.Event<void>;

  constructor(private readonly parts: ReviewParts) {
    this.known = new ChangeLists(parts);
    this.onDidChange = this.known.onDidChange;
    this.onDidList = this.known.onDidList;
  }

  /** Changes to review as of the last refresh, held-back edits first. */
  get files(): readonly FileChanges[] {
    const { shown } = this.known;
    return shown ? [...shown.held, ...shown.files] : [];
  }

  /** Edits that change no file until the user applies them. */
  get heldFiles(): readonly FileChanges[] {
    return this.known.shown?.held ?? [];
  }

  /** Changes to review of every session that the user sees. */
  get lists(): readonly SessionChanges[] {
    return this.known.all;
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
    return this.known.runShown?.isActing ?? false;
  }

  get canRedo(): boolean {
    return this.known.runShown?.lastUndone !== undefined;
  }

  /** Returns the display name of a path. */
  readonly shown = (absolute: string): string => this.known.shownIn(this.parts.live, absolute);

  /** Returns the changes of the file with this URI. */
  fileAt(uri: vscode.Uri | undefined): FileChanges | undefined {
    return uri?.scheme === 'file' ? this.known.shown?.byPath.get(uri.fsPath) : undefined;
  }

  /** Returns a file of the run with its unsaved changes. */
  asSeen(file: string): Snapshot {
    const { live } = this.parts;
    const run = live && this.known.runOf(live);
    return run ? editorSnapshot(file, run.onDisk(file)) : noFile;
  }

  /** Schedules a refresh, debounced. */
  refreshSoon(): void {
    this.known.refreshSoon();
  }

  /** Updates the changes from disk. Resolves when they are current. */
  refresh(): Promise<void> {
    return this.known.refresh();
  }

  /** Returns the session on display, with its changes. Throws if nothing can be undone in it. */
  private async needed(): Promise<Meant> {
    const live = await this.parts.shown();
    if (!live) throw new Error(vscode.l10n.t('No session is open. Open one first.'));
    return this.neededOf(live);
  }

  private async neededOf(live: LiveSession): Promise<Meant> {
    const run = this.known.runOf(live);
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
          ? vscode.l10n.t('{0}: {1} Nothing was undone.', this.known.shownIn(live, first.path), first.words)
          : vscode.l10n.t('The change no longer exists. Nothing was undone.'),
        undone.problems,
      );
    }
    await this.followed(run, undone.plan.restores);
    await this.refresh();
    assertRestored(refused, (file) => this.known.shownIn(live, file));
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
    this.known.isUndoing = true;
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
      if (hunks.length > 0) tell(undoneMessage(hunks, (file) => this.known.shownIn(live, file)));
      return { undone, refused };
    } finally {
      this.known.isUndoing = false;
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
    const run = this.known.runOf(live);
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
    this.known.dispose();
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
