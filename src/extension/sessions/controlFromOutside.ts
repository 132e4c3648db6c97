import type * as vscode from 'vscode';
import { watchControl } from '../../adapters/log/control';
import { statusOf } from '../../core/log/status';
import type { Conversation } from '../../core/session/conversation';
import { executeControlWord, type ControlWord } from '../../core/session/outsideControl';
import type { LiveSession } from './liveSession';

/** The part of a window's sessions that external control needs. */
interface ControlledWindow {
  all(): readonly LiveSession[];
  /** Returns false if no model is chosen, after offering the available ones. */
  useChosenModel(session: LiveSession): Promise<boolean>;
  onProblem(thrown: unknown): void;
}

/**
 * Lets `waymark control` pause, resume, step and stop a session that is open in this window. It does what the panel's
 * buttons do and cannot approve actions.
 */
export function controlFromOutside(session: LiveSession, log: string, window: ControlledWindow): vscode.Disposable {
  const end = watchControl(log, (word) => applyControl(word, session, window));
  return { dispose: end };
}

/** Executes a control word. Returns why it had no effect, or undefined. */
function applyControl(word: ControlWord, session: LiveSession, window: ControlledWindow): string | undefined {
  const status = statusOf(session.conversation.history);
  if (['empty', 'idle', 'finished'].includes(status))
    return `The session is open in a window, but nothing runs in it (${status}). Tell it there what to do next.`;
  const children = workingFor(session, window.all());
  const sessionOf = (conversation: Conversation): LiveSession =>
    children.find((child) => child.conversation === conversation) ?? session;
  const failed = (thrown: unknown): void => window.onProblem(thrown);
  executeControlWord(word, {
    main: session.conversation,
    children: () => children.map(({ conversation }) => conversation),
    isHalted: ({ history }) => statusOf(history) === 'paused',
    letGo(conversation, goOn) {
      const goWithModel = async (): Promise<void> => {
        if (await window.useChosenModel(sessionOf(conversation))) goOn();
      };
      goWithModel().catch(failed);
    },
    stop: (reason) => void session.stop(reason).catch(failed),
  });
  return undefined;
}

/** Returns all direct and indirect sub-agent sessions of a session. */
function workingFor(session: LiveSession, all: readonly LiveSession[]): LiveSession[] {
  const parentOf = ({ conversation: { history } }: LiveSession): string | undefined =>
    history.find((event) => event.type === 'task_started')?.parent?.session;
  const direct = all.filter((other) => other !== session && parentOf(other) === session.id);
  return direct.flatMap((child) => [child, ...workingFor(child, all)]);
}
