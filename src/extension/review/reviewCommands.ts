import * as vscode from 'vscode';
import { pickOne } from '../common/quickInput';
import type { UndoChoice } from '../../core/changes/undoPlan';
import { choiceOf, type ChangeRow, type TurnRow } from './changeRows';
import type { RestoreWindow } from './restoreFiles';
import type { CommentWindow } from './reviewComments';

type Window = RestoreWindow & CommentWindow;
/**
 * The argument of a command: a row, or the URI of the editor whose menu was used. `selected`: a key was pressed in the
 * view. `unknown`: VS Code passed no row, because the list was being redrawn.
 */
export type RowArgument = TurnRow | ChangeRow | vscode.Uri | 'selected' | 'unknown' | undefined;

const isRow = (argument: RowArgument): argument is TurnRow | ChangeRow =>
  argument !== undefined && typeof argument !== 'string' && 'kind' in argument;

/**
 * Returns the row that a command is about: the given one, the focused row of the view, or the hunk at the cursor.
 * Throws an `Error` with a message for people if the row belongs to a session that is not on display.
 */
export function targetRow(window: Pick<Window, 'review'>, argument: RowArgument): ChangeRow | undefined {
  const row = rowOf(window, argument);
  if (row) window.review.changes.assertShown(row.session);
  return row;
}

function rowOf({ review }: Pick<Window, 'review'>, argument: RowArgument): ChangeRow | undefined {
  if (argument === 'unknown')
    throw new Error(vscode.l10n.t('The list of changes was just updated. Nothing was done. Try again.'));
  if (argument === 'selected') return review.view.selectedChange;
  if (isRow(argument)) return argument.kind === 'turn' ? undefined : argument;
  const here = review.editors.atCursor();
  if (here) return here;
  // An editor menu never refers to the selection in the view.
  return argument === undefined ? review.view.selectedChange : undefined;
}

/** Returns the turn that a command is about: the given row, or the focused one. */
function targetTurn({ review }: Window, argument: RowArgument): TurnRow | undefined {
  const isOfView = argument === 'selected' || (argument === undefined && !review.editors.atCursor());
  const row = isOfView ? review.view.selected : argument;
  if (!isRow(row) || row.kind !== 'turn') return undefined;
  review.changes.assertShown(row.session);
  return row;
}

/** Like `targetRow`, for commands about a whole file: the position of the cursor in it does not matter. */
function targetFile(window: Window, argument: RowArgument): ChangeRow | undefined {
  const isGiven = argument === 'selected' || isRow(argument);
  const here = isGiven ? undefined : window.review.editors.fileHere;
  return here ?? targetRow(window, argument);
}

const fileChoice = (row: ChangeRow): UndoChoice => ({ files: [row.file.path] });

/** Accepts a change: keeps it if it is in the files, applies it if it is held back. */
const keep = ({ review: { changes } }: Window, row: ChangeRow, choice: UndoChoice): Promise<void> =>
  row.file.isHeld ? changes.actions.applyHeld(choice) : changes.actions.keep(choice);

/** Rejects a change: undoes it if it is in the files, discards it if it is held back. */
const undo = ({ review }: Window, row: ChangeRow, choice: UndoChoice): Promise<void> =>
  row.file.isHeld ? review.changes.actions.discardHeld(choice) : review.undo(choice);

/** Returns the changes of a turn: held-back edits, and changes in the files. */
function choicesOfTurn({ files }: TurnRow): { readonly held?: UndoChoice; readonly there?: UndoChoice } {
  const hunksOf = (some: typeof files): string[] => some.flatMap(({ hunks }) => hunks.map(({ id }) => id));
  const held = hunksOf(files.filter(({ isHeld }) => isHeld));
  const there = hunksOf(files.filter(({ isHeld }) => !isHeld));
  return { ...(held.length > 0 && { held: { hunks: held } }), ...(there.length > 0 && { there: { hunks: there } }) };
}

async function keepTurn({ review: { changes } }: Window, row: TurnRow): Promise<void> {
  const { held, there } = choicesOfTurn(row);
  if (held) await changes.actions.applyHeld(held);
  if (!there) return;
  changes.assertStillShown(row.session);
  await changes.actions.keep(there);
}

