import type { Conversation } from './conversation';

/** Commands for a run from another program of the same user. */
export const controlWords = ['pause', 'resume', 'step', 'stop'] as const;
/** One of these commands. */
export type ControlWord = (typeof controlWords)[number];

/** A run as controlled by another program. */
interface Controlled {
  readonly main: Conversation;
  /** Currently running child sessions. */
  children(): readonly Conversation[];
  /** Returns whether a conversation is halted and can be resumed by a person. */
  isHalted(conversation: Conversation): boolean;
  /** Resumes a conversation as soon as its host is ready. */
  letGo(conversation: Conversation, goOn: () => void): void;
  stop(reason: string): void;
}

/** Executes a control word. No word approves an action. */
export function executeControlWord(word: ControlWord, run: Controlled): void {
  const all = [run.main, ...run.children()];
  const halted = all.filter((one) => run.isHalted(one));
  switch (word) {
    case 'pause':
      for (const one of all) one.pause();
      return;
    case 'resume':
      // Includes sessions that have yet to halt: "resume" means that nothing halts.
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
