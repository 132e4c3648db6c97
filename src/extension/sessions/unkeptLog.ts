import path from 'node:path';
import * as vscode from 'vscode';
import type { LiveSession } from './liveSession';

/**
 * Tells the person, wherever they look, that the log of a session cannot be written, and lets them choose: the run waits, unless they stop
 * it, and they can look at the folder. The panel says so, too, for as long as it is so.
 */
export async function offerUnkeptChoice(session: LiveSession, problem: string | undefined): Promise<void> {
  if (problem === undefined) return;
  const stop = vscode.l10n.t('Stop Run');
  const show = vscode.l10n.t('Show Folder');
  const choices = session.conversation.running ? [stop, show] : [show];
  const chosen = await vscode.window.showWarningMessage(problem, ...choices);
  if (chosen === stop) await session.stop();
  if (chosen === show && session.logFile !== undefined) {
    await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(path.dirname(session.logFile)));
  }
}
