import * as vscode from 'vscode';
import { statusOf } from '../../core/log/history';
import type { OpenSessions } from '../sessions/openSessions';

/**
 * Ends every run of this window, those that work for others too, and every process that
 * their shells started. Says what was ended.
 */
export async function stopEverything(
  sessions: Pick<OpenSessions, 'all' | 'environmentOf' | 'added'>,
): Promise<{ runs: number; processes: number }> {
  const { all } = sessions;
  const runs = all.filter(
    ({ writable, conversation: { history } }) => writable && !['empty', 'idle', 'finished'].includes(statusOf(history)),
  );
  const reason = vscode.l10n.t('You stopped everything.');
  const living = async (): Promise<number> =>
    (await Promise.all(all.map(({ id }) => sessions.environmentOf(id)?.processes() ?? 0))).reduce(
      (sum, count) => sum + count,
      0,
    );
  const end = (): Promise<unknown> =>
    Promise.allSettled(all.map(({ id }) => sessions.environmentOf(id)?.endProcesses()));
  // Counted first: a command that is stopped may end before anybody counts it.
  const before = await living();
  // All at once: what one of them waits for must not let another go on.
  const [servers] = await Promise.all([
    sessions.added.stop(),
    end(),
    Promise.allSettled(runs.map((session) => session.stop(reason))),
  ]);
  // What a run began in its last moment.
  const processes = before + servers + (await living());
  await end();
  void vscode.window.showInformationMessage(
    runs.length === 0 && processes === 0
      ? vscode.l10n.t('Nothing was running.')
      : vscode.l10n.t('Stopped everything: {0} runs and {1} processes.', runs.length, processes),
  );
  return { runs: runs.length, processes };
}
