import { heedControl } from '../../adapters/log/control';
import type { Conversation } from '../../core/session/conversation';
import { heedWord } from '../../core/session/outsideControl';
import { isHeld, type Family } from './family';

interface HeldRun {
  readonly conversation: Conversation;
  readonly family: Family;
  stop(reason: string): Promise<void>;
  /** What was halted goes on. */
  goesOn(): void;
}

/** Lets another process pause, resume, step and stop the run of a log. Returns what ends that. */
export function controlled(log: string, { conversation, family, stop, goesOn }: HeldRun): () => void {
  return heedControl(log, (word) => {
    heedWord(word, {
      main: conversation,
      children: () => family.all.map((child) => child.conversation),
      isHalted: ({ history }) => isHeld(history),
      letGo: (_conversation, goOn) => goOn(),
      stop: (reason) => void stop(reason),
    });
    if (word === 'resume' || word === 'step') goesOn();
    return undefined;
  });
}
