import type { Conversation } from './conversation';

/** What a run can be told from outside, by another program of the same person. */
export const controlWords = ['pause', 'resume', 'step', 'stop'] as const;
export type ControlWord = (typeof controlWords)[number];

/** A run as another program controls it. */
export interface Controlled {
  readonly main: Conversation;
  /** The sessions that work for it at this moment. */
  children(): readonly Conversation[];
  /** Whether a conversation rests where a person can let it go on. */
  isHalted(conversation: Conversation): boolean;
  /** Lets one go on, once its host is ready for that. */
  letGo(conversation: Conversation, goOn: () => void): void;
  stop(reason: string): void;
}

/** Does what a word asks for. No word consents to an action. */
export function heedWord(word: ControlWord, run: Controlled): void {
  const all = [run.main, ...run.children()];
  const halted = all.filter((one) => run.isHalted(one));
  switch (word) {
    case 'pause':
      for (const one of all) one.pause();
      return;
    case 'resume':
      // Also one that is to halt later: "resume" means that nothing halts any more.
      for (const one of all) if (one.running || halted.includes(one)) run.letGo(one, () => one.resume());
      return;
    case 'step':
      for (const one of halted.length > 0 ? halted : [run.main]) run.letGo(one, () => one.step());
      return;
    case 'stop':
      run.stop('Stopped from outside.');
      return;
  }
}
