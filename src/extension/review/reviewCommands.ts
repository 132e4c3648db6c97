import * as vscode from 'vscode';
import type { UndoChoice } from '../../core/changes/undoPlan';
import type { ChangeRow } from './changesView';
import type { RestoreWindow } from './restoreFiles';
import type { CommentWindow } from './reviewComments';

type Window = RestoreWindow & CommentWindow;

/**
 * Which row a command is about: the one it was given, the one that has the focus in the view, or the hunk at the
 * cursor.
 */
function meant({ review }: Window, given: ChangeRow | 'selected' | undefined): ChangeRow | undefined {
  if (given === 'selected') return review.view.selected;
  if (given?.kind) return given;
  const here = review.editors.atCursor();
  return here ? { kind: 'hunk', ...here } : review.view.selected;
}

/** The same for commands about a whole file, which mean the one that is open wherever its cursor is. */
function meantFile(window: Window, given: ChangeRow | 'selected' | undefined): ChangeRow | undefined {
  const isGiven = given === 'selected' || given?.kind !== undefined;
  const here = isGiven ? undefined : window.review.editors.fileHere;
  return here ? { kind: 'file', file: here } : meant(window, given);
}

const choiceOf = (row: ChangeRow): UndoChoice =>
  row.kind === 'file' ? { files: [row.file.path] } : { hunks: [row.hunk.id] };

const fileChoice = (row: ChangeRow): UndoChoice => ({ files: [row.file.path] });

/** Accepts a change: one that the files hold is kept, one that is held back is applied. */
const keep = ({ review: { changes } }: Window, row: ChangeRow, choice: UndoChoice): Promise<void> =>
  row.file.isHeld ? changes.applyHeld(choice) : changes.keep(choice);

/** Takes a change back: one that is held back is discarded. */
const undo = ({ review }: Window, row: ChangeRow, choice: UndoChoice): Promise<void> =>
  row.file.isHeld ? review.changes.discardHeld(choice) : review.undo(choice);

const noChange = (): void =>
  void vscode.window.setStatusBarMessage(vscode.l10n.t('No change by the agent here.'), 3000);

/** A command that waits for those before it: keys that are pressed quickly mean what they mean one by one. */
function inTurn<Result>(work: (window: Window, row?: ChangeRow | 'selected') => Result) {
  return async (window: Window, row?: ChangeRow | 'selected') => {
    // A key in the view means the row that has the focus when it is pressed.
    const meantRow = row === 'selected' ? ((await window.review.view.selectFocused()) ?? row) : row;
    return window.review.inTurn(async () => work(window, meantRow));
  };
}

/** What a person does with changes, by command: name → what it does. */
export const reviewCommands = {
  'waymark.reviewChanges': async (window: Window) => {
    const { review } = window;
    await review.changes.look();
    if (review.changes.files.length === 0)
      return void vscode.window.showInformationMessage(vscode.l10n.t('Nothing to review.'));
    await review.editors.openAll(review.changes.files, vscode.l10n.t('Changes by the agent'));
  },
  'waymark.openChange': (window: Window, row?: ChangeRow) => {
    if (row !== undefined && window.review.view.opensNothing()) return undefined;
    const found = meant(window, row);
    return found ? window.review.editors.open(found.file, found.kind === 'hunk' ? found.hunk : undefined) : noChange();
  },
  'waymark.keepChange': inTurn((window, row) => {
    const found = meant(window, row);
    return found ? keep(window, found, choiceOf(found)) : noChange();
  }),
  'waymark.undoChange': inTurn((window, row) => {
    const found = meant(window, row);
    return found ? undo(window, found, choiceOf(found)) : noChange();
  }),
  'waymark.mergeChange': inTurn((window, row) => {
    const found = meant(window, row);
    return found ? window.review.merge(found.file, found.kind === 'hunk' ? [found.hunk] : undefined) : noChange();
  }),
  'waymark.keepFile': inTurn((window, row) => {
    const found = meantFile(window, row);
    return found ? keep(window, found, fileChoice(found)) : noChange();
  }),
  'waymark.undoFile': inTurn((window, row) => {
    const found = meantFile(window, row);
    return found ? undo(window, found, fileChoice(found)) : noChange();
  }),
  'waymark.applyEdit': inTurn((window, row) => {
    const found = meant(window, row);
    return found?.file.isHeld ? window.review.changes.applyHeld(choiceOf(found)) : noChange();
  }),
  'waymark.discardEdit': inTurn((window, row) => {
    const found = meant(window, row);
    return found?.file.isHeld ? window.review.changes.discardHeld(choiceOf(found)) : noChange();
  }),
  'waymark.applyAllEdits': inTurn(({ review }) =>
    review.changes.heldFiles.length > 0 ? review.changes.applyHeld({}) : noChange(),
  ),
  'waymark.keepAllChanges': inTurn(async ({ review: { changes } }) => {
    const isMore = changes.files.length > changes.heldFiles.length;
    if (changes.heldFiles.length > 0) await changes.applyHeld({});
    if (isMore) await changes.keep({});
  }),
  'waymark.undoAllChanges': inTurn(({ review }) => review.undoAll()),
  'waymark.redoChanges': inTurn(({ review }) => review.changes.redo()),
  'waymark.nextChange': inTurn(({ review }) => review.editors.go(1)),
  'waymark.previousChange': inTurn(({ review }) => review.editors.go(-1)),
  'waymark.addComment': ({ review }: Window, reply?: vscode.CommentReply) => {
    if (reply) review.comments.add(reply);
  },
  'waymark.addAndSendComments': (window: Window, reply?: vscode.CommentReply) => {
    if (reply) window.review.comments.add(reply);
    return window.review.comments.send(window);
  },
  'waymark.deleteComment': ({ review }: Window, comment?: vscode.Comment) => {
    if (comment) review.comments.remove(comment);
  },
  'waymark.sendComments': (window: Window) => window.review.comments.send(window),
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
  'waymark.restoreFiles': async (window: Window, given?: unknown) =>
    (await import('./restoreFiles')).restoreFiles(window, given),
} as const;
