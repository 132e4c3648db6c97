import * as vscode from 'vscode';
import { askText, pickOne } from '../common/quickInput';
import { endOfStep, forkPoints, type ForkPoint } from '../../core/trajectory/forkFrom';
import type { History } from '../../core/log/projection';
import type { WindowParts } from './windowParts';
import { restoreFiles } from '../review/restoreFiles';
import { forkedSession } from '../sessions/sessionFrom';

/** The window, and the place that shows the fork. */
type ForkWindow = Pick<WindowParts, 'sessions' | 'places' | 'bring' | 'shown' | 'panel' | 'outlet' | 'review'>;

/** How to continue: with an instruction, as before, or from another reply of the step. */
type Way =
  /** First restores the files to the end of the step, then asks for one of the other ways. */
  | { readonly how: 'restore' }
  | { readonly how: 'instruction'; readonly otherModel?: boolean }
  | { readonly how: 'as_before' }
  | { readonly how: 'candidate'; readonly seq: number; readonly index: number };

/**
 * Starts and shows a new session that continues from a step of another one. `seq`: an event of that step. Without it,
 * or without `instruction`, the user is asked. Resolves to the ID of the new session, or undefined if the user
 * cancelled.
 */
export async function forkSession(
  window: ForkWindow,
  id: string,
  choice: { readonly seq?: number; readonly instruction?: string; readonly restore?: boolean } = {},
): Promise<{ sessionId: string } | undefined> {
  const { sessions } = window;
  const wasOpen = sessions.get(id) !== undefined;
  const session = await sessions.openStored(id);
  const { history } = session.conversation;
  try {
    if (history.length === 0) throw new Error(vscode.l10n.t('This session has no steps yet. Start a task first.'));
    const point = choice.seq === undefined ? await pickPoint(history) : pointAt(history, choice.seq);
    if (!point) return undefined;
    const chosen = choice.instruction !== undefined ? instructionWay(choice.restore) : await pickWay(point);
    if (!chosen) return undefined;
    const { way, restores } = chosen;
    if (way.how === 'candidate') {
      await window.shown.show(session);
      await window.panel.continueFrom(way);
      return window.shown.id === undefined ? undefined : { sessionId: window.shown.id };
    }
    if (way.how === 'instruction' && way.otherModel && !(await window.panel.chooseModel())) return undefined;
    const instruction =
      way.how === 'as_before' ? undefined : (choice.instruction ?? (await askInstruction(point, restores)));
    if (way.how === 'instruction' && !instruction?.trim()) return undefined;
    const place = { seq: point.seq, session: id };
    if (restores && !(await restoreFiles(window, place))) return undefined;
    const fork = await forkedSession(session, sessions, {
      seq: point.seq,
      instruction: instruction?.trim(),
      hasRestored: restores,
    });
    await window.shown.show(fork);
    await window.outlet.reveal();
    if (await window.sessions.useChosenModel(fork)) fork.conversation.wake();
    return { sessionId: fork.id };
  } finally {
    if (!wasOpen && !window.places.placeShowing(id)) await sessions.close(id);
  }
}

/**
 * Replaces an earlier user message and continues from there in a new session. First restores the files to that point,
 * after a preview. Returns false, without changes, if the user cancelled.
 */
export async function editMessage(
  window: ForkWindow & Pick<WindowParts, 'tasks'>,
  id: string,
  seq: number,
  text: string,
): Promise<boolean> {
  const session = await window.sessions.openStored(id);
  const { history } = session.conversation;
  const point = forkPoints(history).findLast((each) => each.seq < seq);
  if (history[seq]?.type === 'user_message' && point)
    return (await forkSession(window, id, { seq: point.seq, instruction: text, restore: true })) !== undefined;
  if (!(await restoreFiles(window, { seq, session: id }))) return false;
  if (session.conversation.running)
    await session.conversation.interrupt('Another session continues from here instead.');
  // The new session works in the same folder as the one it replaces.
  const { worktree } = session;
  const choice = worktree && { uncommitted: worktree.uncommitted, root: worktree.of };
  return (await window.tasks.prepareAndStart(text, { worktree: choice })) !== undefined;
}

