import * as vscode from 'vscode';
import type { PastChange } from '../../protocol/panel/panel';
import type { Move } from '../../core/changes/journalEntry';
import { shownChanges, wholeRun, type ChangeScope, type FileChanges } from '../../core/changes/changesOf';
import type { ReviewedHunk } from '../../core/changes/fileReview';
import { lastingEffectsOf, type LastingEffect } from '../../core/changes/lastingEffects';
import { textOfTurns, type ActionPlace } from '../../core/changes/stepsOfActions';
import type { UndoProblem } from '../../core/changes/undoPlan';
import { noFile, type Snapshot } from '../../core/changes/snapshot';
import { shownToPeople } from '../../core/text/shownName';
import { sharedChanges } from '../../adapters/sessions/sharedChanges';
import { ChangeLists, type ReviewParts, type SessionChanges } from './changeLists';
import { editorSnapshot } from './editorSnapshot';
import { ReviewActions, afterStep, stepsIn } from './reviewActions';
import { truncate } from '../../protocol/plain/truncate';

/** Maximum length of a turn's title, in characters. */
const maxTurnTitleLength = 60;

/** What restoring the end of a step would change, and what it cannot. */
export interface RestorePreview {
  readonly files: readonly FileChanges[];
  /** Files that the user changed since, or that have no copy. */
  readonly problems: readonly UndoProblem[];
  /** What has no copy and is moved back: from where it is to where it was. */
  readonly moves: readonly Move[];
  readonly ledger: readonly LastingEffect[];
  /** What is not known of these changes, one line for each step. */
  readonly doubts: readonly string[];
}

/** How far the user has viewed a session. */
export interface ViewedState {
  readonly session: string;
  /** The last saved event. */
  readonly seq: number;
  /** Time of the view, in ms since 1970. Needed for changes between steps, which have no event. */
  readonly viewedAt: number;
}

/**
 * The changes to review. Several sessions may be visible at once; the lists of all of them are kept up to date. Other
 * answers are about the session in the place that the user used last.
 */
export class SessionReview implements vscode.Disposable {
  private readonly changeLists: ChangeLists;
  /** Fires when the changes of the session on display have been refreshed. */
  readonly onDidChange: vscode.Event<void>;
  /** Fires when `lists` has been refreshed. */
  readonly onDidList: vscode.Event<void>;
  /** What the user does with the changes. */
  readonly actions: ReviewActions;

  constructor(private readonly parts: ReviewParts) {
    this.changeLists = new ChangeLists(parts);
    this.actions = new ReviewActions(parts, this.changeLists);
    this.onDidChange = this.changeLists.onDidChange;
    this.onDidList = this.changeLists.onDidList;
  }

  /** Changes to review as of the last refresh, held-back edits first. */
  get files(): readonly FileChanges[] {
    const { shown } = this.changeLists;
    return shown ? [...shown.held, ...shown.files] : [];
  }

  /** Edits that change no file until the user applies them. */
  get heldFiles(): readonly FileChanges[] {
    return this.changeLists.shown?.held ?? [];
  }

  /** Changes to review of every session that the user sees. */
  get lists(): readonly SessionChanges[] {
    return this.changeLists.all;
  }

  /** Returns the latest files that actions of a visible session changed, whether or not that was kept or undone since. */
  pastChanges(session: string): Promise<PastChange[]> {
    return this.changeLists.pastChanges(session);
  }

  /** Action ID → place, for the session on display. */
  get steps(): ReadonlyMap<string, ActionPlace> {
    return stepsIn(this.parts.live);
  }

  /** Returns the first line of the user's message that began a turn, truncated. */
  turnInWords(turn: number): string {
    const words = textOfTurns(this.parts.live?.conversation.savedHistory ?? [])[turn - 1] ?? '';
    const line = shownToPeople(words.split('\n')[0]!);
    return truncate(line, maxTurnTitleLength);
  }

  /** Marks everything up to this moment as viewed; later changes are not. */
  get seenNow(): ViewedState | undefined {
    const { live } = this.parts;
    return live && { session: live.id, seq: live.conversation.savedHistory.at(-1)?.seq ?? -1, viewedAt: Date.now() };
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
    return this.changeLists.runShown?.record.isActing ?? false;
  }

  get canRedo(): boolean {
    return this.changeLists.runShown?.record.lastUndone !== undefined;
  }

  /** Returns the display name of a path. */
  readonly displayPath = (absolute: string): string => this.changeLists.displayPathIn(this.parts.live, absolute);

