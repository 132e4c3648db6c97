import type readline from 'node:readline/promises';
import tty from 'node:tty';

/** How a person agrees to what a folder brings: beforehand by a flag, or at the terminal. */
export interface Asking {
  /** Agrees without a question. */ readonly agree: boolean;
  /** Whether somebody sits at the terminal. */ readonly attended: boolean;
  /** Where they are asked. */ readonly questions: Questions;
  /** Aborted where nobody wants an answer any more. */ readonly unwanted?: AbortSignal | undefined;
}

/** Something was not begun, because nobody agreed to it and nobody could be asked. Its words say how to agree. */
export class ConsentNeeded extends Error {}

export const isAttended = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Only a written "y" agrees. */
export const isYes = (words: string): boolean => /^y(es)?$/i.test(words.trim());

/**
 * Shows a question and waits for a line, which begins with `given`. Empty where the terminal was closed, the run
 * stopped, or nobody wants the answer any more.
 */
export type Ask = (question: string, unwanted?: AbortSignal, given?: string) => Promise<string>;

/** The questions of one run or one command at the terminal: one after the other, whoever asks them. */
export class Questions {
  /** Asks at the terminal that the run keeps open: two that read one terminal would take each other's words. */
  private atOpenTerminal: Ask | undefined;
  private last: Promise<unknown> = Promise.resolve();

  /** From now on questions are asked at the terminal that is open already. Returns what ends that. */
  keepOpen(ask: Ask): () => void {
    this.atOpenTerminal = ask;
    return () => {
      if (this.atOpenTerminal === ask) this.atOpenTerminal = undefined;
    };
  }

  readonly ask: Ask = (question, unwanted, given) => {
    const answer = this.last.then(() =>
      unwanted?.aborted ? '' : (this.atOpenTerminal ?? atOwnTerminal)(question, unwanted, given),
    );
    this.last = answer.catch(() => undefined);
    return answer;
  };

  /** Asks for a yes; anything else is a no, and so is it where nobody wants the answer any more. */
  async agrees(question: string, unwanted?: AbortSignal): Promise<boolean> {
    return isYes(await this.ask(`${question} y = yes, anything else = no: `, unwanted));
  }
}

/**
 * Reads lines of the person at the terminal. When the terminal hangs up, the interface closes, as with
 * Ctrl-D. Undefined where it has hung up already.
 */
export async function openTerminal(): Promise<readline.Interface | undefined> {
  if (process.stdin.isTTY && !tty.isatty(process.stdin.fd)) return undefined;
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  terminal.on('SIGINT', () => process.emit('SIGINT', 'SIGINT'));
  let hungUp = false;
  // Closing fails once more on a terminal that has hung up, and tells it here again.
  terminal.on('error', () => {
    if (hungUp) return;
    hungUp = true;
    terminal.close();
  });
  if (process.stdin.listenerCount('error', ignored) === 0) process.stdin.on('error', ignored);
  return terminal;
}

/** What fails on stdin after its interface was closed matters to nobody. */
const ignored = (): void => undefined;

/** Withdraws a question when the run ends, whatever ends it. */
const endingSignals = ['SIGINT', 'SIGTERM'] as const;

async function atOwnTerminal(question: string, unwanted?: AbortSignal, given = ''): Promise<string> {
  const terminal = await openTerminal();
  if (!terminal) return '';
  const gone = new AbortController();
  const stop = (): void => gone.abort();
  terminal.on('close', stop);
  for (const signal of endingSignals) process.once(signal, stop);
  unwanted?.addEventListener('abort', stop, { once: true });
  if (unwanted?.aborted) stop();
  try {
    const answer = terminal.question(question, { signal: gone.signal }).catch(() => '');
    terminal.write(given);
    return await answer;
  } finally {
    for (const signal of endingSignals) process.off(signal, stop);
    terminal.close();
  }
}
