import path from 'node:path';
import * as vscode from 'vscode';
import type { HeldEdits } from '../../adapters/checkpoints/heldEdits';
import type { CheckpointStore } from '../../adapters/checkpoints/checkpointStore';
import type { SessionCheckpoints } from '../../adapters/checkpoints/sessionCheckpoints';
import type { KeptFile } from '../../adapters/git/commitKept';
import { RunChanges, type IsDoneElsewhere, type Undone } from '../../adapters/checkpoints/runChanges';
import { shownChanges, wholeRun, type ChangeScope, type FileChanges } from '../../core/changes/changesOf';
import type { ReviewedHunk } from '../../core/changes/fileReview';
import { ledgerOf, type LedgerEntry } from '../../core/changes/ledger';
import { stepsOfActions, wordsOfTurns, type ActionPlace } from '../../core/changes/stepsOfActions';
import {
  undoneInWords,
  undoPlan,
  type FileRestore,
  type UndoChoice,
  type UndoPlan,
  type UndoProblem,
} from '../../core/changes/undoPlan';
import { nothing, type Snapshot } from '../../core/changes/snapshot';
import { shownToPeople } from '../../core/text/shownName';
import { settingsOf } from '../../core/log/history';
import type { LiveSession } from '../sessions/liveSession';
import { openNotebookAt } from '../editor/openNotebook';
import { assertRestored, editorSnapshot, madeInEditors, restoreInEditor, shownAsOnDisk } from './editorSnapshot';

/** Changes come in bursts: a look waits this long for more. Milliseconds. */
const companyMs = 150;
/** Words of a person that name a turn, at most. */
const mostTurnWords = 60;

/** What the review needs to know of the window. */
export interface ReviewParts {
  /** The session that is shown, opened where it was only looked at. */
  shown(): Promise<LiveSession | undefined>;
  /** The same, where it is open. */
  readonly live: LiveSession | undefined;
  /** The open sessions that a person sees, in whichever place. */
  seen(): readonly LiveSession[];
  logOf(session: string): string;
  readonly store: CheckpointStore;
  readonly workspaceState: vscode.Memento;
  /** What keeps the checkpoints of the sessions that are open in this window. */
  runs(): readonly SessionCheckpoints[];
  onProblem(problem: unknown): void;
}

/** Why nothing was undone, with the files that are in the way. The message is for people. */
export class UndoRefused extends Error {
  constructor(
    message: string,
    readonly problems: readonly UndoProblem[],
  ) {
    super(message);
    this.name = 'UndoRefused';
  }
}

/** What going back to the end of a step would change, and what it cannot. */
export interface RestorePreview {
  readonly files: readonly FileChanges[];
  /** Files that a person changed since, or of which no copy is left. */
  readonly problems: readonly UndoProblem[];
  readonly ledger: readonly LedgerEntry[];
}

/** The session that something is done with, whatever is shown when it is done. */
interface Meant {
  readonly live: LiveSession;
  readonly run: RunChanges;
}

/** The changes of one session that wait for review, as of the last refresh. */
interface Known {
  /** Which look it was, of all. */
  readonly began: number;
  readonly isKept: boolean;
  readonly files: readonly FileChanges[];
  /** Edits that change no file before a person applies them. */
  readonly held: readonly FileChanges[];
  readonly byPath: ReadonlyMap<string, FileChanges>;
}

/** What a place of the panel lists of its session. */
export interface SessionChanges {
  readonly session: string;
  readonly isKept: boolean;
  /** First the edits that no file holds yet. */
  readonly files: readonly FileChanges[];
  /** A path as people are shown it. */
  shown(absolute: string): string;
}

/** What a person has seen of a session. */
export interface Look {
  readonly session: string;
  /** The last event that was on disk. */
  readonly seq: number;
  /** When that was, by the clock of this machine: what belongs to no step is in no event. */
  readonly at: number;
}

/**
 * The changes that wait for review, and what a person does with them. Several sessions may be seen at once: the lists
 * of all of them are kept up to date. Whatever is done is done with the one that is shown where the person worked last.
 */
