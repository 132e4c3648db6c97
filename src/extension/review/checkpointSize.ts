import * as vscode from 'vscode';
import { openSettings } from '../common/openSettings';
import { readSetting } from '../common/settings';
import type { SessionReview } from './sessionReview';

const megabyte = 1024 * 1024;

/** Shows how much disk space the file copies for undo take, and when they are deleted. */
export async function showCheckpointSize(changes: Pick<SessionReview, 'copiesBytes'>): Promise<void> {
  const words = vscode.l10n.t(
    'Copies of files for undo take {0} MB on this machine. The oldest are deleted after {1} days, or beyond {2} MB.',
    (changes.copiesBytes / megabyte).toFixed(1),
    readSetting('checkpoints.days'),
    readSetting('checkpoints.megabytes'),
  );
  const settings = vscode.l10n.t('Open Settings');
  if ((await vscode.window.showInformationMessage(words, settings)) === settings)
    await openSettings('waymark.checkpoints');
}
