import type { Conversation } from '../../core/session/conversation';
import { settingsOf, type History } from '../../core/log/history';
import type { Ask } from '../consent/ask';
import { stderr } from '../output/output';

const reason = 'Interrupted from the command line.';

/**
 * What Ctrl-C means while the agent works: it is interrupted, and its person asked what
 * it should know. False where nothing runs.
 */
export function interruptedForNote(conversation: Conversation): boolean {
  if (!conversation.running) return false;
  stderr.write('\nInterrupting. Ctrl-C again ends the run.\n');
  void conversation.interrupt(reason);
  return true;
}

/** Whether the run rests because its person pressed Ctrl-C, and has said nothing since. */
export function waitsForNote(history: History): boolean {
  const last = history.at(-1);
  return last?.type === 'paused' && last.checkpoint === undefined && last.reason === reason;
}

/** Asks what the agent should know, and lets it go on. */
export async function askForNote(conversation: Conversation, ask: Ask, isUnwanted: () => boolean): Promise<void> {
  // In human mode the person is asked for the next command in any case.
  const isHuman = settingsOf(conversation.history)?.mode === 'human';
  const words = isHuman
    ? ''
    : await ask('\nInterrupted. A note for the agent (Enter = go on without one, Ctrl-C = end the run): ');
  if (isUnwanted()) return;
  if (words.trim() !== '') conversation.say(words.trim());
  else conversation.resume();
}