  /** Returns the changes of the file with this URI. */
  fileAt(uri: vscode.Uri | undefined): FileChanges | undefined {
    return uri?.scheme === 'file' ? this.changeLists.shown?.byPath.get(uri.fsPath) : undefined;
  }

  /** Returns a file of the run with its unsaved changes. */
  asSeen(file: string): Snapshot {
    const { live } = this.parts;
    const run = live && this.changeLists.runOf(live);
    return run ? editorSnapshot(file, run.onDisk(file)) : noFile;
  }

  /** Schedules a refresh, debounced. */
  refreshSoon(): void {
    this.changeLists.refreshSoon();
  }

  /** Updates the changes from disk. Resolves when they are current. */
  refresh(): Promise<void> {
    return this.changeLists.refresh();
  }

  /** Returns the step that an event belongs to; for a user message, the step before it. 0 is before the first step. */
  stepAt(seq: number): number {
    const history = this.parts.live?.conversation.history ?? [];
    return history.filter((event) => event.type === 'agent_response' && event.seq <= seq).length;
  }

  /** Returns the changes of one turn, from its beginning to its end, including those that were kept or undone since. */
  async changesOfTurn(turn: number): Promise<readonly FileChanges[]> {
    const { live, run } = await this.actions.reviewedSession();
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
  async changesSince({ session, seq, viewedAt }: ViewedState): Promise<readonly FileChanges[]> {
    const { live, run } = await this.actions.reviewedSession();
    if (live.id !== session) return [];
    const steps = stepsIn(live);
    // An action requested before the view may have changed files after it.
    const includes = (action: string): boolean => (steps.get(action)?.endedAt ?? Infinity) > seq;
    return shownChanges(await run.changes({ ...wholeRun, includes, includesBetween: (found) => found > viewedAt }));
  }

  /** Returns what restoring the end of a step would change, and what it cannot. Step 0 is before the first. */
  async previewOf(step: number): Promise<RestorePreview> {
    const shown = await this.parts.shown();
    const shared = shown ? this.sharedDoubts(shown.id, step) : [];
    // A fork that changed nothing has no record of its own.
    if (shown && shared.length > 0 && !this.changeLists.runOf(shown).record.isKept)
      return { files: [], problems: [], moves: [], ledger: [], doubts: shared };
    const { live, run } = await this.actions.reviewedSession();
    const scope = afterStep(live, step);
    const changes = await run.changes(scope);
    const { problems, moves } = run.planOf(changes, {}, scope);
    return {
      files: shownChanges(changes),
      problems,
      moves,
      ledger: lastingEffectsOf(live.conversation.history, scope.includes),
      doubts: [...this.doubts(scope.includes), ...shared],
    };
  }

  /** For a fork: which files changed in later steps that are recorded in another session. */
  private sharedDoubts(session: string, step: number): string[] {
    return sharedChanges(this.parts.logOf(session), step).map(({ title, files, state }) => {
      const named = files.map((file) => this.displayPath(file)).join(', ');
      if (state === 'missing')
        return vscode.l10n.t(
          'The log from which this session was forked is missing, so it is not known which files its steps changed.',
        );
      return state === 'deleted'
        ? vscode.l10n.t(
            'Later steps that this session shares with the deleted session “{0}” changed {1}. They cannot be undone here.',
            title,
            named,
          )
        : vscode.l10n.t(
            'Later steps that this session shares with “{0}” changed {1}. Undo them in that session.',
            title,
            named,
          );
    });
  }

  /** Returns the effects of the run's actions that undoing file changes does not undo. */
  ledger(): LastingEffect[] {
    return lastingEffectsOf(this.parts.live?.conversation.history ?? []);
  }

  /** Returns what is not known of the changes of the given actions, or of all, such as "step 3: More than …". */
  doubts(includes: (action: string) => boolean = () => true): string[] {
    const uncovered = this.changeLists.runShown?.record.uncovered ?? [];
    return uncovered.flatMap(({ action, words }) => {
      if (!includes(action)) return [];
      const place = this.steps.get(action);
      return place ? vscode.l10n.t('step {0}: {1}', place.step, words) : words;
    });
  }

  /** True while the agent is running in the session. */
  get isRunning(): boolean {
    return this.parts.live?.conversation.running ?? false;
  }

  /** For example "step 3: make the parser faster". */
  reasonOf({ actions }: Pick<ReviewedHunk, 'actions'>): string {
    const place = actions.flatMap((action) => this.steps.get(action) ?? []).at(-1);
    if (!place) return '';
    const words = (place.reason || place.summary).split('\n')[0]!;
    return vscode.l10n.t('step {0}: {1}', place.step, truncate(words, 80));
  }

  dispose(): void {
    this.changeLists.dispose();
  }
}
