import * as vscode from 'vscode';
import type { HeldEdits } from '../../adapters/checkpoints/heldEdits/heldEdits';
import type { KeptFile } from '../../adapters/git/commitKept';
import type { IsDoneElsewhere, RunChanges, Undone } from '../../adapters/checkpoints/restoring/runChanges';
import { wholeRun, type ChangeScope } from '../../core/changes/changesOf';
import {
  undoneMessage,
  type FileRestore,
  type UndoChoice,
  type UndoPlan,
  type UndoProblem,
} from '../../core/changes/undoPlan';
import type { LiveSession } from '../sessions/liveSession';
import { openNotebookAt } from '../editor/openNotebook';
import type { ChangeLists, ReviewParts } from './changeLists';
import { assertRestored, madeInEditors, restoreInEditor, shownAsOnDisk } from './editorSnapshot';
import { stepsOfActions, type ActionPlace } from '../../core/changes/stepsOfActions';

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

/** The session that an action applies to, even if another one is on display by the time it runs. */
interface ReviewedSession {
  readonly live: LiveSession;
  readonly run: RunChanges;
}

/** What the user does with changes: keep, undo and redo them, and apply or discard edits that were held back. */
export class ReviewActions {
  constructor(
    private readonly parts: ReviewParts,
    private readonly changeLists: ChangeLists,
  ) {}

  /** Returns the session on display, with its changes. Throws if nothing can be undone in it. */
  async reviewedSession(): Promise<ReviewedSession> {
    const live = await this.parts.shown();
    if (!live) throw new Error(vscode.l10n.t('No session is open. Open one first.'));
    return this.changesOf(live);
  }

  private async changesOf(live: LiveSession): Promise<ReviewedSession> {
    const run = this.changeLists.runOf(live);
    // Changes of the last action may still be being detected.
    await live.changesKnown();
    await run.refresh();
    if (!run.record.isKept)
      throw new Error(vscode.l10n.t('This session has no checkpoints, so nothing can be undone.'));
    if (run.record.cleaned)
      throw new Error(vscode.l10n.t('The checkpoints of this session were cleaned up, so nothing can be undone.'));
    return { live, run };
  }

  async keep(choice: UndoChoice): Promise<void> {
    const { live, run } = await this.reviewedSession();
    if (live.worktree)
      throw new Error(vscode.l10n.t('You cannot keep changes in a worktree. Bring them back to the workspace.'));
    const kept = await run.keep(choice);
    await this.changeLists.refresh();
    if (kept === 0) throw new Error(vscode.l10n.t('The change no longer exists. Nothing was kept.'));
  }

  /** Undoes changes and tells the model. Files with unsaved changes are changed in their editor and stay unsaved. */
  async undo(choice: UndoChoice): Promise<UndoPlan> {
    return this.undoOf(await this.reviewedSession(), choice, wholeRun);
  }

  private async undoOf({ live, run }: ReviewedSession, choice: UndoChoice, scope: ChangeScope): Promise<UndoPlan> {
    const unsaved = new Map<string, vscode.TextDocument>();
    const isInEditor = madeInEditors(unsaved);
    const isForEditor: IsDoneElsewhere = (restore) => {
      this.refuseUnsavedNotebook(restore.path);
      return isInEditor(restore);
    };
    const { undone, refused } = await this.undoAndTell({ live, run }, { choice, scope, isForEditor, unsaved });
    if (undone.status === 'refused') {
      await this.changeLists.refresh();
      const [first] = undone.problems;
      throw new UndoRefused(
        first
          ? vscode.l10n.t('{0}: {1} Nothing was undone.', this.changeLists.displayPathIn(live, first.path), first.words)
          : vscode.l10n.t('The change no longer exists. Nothing was undone.'),
        undone.problems,
      );
    }
    await this.shownInEditors(run, undone.plan.restores);
    await this.changeLists.refresh();
    assertRestored(refused, (file) => this.changeLists.displayPathIn(live, file));
    return undone.plan;
  }

  private async undoAndTell(
    { live, run }: ReviewedSession,
    {
      choice,
      scope,
      isForEditor,
      unsaved,
    }: {
      readonly choice: UndoChoice;
      readonly scope: ChangeScope;
      readonly isForEditor: IsDoneElsewhere;
      readonly unsaved: ReadonlyMap<string, vscode.TextDocument>;
    },
  ): Promise<{ readonly undone: Undone; readonly refused: readonly FileRestore[] }> {
    const tell = (text: string): void => {
      // If another window has the session open, that window tells the model.
      if (text !== '' && live.writable) live.conversation.append({ type: 'feedback', cause: 'changes_undone', text });
    };
    const refused: FileRestore[] = [];
    const inEditors = new Set<string>();
    this.changeLists.isUndoing = true;
    try {
      const undone = await run.undo(choice, { scope, leaveUnkept: true, isDoneElsewhere: isForEditor });
      if (undone.status !== 'done') return { undone, refused };
      tell(undone.words);
      for (const each of undone.plan.restores) {
        const document = unsaved.get(each.path);
        if (!document) continue;
        if (await restoreInEditor(document, each)) inEditors.add(each.path);
        else refused.push(each);
      }
      const hunks = undone.plan.hunks.filter((hunk) => inEditors.has(hunk.path));
      if (hunks.length > 0) tell(undoneMessage(hunks, (file) => this.changeLists.displayPathIn(live, file)));
      return { undone, refused };
    } finally {
      this.changeLists.isUndoing = false;
    }
  }