function pointAt(history: History, seq: number): ForkPoint {
  const end = endOfStep(history, seq);
  return forkPoints(history).find((point) => point.seq === end) ?? { begins: seq, seq: end, line: '' };
}

/** How to continue, and whether to restore the files to the end of the step first. */
interface Chosen {
  readonly way: Exclude<Way, { how: 'restore' }>;
  readonly restores: boolean;
}

const instructionWay = (restores = false): Chosen => ({ way: { how: 'instruction' }, restores });

const filesWords = (): string => vscode.l10n.t('Files are not restored. They stay as they are now.');
const restoreWords = (): string => vscode.l10n.t('Files are first restored to the end of that step.');

async function pickPoint(history: History): Promise<ForkPoint | undefined> {
  const points = forkPoints(history).reverse();
  const items = points.map((point) => ({
    label: `$(${point.step === undefined ? 'comment' : 'git-commit'}) ${point.line}`,
    point,
    description: point.step === undefined ? vscode.l10n.t('you') : vscode.l10n.t('step {0}', point.step),
  }));
  const picked = await pickOne(items, {
    title: vscode.l10n.t('Fork from Step'),
    placeHolder: `${vscode.l10n.t('After which step should the new session continue?')} ${filesWords()}`,
    matchOnDescription: true,
  });
  return picked?.point;
}

async function pickWay(point: ForkPoint, restores = false): Promise<Chosen | undefined> {
  const { line } = point;
  const picked = await pickOne(waysFrom(point, restores), {
    title: restores ? vscode.l10n.t('Fork after “{0}”, with its files', line) : vscode.l10n.t('Fork after “{0}”', line),
    placeHolder: restores ? restoreWords() : filesWords(),
    matchOnDetail: true,
  });
  if (!picked) return undefined;
  const { way } = picked;
  return way.how === 'restore' ? pickWay(point, !restores) : { way, restores };
}

function waysFrom({ sampled }: ForkPoint, restores: boolean): (vscode.QuickPickItem & { readonly way: Way })[] {
  // Other candidates continue from the files before the step, not after it.
  const candidates = restores ? [] : (sampled?.sampling?.candidates ?? []);
  return [
    {
      label: vscode.l10n.t('With Different Instructions…'),
      detail: vscode.l10n.t('Say what the agent should do from here. The pending actions are skipped.'),
      way: { how: 'instruction' },
    },
    {
      label: vscode.l10n.t('With a Different Model…'),
      detail: vscode.l10n.t('Choose a model for this window, then describe a task.'),
      way: { how: 'instruction', otherModel: true },
    },
    {
      label: vscode.l10n.t('Continue as Before'),
      detail: vscode.l10n.t('The agent continues on its own.'),
      way: { how: 'as_before' },
    },
    ...candidates.flatMap(({ summary, text, problem }, index) =>
      index === sampled!.sampling!.chosen || problem !== undefined
        ? []
        : [
            {
              label: vscode.l10n.t('With Candidate {0}', index + 1),
              detail: (summary || text).split('\n')[0] ?? '',
              way: { how: 'candidate' as const, seq: sampled!.seq, index },
            },
          ],
    ),
    {
      label: restores ? vscode.l10n.t('Keep Current Files') : vscode.l10n.t('Restore the Files of That Step First…'),
      detail: restores ? filesWords() : vscode.l10n.t('Shows first what changes and what cannot be undone.'),
      way: { how: 'restore' },
    },
  ];
}

const askInstruction = ({ line }: ForkPoint, restores: boolean): Thenable<string | undefined> =>
  askText({
    title: vscode.l10n.t('Fork after “{0}”', line),
    prompt: `${vscode.l10n.t('What should the agent do from here?')} ${restores ? restoreWords() : filesWords()}`,
  });
