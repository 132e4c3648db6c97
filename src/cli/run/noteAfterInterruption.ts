import type { Conversation } from '../../core/session/conversation';
import { settingsOf } from '../../core/log/runSettings';
import type { History } from '../../core/log/projection';
import type { Ask } from '../consent/ask';
import { stderr } from '../output/output';

const reason = 'Interrupted from the command line.';

/**
 * Handles Ctrl-C while the agent works: interrupts it, so that the user can give it a note. Returns false if nothing is
 * running.
 */
export function interruptedForNote(conversation: Conversation): boolean {
  if (!conversation.running) return false;
  stderr.write('\nInterrupting. Press Ctrl-C again to end the run.\n');
  void conversation.interrupt(reason);
  return true;
}

/** Returns whether the run rests because the user pressed Ctrl-C, and has said nothing since. */
export function waitsForNote(history: History): boolean {
  const last = history.at(-1);
  return last?.type === 'paused' && last.checkpoint === undefined && last.reason === reason;
}

/** Asks for a note to the agent, and resumes it. */
export async function askForNote(conversation: Conversation, ask: Ask, isUnwanted: () => boolean): Promise<void> {
  // In human mode the user is asked for the next command in any case.
  const isHuman = settingsOf(conversation.history)?.mode === 'human';
  const words = isHuman
    ? ''
    : await ask('\nInterrupted. A note for the agent (Enter = continue without one, Ctrl-C = end the run): ');
  if (isUnwanted()) return;
  if (words.trim() !== '') conversation.say(words.trim());
  else conversation.resume();
}