  /** Throws if the file is an open notebook with unsaved changes, which would not be reloaded from disk. */
  private refuseUnsavedNotebook(file: string): void {
    if (!openNotebookAt(file)?.isDirty) return;
    const words = vscode.l10n.t(
      '{0} has unsaved changes in the notebook editor.',
      this.changeLists.displayPathIn(this.parts.live, file),
    );
    throw new Error(`${words} ${vscode.l10n.t('Save it first. Nothing was undone.')}`);
  }

  /** Applies held-back edits to the files. They count as accepted and need no review. */
  async applyHeld(choice: UndoChoice): Promise<void> {
    const { live, held } = await this.heldOfShown();
    await live.changesKnown();
    const run = this.changeLists.runOf(live);
    await run.refresh();
    const waited = await run.waiting();
    const { plan, words, left } = await held.apply(choice);
    live.conversation.append({ type: 'feedback', cause: 'edits_applied', text: words });
    await run.refresh();
    if (run.record.isKept && !live.worktree)
      await run.keepNew([...new Set(plan.hunks.map(({ path: file }) => file))], waited);
    await this.shownInEditors(run, plan.restores);
    await this.changeLists.refresh();
    if (left !== undefined) throw new Error(left);
  }

  /** Discards held-back edits without changing files. */
  async discardHeld(choice: UndoChoice): Promise<void> {
    const { live, held } = await this.heldOfShown();
    const { words } = await held.discard(choice);
    live.conversation.append({ type: 'feedback', cause: 'changes_undone', text: words });
    await this.changeLists.refresh();
  }

  private async heldOfShown(): Promise<{ readonly live: LiveSession; readonly held: HeldEdits }> {
    const live = await this.parts.shown();
    if (!live?.heldEdits) throw new Error(vscode.l10n.t('No session is open. Open one first.'));
    return { live, held: live.heldEdits };
  }

  /**
   * Returns the kept changes that are not committed yet. `noteCommitted` records the commit for the same session, even
   * if another one is on display by then.
   */
  async keptToCommit(): Promise<{ readonly files: KeptFile[]; noteCommitted(commits: readonly string[]): void }> {
    const { live, run } = await this.reviewedSession();
    if (live.worktree)
      throw new Error(
        vscode.l10n.t('This session works in a worktree. Bring its changes back, then commit them in the workspace.'),
      );
    const { files, ids } = await run.keptToCommit();
    return { files, noteCommitted: (commits) => run.noteCommitted(ids, commits) };
  }

  /** Redoes the latest undo. */
  async redo(): Promise<void> {
    const { run } = await this.reviewedSession();
    const files = run.record.lastUndone?.files ?? [];
    for (const { path: file } of files) this.refuseUnsavedNotebook(file);
    if (!(await run.redo())) throw new Error(vscode.l10n.t('There is nothing to redo.'));
    await this.shownInEditors(run, files);
    await this.changeLists.refresh();
  }

  /**
   * Resolves when open documents show the restored files. Until then their lines do not match the hunks, so the cursor
   * position would refer to the wrong one.
   */
  private async shownInEditors(run: RunChanges, files: readonly Pick<FileRestore, 'path'>[]): Promise<void> {
    await Promise.all(files.map(({ path: file }) => shownAsOnDisk(file, run.onDisk(file))));
  }

  /** Stops a running agent, then restores files to the end of a step: the given ones, or all. */
  async restoreTo(step: number, files?: readonly string[]): Promise<UndoPlan> {
    const live = await this.parts.shown();
    if (live?.conversation.running) await live.stop(vscode.l10n.t('You restored files to an earlier step.'));
    const session = live ? await this.changesOf(live) : await this.reviewedSession();
    return this.undoOf(session, files === undefined ? {} : { files }, afterStep(session.live, step));
  }
}

/** Returns the steps of a session's actions: action ID → place. */
export const stepsIn = (live: LiveSession | undefined): ReadonlyMap<string, ActionPlace> =>
  live ? stepsOfActions(live.conversation.savedHistory) : new Map();

/** The changes of the actions after a step. Step 0 is before the first. */
export function afterStep(live: LiveSession, step: number): ChangeScope {
  const steps = stepsIn(live);
  return {
    // An action missing from the log came after its last event: the end of the log was lost.
    includes: (action) => (steps.get(action)?.step ?? Infinity) > step,
    respectsKept: false,
    untilNow: true,
  };
}
