import * as vscode from 'vscode';
import type { FileChanges } from '../../core/changes/changesOf';
import type { ReviewedHunk } from '../../core/changes/fileReview';
import type { UndoChoice } from '../../core/changes/undoPlan';
import type { ChangeRow } from './changesView';
import { restoreFiles, type RestoreWindow } from './restoreFiles';
import { sendComments, type CommentWindow } from './reviewComments';
import { UndoRefused } from './sessionReview';

type Window = RestoreWindow & CommentWindow;

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

/** Takes changes back. Where a person changed the same lines since, the merge editor is offered and nothing is overwritten. */
async function undo({ review }: Window, choice: UndoChoice): Promise<void> {
  try {
    await review.changes.undo(choice);
  } catch (error) {
    if (!(error instanceof UndoRefused)) throw error;
    const conflict = error.problems.find(({ kind }) => kind === 'conflict');
    const file = review.changes.files.find(({ reviews }) => reviews.some(({ path }) => path === conflict?.path));
    if (!conflict || !file) throw error;
    const merge = vscode.l10n.t('Open Merge Editor');
    if ((await vscode.window.showWarningMessage(error.message, merge)) === merge) await mergeFile({ review }, file);
  }
}

async function mergeFile(
  { review }: Pick<Window, 'review'>,
  file: FileChanges,
  hunks?: readonly ReviewedHunk[],
): Promise<void> {
  if (await review.editors.merge(file, hunks)) return;
  await review.editors.open(file);
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
    return found ? undo(window, choiceOf(found)) : noChange();
  }),
  'waymark.mergeChange': inTurn((window, row) => {
    const found = meant(window, row);
    return found ? mergeFile(window, found.file, found.kind === 'hunk' ? [found.hunk] : undefined) : noChange();
  }),
  'waymark.keepFile': inTurn((window, row) => {
    const found = meant(window, row);
    return found ? window.review.changes.keep(fileChoice(found)) : noChange();
  }),
  'waymark.undoFile': inTurn((window, row) => {
    const found = meant(window, row);
    return found ? undo(window, fileChoice(found)) : noChange();
  }),
  'waymark.keepAllChanges': inTurn(({ review }) => review.changes.keep({})),
  'waymark.undoAllChanges': inTurn((window) => undo(window, {})),
  'waymark.redoChanges': inTurn(({ review }) => review.changes.redo()),
  'waymark.nextChange': inTurn(({ review }) => review.editors.go(1)),
  'waymark.previousChange': inTurn(({ review }) => review.editors.go(-1)),
  'waymark.addComment': ({ review }: Window, reply?: vscode.CommentReply) => {
    if (reply) review.comments.add(reply);
  },
  'waymark.addAndSendComments': (window: Window, reply?: vscode.CommentReply) => {
    if (reply) window.review.comments.add(reply);
    return sendComments(window.review.comments, window);
  },
  'waymark.deleteComment': ({ review }: Window, comment?: vscode.Comment) => {
    if (comment) review.comments.remove(comment);
  },
  'waymark.sendComments': (window: Window) => sendComments(window.review.comments, window),
  'waymark.commitKeptChanges': async (window: Window) => (await import('./commitChanges')).commitKeptChanges(window),
  'waymark.generateCommitMessage': async (window: Window) =>
    (await import('./commitChanges')).generateCommitMessage(window),
  'waymark.commentOnChange': async (window: Window, row?: ChangeRow | 'selected') => {
    const found = meant(window, row);
    if (!found) return noChange();
    const isAtCursor = row === undefined && window.review.editors.atCursor() !== undefined;
    if (!isAtCursor) await window.review.editors.open(found.file, found.kind === 'hunk' ? found.hunk : undefined);
    await vscode.commands.executeCommand('workbench.action.addComment');
  },
  /** Given a step by its number, or by an event of it; asked for when absent. */
  'waymark.restoreFiles': restoreFiles,
} as const;
