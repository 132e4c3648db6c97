import * as vscode from 'vscode';
import type { UndoChoice } from '../../core/changes/undoPlan';
import { forkPoints } from '../../core/trajectory/forkFrom';
import type { ShownSession } from '../sessions/shownSession';
import type { ChangeRow } from './changesView';
import type { WindowReview } from './windowReview';

interface Window {
  readonly review: WindowReview;
  readonly shown: ShownSession;
}

/** Which row a command is about: the one it was given, the one that has the focus in the view, or the hunk at the cursor. */
function meant({ review }: Window, given: ChangeRow | 'selected' | undefined): ChangeRow | undefined {
  if (given === 'selected') return review.view.selected;
  if (given?.kind) return given;
  const here = review.editors.atCursor();
  return here ? { kind: 'hunk', ...here } : review.view.selected;
}

const choiceOf = (row: ChangeRow): UndoChoice =>
  row.kind === 'file' ? { files: [row.file.path] } : { hunks: [row.hunk.id] };

const fileChoice = (row: ChangeRow): UndoChoice => ({ files: [row.file.path] });

const noChange = (): void =>
  void vscode.window.setStatusBarMessage(vscode.l10n.t('No change of the agent is here.'), 3000);

/** A command that waits for those before it: keys that are pressed quickly mean what they mean one by one. */
function inTurn<Result>(work: (window: Window, row?: ChangeRow | 'selected') => Result) {
  return (window: Window, row?: ChangeRow | 'selected') => window.review.inTurn(async () => work(window, row));
}

/** What a person does with changes, by command: name → what it does. */
export const reviewCommands = {
  'waymark.reviewChanges': async (window: Window) => {
    const { review } = window;
    await review.changes.look();
    if (review.changes.files.length === 0)
      return void vscode.window.showInformationMessage(vscode.l10n.t('Nothing waits for review.'));
    await review.editors.openAll(review.changes.files, vscode.l10n.t('Changes of the agent'));
  },
  'waymark.openChange': (window: Window, row?: ChangeRow) => {
    const found = meant(window, row);
    return found ? window.review.editors.open(found.file, found.kind === 'hunk' ? found.hunk : undefined) : noChange();
  },
  'waymark.keepChange': inTurn((window, row) => {
    const found = meant(window, row);
    return found ? window.review.changes.keep(choiceOf(found)) : noChange();
  }),
  'waymark.undoChange': inTurn((window, row) => {
    const found = meant(window, row);
    return found ? window.review.changes.undo(choiceOf(found)) : noChange();
  }),
  'waymark.keepFile': inTurn((window, row) => {
    const found = meant(window, row);
    return found ? window.review.changes.keep(fileChoice(found)) : noChange();
  }),
  'waymark.undoFile': inTurn((window, row) => {
    const found = meant(window, row);
    return found ? window.review.changes.undo(fileChoice(found)) : noChange();
  }),
  'waymark.keepAllChanges': inTurn(({ review }) => review.changes.keep({})),
  'waymark.undoAllChanges': inTurn(({ review }) => review.changes.undo({})),
  'waymark.redoChanges': inTurn(({ review }) => review.changes.redo()),
  'waymark.nextChange': inTurn(({ review }) => review.editors.go(1)),
  'waymark.previousChange': inTurn(({ review }) => review.editors.go(-1)),
  /** `step`: its number; asked for when absent. */
  'waymark.restoreFiles': restoreFiles,
} as const;

/** Puts files back to the end of a step, after a person saw what that changes and what it cannot. */
async function restoreFiles(window: Window, given?: unknown): Promise<boolean> {
  const step = typeof given === 'number' ? given : await pickStep(window);
  if (step === undefined) return false;
  const { changes } = window.review;
  const { files, ledger } = await changes.previewOf(step);
  if (files.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('The files are as they were at that step.'));
    return true;
  }
  const listed = files.slice(0, 15).map(({ path }) => changes.shown(path));
  const more = files.length > listed.length ? [vscode.l10n.t('and {0} more', files.length - listed.length)] : [];
  const stays = [...new Set(ledger.map(({ step: at, words }) => vscode.l10n.t('step {0}: {1}', at, words)))].slice(
    0,
    8,
  );
  const detail = [
    ...listed,
    ...more,
    ...(stays.length > 0 ? ['', vscode.l10n.t('This stays as it is:'), ...stays] : []),
  ].join('\n');
  const restore = vscode.l10n.t('Restore Files');
  const question =
    step === 0
      ? vscode.l10n.t('Restore {0} files to how they were before the first step?', files.length)
      : vscode.l10n.t('Restore {0} files to how they were after step {1}?', files.length, step);
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, restore)) !== restore) return false;
  await changes.restoreTo(step);
  return true;
}

async function pickStep(window: Window): Promise<number | undefined> {
  const session = await window.shown.whole();
  const points = session ? forkPoints(session.conversation.history) : [];
  const items = points
    .filter(({ step }) => step !== undefined)
    .map(({ step, line }) => ({
      label: `$(git-commit) ${line}`,
      description: vscode.l10n.t('step {0}', step!),
      step: step!,
    }));
  const first = { label: `$(history) ${vscode.l10n.t('Before the first step')}`, description: '', step: 0 };
  const picked = await vscode.window.showQuickPick([...items.reverse(), first], {
    title: vscode.l10n.t('Restore Files to Step'),
    placeHolder: vscode.l10n.t('After which step should the files be as they were?'),
    matchOnDescription: true,
  });
  return picked?.step;
}