async function undoTurn({ review }: Window, row: TurnRow): Promise<void> {
  const { held, there } = choicesOfTurn(row);
  if (held) await review.changes.actions.discardHeld(held);
  if (!there) return;
  review.changes.assertStillShown(row.session);
  await review.undo(there);
}

/** Asks for a turn with changes, newest first. */
async function pickTurn({
  review: { changes },
  shown,
}: Window): Promise<Pick<TurnRow, 'turn' | 'session'> | undefined> {
  await shown.openedSession();
  const { session = '' } = changes;
  const turns = [...new Set(Array.from(changes.steps.values(), ({ turn }) => turn))];
  const items: (vscode.QuickPickItem & { readonly turn: number })[] = [];
  for (const turn of turns.reverse()) {
    const files = await changes.changesOfTurn(turn);
    changes.assertShown(session);
    if (files.length === 0) continue;
    const detail = files.map(({ path }) => changes.displayPath(path)).join(', ');
    items.push({ label: changes.turnInWords(turn), description: vscode.l10n.t('turn {0}', turn), detail, turn });
  }
  if (items.length === 0) return void vscode.window.showInformationMessage(vscode.l10n.t('Nothing to review.'));
  const title = vscode.l10n.t('Review Changes of Turn');
  const picked = await pickOne(items, { title, matchOnDetail: true });
  return picked && { turn: picked.turn, session };
}

const noChange = (): void =>
  void vscode.window.setStatusBarMessage(vscode.l10n.t('No change by the agent here.'), 3000);

/**
 * Returns a command that waits for earlier ones, so that quick key presses act one by one. Throws if another session is
 * on display when its turn comes.
 */
export function queuedCommand<Result, InWindow extends Pick<Window, 'review'> = Window>(
  work: (window: InWindow, row: RowArgument) => Result,
) {
  return async (window: InWindow, ...commandArguments: (RowArgument | null)[]) => {
    const row = commandArguments.length > 0 ? (commandArguments[0] ?? 'unknown') : undefined;
    const { changes, view } = window.review;
    const { session } = changes;
    // A key pressed in the view refers to the row that is focused at that moment.
    const meantRow = row === 'selected' ? ((await view.focused.select()) ?? row) : row;
    return window.review.runQueued(async () => {
      changes.assertShown(session);
      return work(window, meantRow);
    });
  };
}

