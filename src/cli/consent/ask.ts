import type readline from 'node:readline/promises';
import tty from 'node:tty';
import { stderr, withoutPassing } from '../output/output';

/** How the user approves what a folder brings: in advance with a flag, or at the terminal. */
export interface Asking {
  /** Approves without asking. */ readonly agree: boolean;
  /** True if there is a user at the terminal. */ readonly attended: boolean;
  /** Used to ask questions. */ readonly questions: Questions;
  /** Aborted when an answer is not needed any more. */ readonly unwanted?: AbortSignal | undefined;
}

/**
 * Something was not started, because it was not approved and nobody could be asked. The message says how to approve it.
 */
export class ConsentNeeded extends Error {}

export const isAttended = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Only a typed "y" or "yes" approves. */
export const isYes = (words: string): boolean => /^y(es)?$/i.test(words.trim());

/** How a line is read at the terminal. */
export interface AskOptions {
  /** Aborted when the answer is not needed any more. */
  readonly unwanted?: AbortSignal | undefined;
  /** What the line contains at first. */
  readonly prefilled?: string;
  /** True if what is typed is not shown, as for a secret. */
  readonly isHidden?: boolean | undefined;
}

/**
 * Shows a question and reads a line. Resolves to an empty string if the terminal was closed, the run was stopped, or the
 * answer is not needed any more.
 */
export type Ask = (question: string, options?: AskOptions) => Promise<string>;

/** The questions of one run or one command at the terminal, asked one at a time. */
export class Questions {
  /** Asks at the terminal that the run keeps open: two readers of one terminal would take each other's input. */
  private atOpenTerminal: Ask | undefined;
  private last: Promise<unknown> = Promise.resolve();

  /** Directs questions to the terminal that is already open. Returns a function that ends that. */
  keepOpen(ask: Ask): () => void {
    this.atOpenTerminal = ask;
    return () => {
      if (this.atOpenTerminal === ask) this.atOpenTerminal = undefined;
    };
  }

  readonly ask: Ask = (question, options) => {
    const answer = this.last.then(() =>
      options?.unwanted?.aborted ? '' : withoutPassing(() => (this.atOpenTerminal ?? atOwnTerminal)(question, options)),
    );
    this.last = answer.catch(() => undefined);
    return answer;
  };

  /** Asks for a yes. Any other answer is a no, and so is an answer that is not needed any more. */
  async agrees(question: string, unwanted?: AbortSignal): Promise<boolean> {
    return isYes(await this.ask(`${question} y = yes, anything else = no: `, { unwanted }));
  }
}

/**
 * Opens the terminal for reading lines. When the terminal hangs up, the interface closes, as with Ctrl-D. Returns
 * undefined if it has hung up already.
 */
export async function openTerminal(): Promise<readline.Interface | undefined> {
  if (process.stdin.isTTY && !tty.isatty(process.stdin.fd)) return undefined;
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: echoing(process.stderr) });
  terminal.on('SIGINT', () => process.emit('SIGINT', 'SIGINT'));
  let hungUp = false;
  // Closing a terminal that has hung up causes another error here.
  terminal.on('error', () => {
    if (hungUp) return;
    hungUp = true;
    terminal.close();
  });
  if (process.stdin.listenerCount('error', ignored) === 0) process.stdin.on('error', ignored);
  return terminal;
}

let isEchoOff = false;

/** Returns the output for an interface that shows what is typed, unless a hidden answer is being read. */
const echoing = (output: NodeJS.WriteStream): NodeJS.WriteStream =>
  new Proxy(output, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown =>
        key === 'write' && isEchoOff ? true : Reflect.apply(value, target, given);
    },
  });

/** Reads a line at an open terminal. Resolves to an empty string if `signal` aborts. */
export async function readLine(
  terminal: readline.Interface,
  question: string,
  signal: AbortSignal,
  { prefilled = '', isHidden = false }: AskOptions = {},
): Promise<string> {
  const answer = terminal.question(question, { signal }).catch(() => '');
  terminal.write(prefilled);
  if (!isHidden) return answer;
  isEchoOff = true;
  try {
    const line = await answer;
    // The arrow keys would show it at the next question.
    const { history } = terminal as { readonly history?: string[] };
    if (line !== '' && history?.[0] === line) history.shift();
    return line;
  } finally {
    isEchoOff = false;
    stderr.write('\n');
  }
}

/** Errors on stdin after its interface was closed are irrelevant. */
const ignored = (): void => undefined;

/** Signals that withdraw a question when the run ends. */
const endingSignals = ['SIGINT', 'SIGTERM'] as const;

const atOwnTerminal: Ask = async (question, options) => {
  const terminal = await openTerminal();
  if (!terminal) return '';
  const gone = new AbortController();
  const stop = (): void => gone.abort();
  terminal.on('close', stop);
  for (const signal of endingSignals) process.once(signal, stop);
  options?.unwanted?.addEventListener('abort', stop, { once: true });
  if (options?.unwanted?.aborted) stop();
  try {
    return await readLine(terminal, question, gone.signal, options);
  } finally {
    for (const signal of endingSignals) process.off(signal, stop);
    terminal.close();
  }
};
