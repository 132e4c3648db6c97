import * as vscode from 'vscode';
import { pickOne } from '../common/quickInput';
import { isLeft } from '../../core/changes/undoPlan';
import { lastingEffectLines } from '../../core/changes/lastingEffects';
import { forkPoints } from '../../core/trajectory/forkFrom';
import type { ShownSession } from '../sessions/shownSession';
import { betweenStepsWords } from './changesView';
import { cutShort, doubtsParagraph, paragraphsText } from './questionText';
import type { RestorePreview, SessionReview } from './sessionReview';
import type { WindowReview } from './windowReview';

/** The parts of the window that a restore uses. */
export interface RestoreWindow {
  readonly review: WindowReview;
  readonly shown: ShownSession;
  /** Shows a session in its current place, or in the side bar. */
  bring(session: string): Promise<{ readonly shown: ShownSession }>;
}

/**
 * The point to restore files to: the end of the step that an event belongs to. `session`: by default the one on
 * display.
 */
interface RestorePlace {
  readonly seq: number;
  readonly session?: string;
}

const maxFilesListed = 15;
const maxNotesListed = 10;

/**
 * Restores files to the end of a step, after a preview of what that changes and what it cannot. Without a place, the
 * user picks a step. Returns true if the files are in the state of that step.
 */
export async function restoreFiles(window: RestoreWindow, target?: unknown): Promise<boolean> {
  const { changes } = window.review;
  const named = isPlace(target) ? (target.session ?? window.shown.id) : window.shown.id;
  // The review acts on the place used last, which may be another one by now.
  const place = named === undefined ? window : await window.bring(named);
  await place.shown.openedSession();
  const assertMeant = (): void => {
    if (changes.session !== named)
      throw new Error(
        vscode.l10n.t('The question changed before your answer arrived, so nothing was decided. Review it again.'),
      );
  };
  assertMeant();
  const step = await stepOf({ review: window.review, shown: place.shown }, target);
  if (step === undefined) return false;
  assertMeant();
  const preview = await changes.previewOf(step);
  const isEmpty = preview.files.length === 0 && preview.moves.length === 0;
  if (isEmpty && preview.doubts.length > 0) {
    const detail = previewInWords(preview, changes);
    const words = vscode.l10n.t('No recorded changes can be restored.');
    await vscode.window.showWarningMessage(words, { modal: true, detail });
    return false;
  }
  if (isEmpty) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Nothing to restore. The files are as they were after that step.'),
    );
    return true;
  }
  const answer = await askWhatToRestore(step, preview, changes);
  if (answer === undefined) return false;
  await window.review.runQueued(() => {
    assertMeant();
    return changes.actions.restoreTo(step, answer.files);
  });
  return true;
}

const isPlace = (value: unknown): value is RestorePlace =>
  typeof value === 'object' && value !== null && 'seq' in value && typeof value.seq === 'number';

async function stepOf(window: Pick<RestoreWindow, 'review' | 'shown'>, target: unknown): Promise<number | undefined> {
  if (typeof target === 'number') return target;
  return isPlace(target) ? window.review.changes.stepAt(target.seq) : pickStep(window);
}

/** Shows a preview. Resolves to what to restore, or undefined if the user cancelled. */
async function askWhatToRestore(
  step: number,
  preview: RestorePreview,
  changes: SessionReview,
): Promise<{ readonly files?: readonly string[] } | undefined> {
  const { files, problems, moves } = preview;
  const conflicts = new Set(problems.filter((each) => !isLeft(each)).map(({ path }) => path));
  const free = files.filter(({ reviews }) => !reviews.some(({ path }) => conflicts.has(path)));
  const detail = previewInWords(preview, changes);
  const count = free.length || moves.length;
  if (conflicts.size > 0 && free.length === 0) {
    const question = vscode.l10n.t('None of these files can be restored to that step.');
    await vscode.window.showWarningMessage(question, { modal: true, detail });
    return undefined;
  }
  const question = restoreQuestion(step, count);
  const restore = conflicts.size > 0 ? vscode.l10n.t('Restore Other Files') : vscode.l10n.t('Restore Files');
  if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, restore)) !== restore)
    return undefined;
  return conflicts.size > 0 ? { files: free.map(({ path }) => path) } : {};
}

function restoreQuestion(step: number, count: number): string {
  if (step === 0)
    return count === 1
      ? vscode.l10n.t('Restore 1 file to how it was before the first step?')
      : vscode.l10n.t('Restore {0} files to how they were before the first step?', count);
  return count === 1
    ? vscode.l10n.t('Restore 1 file to how it was after step {0}?', step)
    : vscode.l10n.t('Restore {0} files to how they were after step {1}?', count, step);
}

function previewInWords({ files, problems, moves, ledger, doubts }: RestorePreview, changes: SessionReview): string {
  const back = (path: string, from: string): string => `${changes.displayPath(path)} → ${changes.displayPath(from)}`;
  const isMoved = new Set(moves.flatMap(({ from, to }) => [from, to]));
  const named = files
    .filter(({ path }) => !isMoved.has(path))
    .map(({ path, from }) => (from === undefined ? changes.displayPath(path) : back(path, from)));
  const movedBack = moves.map(({ from, to }) => back(from, to));
  const foreign = files.filter(({ isBetween }) => isBetween).map(({ path }) => changes.displayPath(path));
  const kept = problems.map(({ path, words }) => `${changes.displayPath(path)}: ${words}`);
  const stays = lastingEffectLines(ledger);
  return paragraphsText([
    changes.isRunning ? [vscode.l10n.t('The agent stops first.')] : [],
    cutShort(named, maxFilesListed),
    movedBack.length > 0 ? [vscode.l10n.t('These are moved back:'), ...cutShort(movedBack, maxFilesListed)] : [],
    foreign.length > 0 ? [betweenStepsWords(), ...cutShort(foreign, maxNotesListed)] : [],
    kept.length > 0 ? [vscode.l10n.t('These stay as they are:'), ...cutShort([...new Set(kept)], maxNotesListed)] : [],
    doubtsParagraph(doubts),
    stays.length > 0 ? [vscode.l10n.t('Restoring files does not undo:'), ...cutShort(stays, maxNotesListed)] : [],
  ]);
}

/** Asks for a step. Each lists its effects that cannot be undone. */
async function pickStep({ review, shown }: Pick<RestoreWindow, 'review' | 'shown'>): Promise<number | undefined> {
  const session = await shown.openedSession();
  const points = session ? forkPoints(session.conversation.history) : [];
  const ledger = review.changes.ledger();
  const items = points.flatMap(({ step, line }) => {
    if (step === undefined) return [];
    const stays = ledger.filter((entry) => entry.step === step).map(({ words }) => words);
    return [
      {
        label: `$(git-commit) ${line}`,
        description: vscode.l10n.t('step {0}', step),
        ...(stays.length > 0 && { detail: vscode.l10n.t('Cannot be undone: {0}', [...new Set(stays)].join(' ')) }),
        step,
      },
    ];
  });
  const first = { label: `$(history) ${vscode.l10n.t('Before the first step')}`, description: '', step: 0 };
  const picked = await pickOne([...items.reverse(), first], {
    title: vscode.l10n.t('Restore Files to Step'),
    placeHolder: vscode.l10n.t('Restore files to the end of which step?'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.step;
}