/** Commands for changes: command ID → handler. */
export const reviewCommands = {
  'waymark.reviewChanges': async (window: Window) => {
    const { review } = window;
    const { seenNow } = review.changes;
    await review.changes.refresh();
    const isMeant = seenNow?.session === review.changes.session;
    if (review.changes.files.length === 0)
      return void vscode.window.showInformationMessage(vscode.l10n.t('Nothing to review.'));
    await review.editors.openAll(review.changes.files, vscode.l10n.t('Changes by the agent'));
    // Changes that arrived while the editor was opening were not shown.
    if (seenNow && isMeant) await review.looks.note(seenNow);
  },
  'waymark.reviewTurn': async (window: Window, row?: RowArgument) => {
    const { changes } = window.review;
    const picked = isRow(row) && row.kind === 'turn' ? row : await pickTurn(window);
    if (picked?.turn === undefined) return;
    const { turn, session } = picked;
    changes.assertShown(session);
    const files = await changes.changesOfTurn(turn);
    changes.assertShown(session);
    await window.review.editors.openPart(files, vscode.l10n.t('Changes of turn {0}', turn), `turn ${turn}`);
  },
  'waymark.reviewSinceLastLook': async (window: Window) => {
    const { changes, editors, looks } = window.review;
    await window.shown.openedSession();
    const { seenNow } = changes;
    await changes.refresh();
    if (seenNow) changes.assertShown(seenNow.session);
    const files = seenNow ? await changes.changesSince(looks.lastLookAt(seenNow.session)) : [];
    if (files.length === 0)
      return void vscode.window.showInformationMessage(vscode.l10n.t('Nothing changed since you last looked.'));
    await editors.openPart(files, vscode.l10n.t('Changes since you last looked'), 'since');
    if (seenNow) await looks.note(seenNow);
  },
  'waymark.groupChangesByTurn': ({ review }: Window) => review.view.listByTurn(true),
  'waymark.listChangesByFile': ({ review }: Window) => review.view.listByTurn(false),
  'waymark.openChange': (window: Window, row?: ChangeRow) => {
    if (row !== undefined && window.review.view.focused.opensNothing()) return undefined;
    const found = targetRow(window, row);
    return found ? window.review.editors.open(found.file, found.kind === 'hunk' ? found.hunk : undefined) : noChange();
  },
  'waymark.keepChange': queuedCommand((window, row) => {
    const turn = targetTurn(window, row);
    if (turn) return keepTurn(window, turn);
    const found = targetRow(window, row);
    return found ? keep(window, found, choiceOf(found)) : noChange();
  }),
  'waymark.undoChange': queuedCommand((window, row) => {
    const turn = targetTurn(window, row);
    if (turn) return undoTurn(window, turn);
    const found = targetRow(window, row);
    return found ? undo(window, found, choiceOf(found)) : noChange();
  }),
  'waymark.mergeChange': queuedCommand((window, row) => {
    const found = targetRow(window, row);
    return found ? window.review.merge(found.file, found.kind === 'hunk' ? [found.hunk] : undefined) : noChange();
  }),
  'waymark.keepFile': queuedCommand((window, row) => {
    const found = targetFile(window, row);
    return found ? keep(window, found, fileChoice(found)) : noChange();
  }),
  'waymark.undoFile': queuedCommand((window, row) => {
    const found = targetFile(window, row);
    return found ? undo(window, found, fileChoice(found)) : noChange();
  }),
  'waymark.applyEdit': queuedCommand((window, row) => {
    const found = targetRow(window, row);
    return found?.file.isHeld ? window.review.changes.actions.applyHeld(choiceOf(found)) : noChange();
  }),
  'waymark.discardEdit': queuedCommand((window, row) => {
    const found = targetRow(window, row);
    return found?.file.isHeld ? window.review.changes.actions.discardHeld(choiceOf(found)) : noChange();
  }),
  'waymark.applyAllEdits': queuedCommand(({ review }) =>
    review.changes.heldFiles.length > 0 ? review.changes.actions.applyHeld({}) : noChange(),
  ),
  'waymark.keepAllChanges': queuedCommand(async ({ review: { changes } }) => {
    const { session } = changes;
    await changes.refresh();
    // Another session may have been selected while this one was being read.
    changes.assertShown(session);
    const isMore = changes.files.length > changes.heldFiles.length;
    if (changes.heldFiles.length > 0) await changes.actions.applyHeld({});
    if (!isMore) return;
    changes.assertStillShown(session);
    await changes.actions.keep({});
  }),
  'waymark.undoAllChanges': queuedCommand(({ review }) => review.undoAll()),
  'waymark.redoChanges': queuedCommand(({ review }) => review.changes.actions.redo()),
  'waymark.nextChange': queuedCommand(({ review }) => review.editors.go(1)),
  'waymark.previousChange': queuedCommand(({ review }) => review.editors.go(-1)),
  'waymark.addComment': ({ review }: Window, reply?: vscode.CommentReply) => {
    if (reply) review.comments.add(reply);
  },
  'waymark.addAndSendComments': (window: Window, reply?: vscode.CommentReply) =>
    reply ? window.review.comments.addAndSend(window, reply) : window.review.comments.send(window),
  'waymark.deleteComment': ({ review }: Window, comment?: vscode.Comment) => {
    if (comment) review.comments.remove(comment);
  },
  'waymark.sendComments': (window: Window) => window.review.comments.send(window),
  'waymark.commitKeptChanges': async (window: Window) => (await import('./commitChanges')).commitKeptChanges(window),
  'waymark.generateCommitMessage': async (window: Window) =>
    (await import('./commitChanges')).generateCommitMessage(window),
  'waymark.commentOnChange': async (window: Window, row?: RowArgument) => {
    const found = targetRow(window, row);
    if (!found) return noChange();
    const isAtCursor = row === undefined && window.review.editors.atCursor() !== undefined;
    if (!isAtCursor) await window.review.editors.open(found.file, found.kind === 'hunk' ? found.hunk : undefined);
    await vscode.commands.executeCommand('workbench.action.addComment');
  },
  'waymark.showCheckpointSize': async ({ review }: Window) =>
    (await import('./checkpointSize')).showCheckpointSize(review.changes),
  /** The step is given by its number or one of its events; if absent, the user is asked. */
  'waymark.restoreFiles': async (window: Window, target?: unknown) =>
    (await import('./restoreFiles')).restoreFiles(window, target),
} as const;
