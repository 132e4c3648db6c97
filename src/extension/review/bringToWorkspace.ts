import * as vscode from 'vscode';
import type { BringBack } from '../../adapters/sessions/bringBack';
import type { BringConflict } from '../../core/changes/bringPlan';
import type { FileRestore, UndoChoice } from '../../core/changes/undoPlan';
import { noFile } from '../../core/changes/snapshot';
import { openNotebookAt } from '../editor/openNotebook';
import type { OpenSessions } from '../sessions/openSessions';
import type { ShownSession } from '../sessions/shownSession';
import { assertRestored, editorSnapshot, madeInEditors, restoreInEditor, shownAsOnDisk } from './editorSnapshot';
import type { WindowReview } from './windowReview';

interface BringWindow {
  readonly review: WindowReview;
  readonly shown: ShownSession;
  readonly sessions: OpenSessions;
}

/** Path → document with unsaved changes that is edited in its editor. */
type Unsaved = Map<string, vscode.TextDocument>;

/**
 * Brings changes of the session on display from its worktree to the workspace. Rejects with an `Error` with a message
 * for people.
 */
export async function bringToWorkspace(window: BringWindow, choice: UndoChoice): Promise<void> {
  const nothingBrought = vscode.l10n.t('Save it first. Nothing was brought back.');
  const unsaved: Unsaved = new Map();
  const bring = await bringOf(window, unsaved, nothingBrought);
  const { status, plan } = await bring.bring(choice);
  if (status === 'refused') {
    await window.review.changes.refresh();
    const [conflict] = plan.conflicts;
    if (conflict) return offerMerge(window, conflict);
    const [first] = plan.problems;
    throw new Error(
      first
        ? vscode.l10n.t(
            '{0}: {1} Nothing was brought back.',
            window.review.changes.displayPath(first.path),
            first.words,
          )
        : vscode.l10n.t('The change no longer exists. Nothing was brought back.'),
    );
  }
  if (status === 'done') await writeUnsaved(window, plan.restores, unsaved);
  await window.review.changes.refresh();
  const count = new Set(plan.hunks.map(({ path }) => path)).size;
  const words =
    count === 1
      ? vscode.l10n.t('Brought 1 file back to the workspace.')
      : vscode.l10n.t('Brought {0} files back to the workspace.', count);
  void vscode.window.setStatusBarMessage(words, 5000);
}

/** Undoes the latest bring-back. Rejects with an `Error` with a message for people. */
export async function undoBringBack(window: BringWindow): Promise<void> {
  const nothingUndone = vscode.l10n.t('Save it first. Nothing was undone.');
  const unsaved: Unsaved = new Map();
  const undone = await (await bringOf(window, unsaved, nothingUndone)).takeBack();
  if (undone.status === 'nothing') throw new Error(vscode.l10n.t('No bring-back to undo.'));
  if (undone.status === 'refused') {
    const [first] = undone.problems;
    throw new Error(vscode.l10n.t('{0}: {1} Nothing was changed.', first!.path, first!.words));
  }
  await writeUnsaved(window, undone.restores, unsaved);
  await window.review.changes.refresh();
}

async function bringOf(
  { review, shown, sessions }: BringWindow,
  unsaved: Unsaved,
  nothingDone: string,
): Promise<BringBack> {
  const session = await shown.openedSession();
  const worktree = session?.worktree;
  if (!session || !worktree)
    throw new Error(vscode.l10n.t('This session works in the workspace itself, so there is nothing to bring back.'));
  await session.changesKnown();
  const { BringBack: Bringing } = await import('../../adapters/sessions/bringBack');
  return new Bringing({
    log: sessions.stored.logOf(session.id),
    root: session.settings?.cwd ?? worktree.of,
    worktree,
    store: sessions.checkpoints,
    asSeen: editorSnapshot,
    isDoneElsewhere: madeInEditors(unsaved),
    // An open notebook is only reloaded from disk while it has no unsaved changes.
    refuse: (file) => {
      if (!openNotebookAt(file)?.isDirty) return;
      const words = vscode.l10n.t('{0} has unsaved changes in the notebook editor.', review.changes.displayPath(file));
      throw new Error(`${words} ${nothingDone}`);
    },
  });
}

/**
 * Changes files with unsaved changes in their editor, where they stay unsaved. Waits until the other documents show the
 * file on disk.
 */
async function writeUnsaved(
  { review }: BringWindow,
  restores: readonly FileRestore[],
  unsaved: Unsaved,
): Promise<void> {
  const refused: FileRestore[] = [];
  for (const each of restores) {
    const { path, after } = each;
    const document = unsaved.get(path);
    if (!document) await shownAsOnDisk(path, after.state === null ? noFile : after);
    else if (!(await restoreInEditor(document, each))) refused.push(each);
  }
  if (refused.length > 0) await review.changes.refresh();
  assertRestored(refused, review.changes.displayPath);
}

/** Not awaited: the user may ignore the question and continue to work. */
function offerMerge({ review }: BringWindow, conflict: BringConflict): void {
  const merge = vscode.l10n.t('Open Merge Editor');
  const words = vscode.l10n.t(
    '{0}: you and the agent changed the same lines. Nothing was brought back.',
    review.changes.displayPath(conflict.path),
  );
  void vscode.window.showWarningMessage(words, merge).then(async (answer) => {
    if (answer === merge) await review.editors.mergeBrought(conflict);
  });
}
