import path from 'node:path';
import * as vscode from 'vscode';
import type { CheckpointStore } from '../../adapters/checkpoints/checkpointStore';
import { saveTrajectory } from '../../adapters/sessions/savedTrajectories';
import { settingsOf } from '../../core/log/runSettings';
import { statusOf } from '../../core/log/status';
import { readSetting } from '../common/settings';
import type { LiveSession } from './liveSession';
import { errorMessage } from '../../core/text/errorMessage';

/** Deletes expired copies of files and saves the conversation, if the settings ask for it. */
export function afterRun(
  session: LiveSession,
  checkpoints: CheckpointStore,
  onProblem: (thrown: unknown) => void,
): void {
  void cleanCheckpoints(checkpoints, onProblem);
  keepTrajectory(session);
}

/** A store that cannot be cleaned now is cleaned after a later run. */
async function cleanCheckpoints(checkpoints: CheckpointStore, onProblem: (thrown: unknown) => void): Promise<void> {
  if (!checkpoints.isToBeCleaned) return;
  const { cleanUp } = await import('../../adapters/checkpoints/cleanUp');
  const policy = { days: readSetting('checkpoints.days'), megabytes: readSetting('checkpoints.megabytes') };
  await cleanUp(checkpoints, policy).catch(onProblem);
}

/**
 * Adds the conversation of a completed task to the folder in `waymark.saveTrajectories`, as a line in the format of
 * Hermes Agent. Sub-agent sessions are not saved.
 */
function keepTrajectory({ id, conversation: { history } }: LiveSession): void {
  const folder = readSetting('saveTrajectories');
  const began = history[0]?.type === 'task_started' ? history[0] : undefined;
  const isOver = ['finished', 'idle'].includes(statusOf(history));
  if (folder === '' || !began || began.parent || !isOver) return;
  const place = path.resolve(settingsOf(history)?.cwd ?? began.cwd, folder);
  try {
    saveTrajectory(history, place, id, process.env['WAYMARK_VERSION'] ?? '0');
  } catch (error) {
    const why = errorMessage(error);
    void vscode.window.showWarningMessage(vscode.l10n.t('The conversation was not added to {0}: {1}', place, why));
  }
}
