import path from 'node:path';
import * as vscode from 'vscode';
import type { CheckpointStore } from '../../adapters/checkpoints/checkpointStore';
import type { SessionEvents } from '../contributed/sessionEvents';
import { afterRun } from './afterRun';
import type { LiveSession, SessionListener } from './liveSession';
import type { SessionEnvironment } from './sessionEnvironment';

/** What the window wants to know about its sessions. */
export interface WindowListener extends Omit<SessionListener, 'onUnkept'> {
  /** Called when the list of sessions has changed. */
  onListed(): void;
  /** True if the session is visible in some place. */
  isShown(id: string): boolean;
  /** Called with a problem for the output channel, such as a contribution of another extension that cannot be used. */
  onProblem(thrown: unknown): void;
}

export interface ListenerParts {
  readonly window: WindowListener;
  /** The listeners of other extensions. */
  readonly events: SessionEvents;
  readonly checkpoints: CheckpointStore;
  environmentOf(id: string): SessionEnvironment | undefined;
}

/** Returns the listener of every session of a window. It informs the window first, then other extensions. */
export const sessionListener = ({ window, events, checkpoints, environmentOf }: ListenerParts): SessionListener => ({
  onEvent(session, event) {
    window.onEvent(session, event);
    events.tell(session.id, event);
  },
  onDelta: (session, delta) => window.onDelta(session, delta),
  onRunning(session, running) {
    // Prepared during the first model request, so that the first command does not wait.
    if (running) environmentOf(session.id)?.prepare();
    window.onRunning(session, running);
    events.moved(session.id);
    if (!running) afterRun(session, checkpoints, (thrown) => window.onProblem(thrown));
  },
  onUnkept(session, problem) {
    window.onRunning(session, session.conversation.running); // shows the state that is not in the log
    void offerUnkeptChoice(session, problem);
  },
  onFailure: (session, thrown) => window.onFailure(session, thrown),
});

/**
 * Warns that the log of a session cannot be written, wherever the user is. The run waits until the log can be written
 * or the user stops it. The panel shows the problem, too.
 */
async function offerUnkeptChoice(session: LiveSession, problem: string | undefined): Promise<void> {
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