export class SessionReview implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  /** What waits of the session that is shown is known anew. */
  readonly onDidChange = this.changed.event;
  private readonly listed = new vscode.EventEmitter<void>();
  /** `lists` are known anew. */
  readonly onDidList = this.listed.event;
  /** By session: of those that were looked at last. */
  private readonly runs = new Map<string, RunChanges>();
  private readonly known = new Map<string, Known>();
  private timer: NodeJS.Timeout | undefined;
  private looking: Promise<void> = Promise.resolve();
  private lookingAside: Promise<void> = Promise.resolve();
  private isAsideWaiting = false;
  private looks = 0;
  private readonly listening: vscode.Disposable;
  /** Whether an undo is in progress here; it is reported when it is done. */
  private undoing = false;
  /** What was undone elsewhere and told to the model, by the ids of the journal. */
  private readonly toldUndone = new Set<string>();
  /** Problems that the person was told of. */
  private readonly told = new Set<string>();

  constructor(private readonly parts: ReviewParts) {
    this.listening = vscode.Disposable.from(
      vscode.workspace.onDidSaveTextDocument(() => this.refreshSoon()),
      vscode.window.onDidChangeWindowState(({ focused }) => {
        // What was done meanwhile in another window or a terminal.
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

  /** What waits for review, as it was at the last look: first the edits that no file holds yet. */
  get files(): readonly FileChanges[] {
    const { knownNow } = this;
    return knownNow ? [...knownNow.held, ...knownNow.files] : [];
  }

  /** Edits that change no file before a person applies them. */
  get heldFiles(): readonly FileChanges[] {
    return this.knownNow?.held ?? [];
  }

  /** What is known of the session that is shown; nothing where it is shown only since the last look. */
  private get knownNow(): Known | undefined {
    return this.session === undefined ? undefined : this.known.get(this.session);
  }

  /** The sessions that a person sees, with the one that is shown where they work. */
  private get allSeen(): ReadonlySet<LiveSession> {
    const { live } = this.parts;
    return new Set([...this.parts.seen(), ...(live ? [live] : [])]);
  }

  /** What every session that a person sees has waiting. */
  get lists(): readonly SessionChanges[] {
    return [...this.allSeen].flatMap((live) => {
      const known = this.known.get(live.id);
      if (!known) return [];
      const shown = (absolute: string): string => this.shownIn(live, absolute);
      return { session: live.id, isKept: known.isKept, files: [...known.held, ...known.files], shown };
    });
  }

  /** The steps of the session's actions. */
  get steps(): ReadonlyMap<string, ActionPlace> {
    return stepsIn(this.parts.live);
  }

  /** What the person said at the beginning of a turn, in one line. */
  turnInWords(turn: number): string {
    const words = wordsOfTurns(this.parts.live?.conversation.savedHistory ?? [])[turn - 1] ?? '';
    const line = shownToPeople(words.split('\n')[0]!);
    return line.length > mostTurnWords ? `${line.slice(0, mostTurnWords)}…` : line;
  }

  /** Everything that is there now counts as seen; later changes do not. */
  get seenNow(): Look | undefined {
    const { live } = this.parts;
    return live && { session: live.id, seq: live.conversation.savedHistory.at(-1)?.seq ?? -1, at: Date.now() };
  }

  /** Bytes that the copies of all sessions take on this machine. */
  get copiesBytes(): number {
    return this.parts.store.blobs.size();
  }

  /** Whether the session works in a worktree, so that its changes are brought back and not kept. */
  get isInWorktree(): boolean {
    return this.parts.live?.worktree !== undefined;
  }

  get session(): string | undefined {
    return this.parts.live?.id;
  }

  /** Tells later whether the session that is shown now is shown still. */
  ofShown(): () => boolean {
    const { session } = this;
    return () => this.isShown(session);
  }

  /** Whether that session is shown. If not, what is shown is refreshed. */
  isShown(session: string | undefined): boolean {
    const isShown = this.session === session;
    if (!isShown) this.refreshSoon();
    return isShown;
  }

  /** Throws in words where what a person means is of another session than the one that is shown. */
  assertShown(session: string | undefined): void {
    if (this.isShown(session)) return;
    throw new Error(
      vscode.l10n.t(
        'This change belongs to another session. Select that session, then try again. Nothing was changed.',
      ),
    );
  }

  /** The same where a part of what the person asked for is done already. */
  assertStillShown(session: string | undefined): void {
    if (this.isShown(session)) return;
    throw new Error(
      vscode.l10n.t(
        'Another session was selected meanwhile, so only a part was done. Select the session before it, then try again.',
      ),
    );
  }

  /** Whether an action that may change files is at work. */
  get isActing(): boolean {
    return this.runNow?.isActing ?? false;
  }

  get canRedo(): boolean {
    return this.runNow?.lastUndone !== undefined;
  }

  private get runNow(): RunChanges | undefined {
    return this.session === undefined ? undefined : this.runs.get(this.session);
  }

  /** A path as people are shown it. */
  readonly shown = (absolute: string): string => this.shownIn(this.parts.live, absolute);

  private shownIn(live: LiveSession | undefined, absolute: string): string {
    const root = live && settingsOf(live.conversation.history)?.cwd;
    const relative = root === undefined ? absolute : path.relative(root, absolute);
    const isOutside = relative.startsWith('..') || path.isAbsolute(relative);
    return shownToPeople(isOutside ? absolute : relative.split(path.sep).join('/'));
  }

  /** The change of the file that an address names. */
  fileAt(uri: vscode.Uri | undefined): FileChanges | undefined {
    return uri?.scheme === 'file' ? this.knownNow?.byPath.get(uri.fsPath) : undefined;
  }

  /** A file of the run as a person sees it. */
  asSeen(file: string): Snapshot {
    const { live } = this.parts;
    const run = live && this.runOf(live);
    return run ? editorSnapshot(file, run.onDisk(file)) : nothing;
  }

  /** Looks anew, a moment later. */
  refreshSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.refresh();
    }, companyMs);
  }

  /** Resolves when what is shown is what there is now. */
  refresh(): Promise<void> {
    this.looking = this.looking.then(() => this.refreshNow()).catch((error: unknown) => this.parts.onProblem(error));
    return this.looking;
  }

  private async refreshNow(): Promise<void> {
    const { live } = this.parts;
    if (live) await this.lookInto(live);
    // Another session may be shown by now.
    if (this.parts.live !== live) return this.refreshNow();
    const ids = new Set(Array.from(this.allSeen, ({ id }) => id));
    for (const of of [this.known, this.runs]) for (const id of of.keys()) if (!ids.has(id)) of.delete(id);
    this.changed.fire();
    this.listed.fire();
    this.refreshOthers();
  }

  /** Looks at the sessions that are seen beside the one that is shown where the person works. Nobody waits for that. */
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
      // What fails once does not stop the looks after it.
      .catch((error: unknown) => this.parts.onProblem(error));
  }

  private async lookInto(session: LiveSession): Promise<void> {
    const began = ++this.looks;
    try {
      const known = { began, ...(await this.lookAt(session)) };
      // Another look that began later may be done by now, and nobody may see the session any more.
      const isLatest = (this.known.get(session.id)?.began ?? 0) < began;
      if (isLatest && this.allSeen.has(session)) this.known.set(session.id, known);
    } catch (error) {
      this.parts.onProblem(error);
    }
  }

  private async lookAt(live: LiveSession): Promise<Omit<Known, 'began'>> {
    // What the last action changed may still be looked for.
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

  /** Tells the model what another window or a terminal undid, which cannot write the log of this session. */
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

  /** The session that is shown at this moment, with its changes. */
  private async needed(): Promise<Meant> {
    const live = await this.parts.shown();
    if (!live) throw new Error(vscode.l10n.t('No session is open. Open one first.'));
    return this.neededOf(live);
  }

  private async neededOf(live: LiveSession): Promise<Meant> {
    const run = this.runOf(live);
    // What the last action changed may still be looked for.
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

  /**
   * Takes changes back and tells the model. What a person typed and did not save is changed in the editor and stays
   * unsaved.
   */
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
      if (hunks.length > 0) tell(undoneInWords(hunks, (file) => this.shownIn(live, file)));
      return { undone, refused };
    } finally {
      this.undoing = false;
    }
  }

  /** An open notebook follows its file only while nothing in it waits to be saved. */
  private refuseUnsavedNotebook(file: string): void {
    if (!openNotebookAt(file)?.isDirty) return;
    const words = vscode.l10n.t('{0} has unsaved changes in the notebook editor.', this.shown(file));
    throw new Error(`${words} ${vscode.l10n.t('Save it first. Nothing was undone.')}`);
  }

  /** Makes held edits in the files. They are accepted by that: nothing of them waits for review afterwards. */
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

  /** Forgets held edits; the files stay as they are. */
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

  /** What a person kept and did not commit yet. `noteCommitted`: it is committed now, whatever is shown by then. */
  async keptToCommit(): Promise<{ readonly files: KeptFile[]; noteCommitted(commits: readonly string[]): void }> {
    const { live, run } = await this.needed();
    if (live.worktree)
      throw new Error(
        vscode.l10n.t('This session works in a worktree. Bring its changes back, then commit them in the workspace.'),
      );
    const { files, ids } = await run.keptToCommit();
    return { files, noteCommitted: (commits) => run.noteCommitted(ids, commits) };
  }

  /** Takes the latest undo back. */
  async redo(): Promise<void> {
    const { run } = await this.needed();
    const files = run.lastUndone?.files ?? [];
    for (const { path: file } of files) this.refuseUnsavedNotebook(file);
    if (!(await run.redo())) throw new Error(vscode.l10n.t('There is nothing to redo.'));
    await this.followed(run, files);
    await this.refresh();
  }

  /**
   * Resolves when open documents show what was put on the disk. Until then their lines are not those of the hunks, and
   * the place of the cursor means another one.
   */
  private async followed(run: RunChanges, files: readonly Pick<FileRestore, 'path'>[]): Promise<void> {
    await Promise.all(files.map(({ path: file }) => shownAsOnDisk(file, run.onDisk(file))));
  }

  /** The step that an event belongs to; for words of a person, the one before them. 0 is before the first. */
  stepAt(seq: number): number {
    const history = this.parts.live?.conversation.history ?? [];
    return history.filter((event) => event.type === 'agent_response' && event.seq <= seq).length;
  }

  /** What one turn changed, from its beginning to its end, also what was kept or undone since. */
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

  /** What changed since a person looked and still waits, by its session. */
  async changesSince({ session, seq, at }: Look): Promise<readonly FileChanges[]> {
    const { live, run } = await this.needed();
    if (live.id !== session) return [];
    const steps = stepsIn(live);
    // An action that was asked for before may have changed files after.
    const includes = (action: string): boolean => (steps.get(action)?.endedAt ?? Infinity) > seq;
    return shownChanges(await run.changes({ ...wholeRun, includes, includesBetween: (found) => found > at }));
  }

  /** What going back to the end of a step would change, and what it cannot. Step 0 is before the first. */
  async previewOf(step: number): Promise<RestorePreview> {
    const { live, run } = await this.needed();
    const scope = afterStep(live, step);
    const changes = await run.changes(scope);
    const { problems } = undoPlan(changes);
    return { files: shownChanges(changes), problems, ledger: ledgerOf(live.conversation.history, scope.includes) };
  }

  /** What undoing the files of some actions does not undo; of all actions if none are chosen. */
  ledger(includes?: (action: string) => boolean): LedgerEntry[] {
    return ledgerOf(this.parts.live?.conversation.history ?? [], includes);
  }

  /** Whether the agent is at work in the session. */
  get isRunning(): boolean {
    return this.parts.live?.conversation.running ?? false;
  }

  /** Puts files back to the end of a step; all of them where none are named. What runs is stopped before. */
  async restoreTo(step: number, files?: readonly string[]): Promise<UndoPlan> {
    const live = await this.parts.shown();
    if (live?.conversation.running) await live.stop(vscode.l10n.t('You restored files to an earlier step.'));
    const meant = live ? await this.neededOf(live) : await this.needed();
    return this.undoOf(meant, files === undefined ? {} : { files }, afterStep(meant.live, step));
  }

  /** "step 3: make the parser faster" */
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

/** The steps of a session's actions. */
const stepsIn = (live: LiveSession | undefined): ReadonlyMap<string, ActionPlace> =>
  live ? stepsOfActions(live.conversation.savedHistory) : new Map();

function afterStep(live: LiveSession, step: number): ChangeScope {
  const steps = stepsIn(live);
  return {
    // An action that the log does not know came after all that it knows: the end of the log is lost.
    includes: (action) => (steps.get(action)?.step ?? Infinity) > step,
    respectsKept: false,
    untilNow: true,
  };
}
