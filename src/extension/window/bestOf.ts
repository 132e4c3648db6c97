import * as vscode from 'vscode';
import { askText, pickOne } from '../common/quickInput';
import type { CandidateResult, Chosen, JudgeModel } from '../../core/batch/bestOf';
import { statusOf } from '../../core/log/status';
import { readSetting, readSettings } from '../common/settings';
import type { MessageExtras } from '../context/composing';
import type { Candidates } from '../panel/taskStart';
import type { LiveSession } from '../sessions/liveSession';
import type { WindowParts } from './windowParts';

/** The user's options for several candidates of one task. */
export interface BestOfRequest {
  readonly task: string;
  readonly count: number;
  /** The command that a candidate must pass. If empty, the model judges. */
  readonly check: string;
  readonly uncommitted: boolean;
  readonly extras?: MessageExtras;
}

const minCandidates = 2;
const maxCandidates = 8;

/**
 * Asks for the missing options, then starts a task several times. Resolves to the session IDs, or undefined if nothing
 * was started.
 */
export async function runBestOf(
  window: WindowParts,
  options: Partial<BestOfRequest>,
): Promise<readonly string[] | undefined> {
  const request = await askForBestOf(options);
  return (
    request &&
    startBestOf(window, request).catch((error: unknown) => {
      // A task passed as an argument still exists elsewhere; a typed one would be lost.
      if (options.task === undefined) window.tasks.giveBack(request.task, error);
      throw error;
    })
  );
}

/** Asks for the missing options one by one. Returns undefined if the user cancelled. */
async function askForBestOf(request: Partial<BestOfRequest>): Promise<BestOfRequest | undefined> {
  // The check is the user's command, but it runs files of the folder.
  if (!vscode.workspace.isTrusted)
    throw new Error(vscode.l10n.t('Candidates and checks run commands. Trust this folder first.'));
  if (readSetting('edits.apply') === 'afterReview')
    throw new Error(
      vscode.l10n.t(
        'Edits are held back for review, so candidates would have no changes to compare. Set “waymark.edits.apply” to “atOnce” first.',
      ),
    );
  const title = vscode.l10n.t('Run Agent on Task Several Times');
  const task =
    request.task ??
    (await askText({
      title,
      prompt: vscode.l10n.t('What should Waymark do?'),
    }));
  if (!task?.trim()) return undefined;
  const count = request.count ?? (await askForCount(title));
  if (count === undefined) return undefined;
  const check =
    request.check ??
    (await askText({
      title,
      prompt: vscode.l10n.t('Which command must a candidate pass? Leave this empty to let the model choose.'),
      placeHolder: 'npm test',
    }));
  if (check === undefined) return undefined;
  return { ...request, task: task.trim(), count, check: check.trim(), uncommitted: request.uncommitted ?? false };
}

async function askForCount(title: string): Promise<number | undefined> {
  const counts = Array.from({ length: maxCandidates - minCandidates + 1 }, (_each, index) => index + minCandidates);
  const picked = await pickOne(
    counts.map((count) => ({ label: vscode.l10n.t('{0} candidates', count), count })),
    { title, placeHolder: vscode.l10n.t('How many sessions should work on the task?'), ignoreFocusOut: true },
  );
  return picked?.count;
}

/**
 * Starts a task several times. When all sessions have ended, chooses the best result. Resolves to the session IDs, or
 * undefined if nothing was started.
 */
async function startBestOf(window: WindowParts, request: BestOfRequest): Promise<readonly string[] | undefined> {
  const { task, count, uncommitted, extras } = request;
  const candidates = await window.tasks.startCandidates(task, count, { uncommitted }, extras);
  if (!candidates) return undefined;
  for (const problem of candidates.problems) window.problems.report(new Error(problem));
  chooseAtEnd(window, candidates, request.check).catch((problem: unknown) => window.problems.report(problem));
  return candidates.sessions.map(({ id }) => id);
}

async function chooseAtEnd(window: WindowParts, candidates: Candidates, check: string): Promise<void> {
  const held = vscode.Disposable.from(...candidates.sessions.map(({ id }) => window.sessions.keepOpen(id)));
  const chosen = await chooseOnceEnded(window, candidates, check).finally(() => held.dispose());
  if (chosen) await reportChoice(candidates, chosen);
}

/** Resolves to undefined if a session was closed before its end: it may be resumed later, so nothing is compared. */
async function chooseOnceEnded(
  window: WindowParts,
  candidates: Candidates,
  check: string,
): Promise<Chosen | undefined> {
  const ended = await Promise.all(candidates.sessions.map((session) => end(window, session)));
  if (ended.includes(false) || window.sessions.closing) return undefined;
  return chooseUnlessStopped(window, candidates, check);
}

