import * as vscode from 'vscode';
import { statusOf } from '../../core/log/status';
import type { OpenSessions } from '../sessions/openSessions';

/**
 * Ends every run of this window, including sub-agents, and every process started by their shells. Reports what was
 * ended.
 */
export async function stopEverything(
  sessions: Pick<OpenSessions, 'all' | 'environmentOf' | 'added'>,
): Promise<{ runs: number; processes: number }> {
  const { all } = sessions;
  const runs = all.filter(
    ({ writable, conversation: { history } }) => writable && !['empty', 'idle', 'finished'].includes(statusOf(history)),
  );
  const reason = vscode.l10n.t('You stopped everything.');
  const countProcesses = async (): Promise<number> => {
    const counts = await Promise.all(all.map(({ id }) => sessions.environmentOf(id)?.processes() ?? 0));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  const endProcesses = (): Promise<unknown> =>
    Promise.allSettled(all.map(({ id }) => sessions.environmentOf(id)?.endProcesses()));
  // Count first: a stopped command may exit before it is counted.
  const before = await countProcesses();
  // In parallel, so that a slow one does not let the others continue.
  const [servers] = await Promise.all([
    sessions.added.stop(),
    endProcesses(),
    Promise.allSettled(runs.map((session) => session.stop(reason))),
  ]);
  // Add processes that a run started at the last moment.
  const processes = before + servers + (await countProcesses());
  await endProcesses();
  void vscode.window.showInformationMessage(
    runs.length === 0 && processes === 0
      ? vscode.l10n.t('Nothing was running.')
      : vscode.l10n.t('Stopped everything: {0} runs and {1} processes.', runs.length, processes),
  );
  return { runs: runs.length, processes };
}
