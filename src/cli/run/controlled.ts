import { heedControl, type ControlWord } from '../../adapters/log/control';
import type { Conversation } from '../../core/session/conversation';
import { isHeld, type Family } from './family';

interface Controlled {
  readonly conversation: Conversation;
  readonly family: Family;
  stop(reason: string): Promise<void>;
  /** What was halted goes on. */
  goesOn(): void;
}

/** Lets another process pause, resume, step and stop the run of a log. Returns what ends that. */
export function controlled(log: string, { conversation, family, stop, goesOn }: Controlled): () => void {
  const all = (): Conversation[] => [conversation, ...family.all.map((child) => child.conversation)];
  const held = (): Conversation[] => all().filter(({ history }) => isHeld(history));
  const heed: Record<ControlWord, () => void> = {
    pause: () => all().forEach((one) => one.pause()),
    resume() {
      // Also one that is to halt later: whoever says "resume" wants no halt any more.
      for (const one of all()) if (one.running || isHeld(one.history)) one.resume();
      goesOn();
    },
    step() {
      const waiting = held();
      for (const one of waiting.length > 0 ? waiting : [conversation]) one.step();
      goesOn();
    },
    stop: () => void stop('Stopped from outside.'),
  };
  return heedControl(log, (word) => heed[word]());
}
