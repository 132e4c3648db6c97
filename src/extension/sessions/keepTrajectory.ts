import path from 'node:path';
import * as vscode from 'vscode';
import { saveTrajectory } from '../../adapters/sessions/savedTrajectories';
import { settingsOf, statusOf } from '../../core/log/history';
import { readSetting } from '../common/settings';
import type { LiveSession } from './liveSession';

/**
 * Adds the conversation of a session whose task ended to the folder that the person set,
 * as a line in the format of Hermes Agent.
 */
export function keepTrajectory({ id, conversation: { history } }: LiveSession): void {
  const folder = readSetting('saveTrajectories');
  const began = history[0]?.type === 'task_started' ? history[0] : undefined;
  const isOver = ['finished', 'idle'].includes(statusOf(history));
  if (folder === '' || !began || began.parent || !isOver) return;
  const place = path.resolve(settingsOf(history)?.cwd ?? began.cwd, folder);
  try {
    saveTrajectory(history, place, id, process.env['WAYMARK_VERSION'] ?? '0');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    void vscode.window.showWarningMessage(vscode.l10n.t('The conversation was not added to {0}: {1}', place, why));
  }
}