/** Chooses the best candidate. A check may take long or hang, so the user can cancel; then none is chosen. */
function chooseUnlessStopped(window: WindowParts, candidates: Candidates, check: string): Thenable<Chosen> {
  const location = vscode.ProgressLocation.Notification;
  const title = vscode.l10n.t('Choosing the best result…');
  return vscode.window.withProgress({ location, title, cancellable: true }, async (_progress, cancelled) => {
    const stopping = new AbortController();
    const stopped = new Error(vscode.l10n.t('The choice was stopped, so no candidate won.'));
    const listening = cancelled.onCancellationRequested(() => stopping.abort(stopped));
    try {
      return await choose(window, candidates, check, stopping.signal);
    } finally {
      listening.dispose();
    }
  });
}

/** Resolves to true when a session has ended, or to false if it was closed before. */
function end({ sessions }: WindowParts, session: LiveSession): Promise<boolean> {
  return new Promise((resolve) => {
    const resolveIfEnded = (): void => {
      const { running, history } = session.conversation;
      const isClosed = sessions.get(session.id) !== session;
      const hasEnded = !running && ['idle', 'finished'].includes(statusOf(history));
      if (!isClosed && !hasEnded) return;
      watch.dispose();
      resolve(hasEnded);
    };
    const watch = sessions.watch(session.id, resolveIfEnded);
    // The session may have ended before the listener was added.
    queueMicrotask(resolveIfEnded);
  });
}

async function choose(
  window: WindowParts,
  candidates: Candidates,
  check: string,
  signal: AbortSignal,
): Promise<Chosen> {
  const [{ chooseBest, comparedNotice }, { candidateResult }, { checkCandidate, checkPlaceFrom }, { listWorktrees }] =
    await Promise.all([
      import('../../core/batch/bestOf'),
      import('../../adapters/batch/candidateResult'),
      import('../../adapters/batch/candidateCheck'),
      import('../../adapters/sessions/worktrees'),
    ]);
  const place = checkPlaceFrom(readSettings());
  const results: CandidateResult[] = [];
  for (const session of candidates.sessions) {
    await session.changesKnown();
    const log = window.sessions.stored.logOf(session.id);
    const worktree = listWorktrees().find((each) => each.log === log);
    if (!worktree) throw new Error(vscode.l10n.t('The worktree of a candidate was removed, so none was chosen.'));
    const result = await candidateResult(worktree, session.conversation.history);
    const isChecked = check !== '' && result.status === 'done';
    results.push(isChecked ? { ...result, check: await checkCandidate(worktree, check, place, signal) } : result);
  }
  const chosen = await chooseBest(results, {
    group: candidates.group,
    task: candidates.task,
    ...(check !== '' && { check }),
    judge: await judgeFor(window, candidates.sessions[0]!, check),
    signal,
  });
  for (const [index, { id }] of candidates.sessions.entries())
    await window.sessions.note(id, comparedNotice(chosen, index));
  return chosen;
}

/** Returns the model that compares results, or undefined if a check does and the user configured no verifier. */
async function judgeFor({ models }: WindowParts, first: LiveSession, check: string): Promise<JudgeModel | undefined> {
  const { verifier, parallel } = readSettings().sampling;
  const { judging } = await import('../../core/batch/bestOf');
  const how = judging(verifier, verifier.kind !== 'first_valid', check !== '');
  if (!how) return undefined;
  const model = verifier.model === '' ? first.model : await models.modelFromSetting(verifier.model);
  return { model, parallel, settings: how };
}

/** Reports which candidate won and offers to show its changes. Brings nothing back on its own. */
async function reportChoice({ sessions }: Candidates, { comparison }: Chosen): Promise<void> {
  if (!readSetting('notifications.end')) return;
  const { chosen, reason, candidates } = comparison;
  if (chosen === undefined)
    return void vscode.window.showWarningMessage(
      vscode.l10n.t('None of {0} candidates won. {1}', candidates.length, reason),
    );
  const show = vscode.l10n.t('Show Changes');
  const words = vscode.l10n.t('Candidate {0} of {1} won. {2}', chosen + 1, candidates.length, reason);
  const answer = await vscode.window.showInformationMessage(words, show);
  if (answer !== show) return;
  await vscode.commands.executeCommand('waymark.openSession', sessions[chosen]!.id);
  await vscode.commands.executeCommand('waymark.changes.focus');
}
