import * as vscode from 'vscode';
import { statusOf } from '../core/agent/history';
import type { OpenSessions } from './openSessions';

/** Ends every run of this window, those that work for others too, and every process that their shells started. Says what was ended. */
export async function stopEverything(sessions: Pick<OpenSessions, 'all' | 'environmentOf'>): Promise<{ runs: number; processes: number }> {
  const { all } = sessions;
  const runs = all.filter(({ writable, conversation: { history } }) => writable && !['empty', 'idle', 'finished'].includes(statusOf(history)));
  const reason = vscode.l10n.t('Everything was stopped by the person.');
  // All at once: what one of them waits for must not let another go on.
  const ending = all.map(({ id }) => sessions.environmentOf(id)?.endProcesses() ?? 0);
  await Promise.allSettled(runs.map(session => session.stop(reason)));
  const counts = await Promise.allSettled(ending);
  // What a run began in its last moment.
  counts.push(...await Promise.allSettled(all.map(({ id }) => sessions.environmentOf(id)?.endProcesses() ?? 0)));
  const processes = counts.reduce((sum, count) => sum + (count.status === 'fulfilled' ? count.value : 0), 0);
  void vscode.window.showInformationMessage(runs.length === 0 && processes === 0 ? vscode.l10n.t('Nothing was running.') : vscode.l10n.t('Stopped everything: {0} runs and {1} processes were ended.', runs.length, processes));
  return { runs: runs.length, processes };
}
