import path from 'node:path';
import * as vscode from 'vscode';
import type { CheckpointStore } from '../../adapters/checkpoints/checkpointStore';
import type { Event } from '../../protocol/events/event';
import type { SessionEvents } from '../contributed/sessionEvents';
import type { LiveSession, SessionListener } from './liveSession';
import type { SessionEnvironment } from './sessionEnvironment';
import { saveTrajectory } from '../../adapters/sessions/writeExport';
import { settingsOf } from '../../core/log/runSettings';
import { statusOf } from '../../core/log/status';
import { readSetting } from '../common/settings';
import { errorMessage } from '../../core/text/errorMessage';

/** What the window wants to know about its sessions. */
export interface WindowListener extends Omit<SessionListener, 'onUnkept'> {
  /** Called with the next event that another process did in a session. */
  onFollowed(session: LiveSession, event: Event): void;
  /** Called when the other process has released the log of a session. */
  onReleased(session: LiveSession): void;
  /** Called when the list of sessions has changed. */
  onListed(): void;
  /** True if the session is visible in some place. */
  isShown(id: string): boolean;
  /** Called with a problem for the output channel, such as a contribution of another extension that cannot be used. */
  onProblem(thrown: unknown): void;
}

interface ListenerParts {
  readonly window: WindowListener;
  /** The listeners of other extensions. */
  readonly events: SessionEvents;
  readonly checkpoints: CheckpointStore;
  environmentOf(id: string): SessionEnvironment | undefined;
}

/** Returns the listener of every session of a window. It informs the window first, then other extensions. */
export const sessionListener = ({ window, events, checkpoints, environmentOf }: ListenerParts): SessionListener => ({
  onEvent(session, event) {
    if (session.isElsewhere) return window.onFollowed(session, event);
    window.onEvent(session, event);
    events.emit(session.id, event);
  },
  onDelta: (session, delta) => window.onDelta(session, delta),
  onRunning(session, running) {
    // Prepared during the first model request, so that the first command does not wait.
    if (running) environmentOf(session.id)?.prepare();
    window.onRunning(session, running);
    events.notifyWatchers(session.id);
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
 * or the user stops it. The panel also shows the problem.
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

/** Deletes expired copies of files and saves the conversation, if the settings ask for it. */
function afterRun(session: LiveSession, checkpoints: CheckpointStore, onProblem: (thrown: unknown) => void): void {
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
