import type readline from 'node:readline/promises';
import tty from 'node:tty';
import { stderr, withoutPassing } from '../output/output';

/** How the user approves what a folder brings: in advance with a flag, or at the terminal. */
export interface ConsentMeans {
  /** Approves without asking. */ readonly agree: boolean;
  /** True if there is a user at the terminal. */ readonly attended: boolean;
  /** Used to ask questions. */ readonly questions: Questions;
  /** Aborted when an answer is no longer needed. */ readonly unwanted?: AbortSignal | undefined;
}

/**
 * Something was not started, because it was not approved and nobody could be asked. The message says how to approve it.
 */
export class ConsentNeeded extends Error {}

export const isAttended = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Only a typed "y" or "yes" approves. */
export const isYes = (words: string): boolean => /^y(es)?$/i.test(words.trim());

/** How a line is read at the terminal. */
interface AskOptions {
  /** Aborted when the answer is no longer needed. */
  readonly unwanted?: AbortSignal | undefined;
  /** What the line contains at first. */
  readonly prefilled?: string;
  /** True if what is typed is not shown, as for a secret. */
  readonly isHidden?: boolean | undefined;
}

/**
 * Shows a question and reads a line. Resolves to an empty string if the terminal was closed, the run was stopped, or the
 * answer is no longer needed.
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

  /** Asks for a yes. Any other answer is a no, as is one that is no longer needed. */
  async agrees(question: string, unwanted?: AbortSignal): Promise<boolean> {
    return isYes(await this.ask(`${question} y = yes, anything else = no: `, { unwanted }));
  }
}

/** A terminal that is open for reading lines. */
interface QuestionTerminal {
  /** Closes when the terminal hangs up, as with Ctrl-D. */
  readonly lines: readline.Interface;
  /** Reads a line. Resolves to an empty string if `signal` aborts. */
  readLine(question: string, signal: AbortSignal, options?: AskOptions): Promise<string>;
}

/** Opens the terminal for reading lines. Returns undefined if it has hung up already. */
export async function openTerminal(): Promise<QuestionTerminal | undefined> {
  if (process.stdin.isTTY && !tty.isatty(process.stdin.fd)) return undefined;
  const { createInterface } = await import('node:readline/promises');
  const echo = { isOn: true };
  const lines = createInterface({ input: process.stdin, output: echoing(process.stderr, echo) });
  let isAsking = false;
  lines.on('SIGINT', () => {
    // What the signal leads to begins on a line of its own.
    if (isAsking && echo.isOn) stderr.write('\n');
    process.emit('SIGINT', 'SIGINT');
  });
  let hungUp = false;
  // Closing a terminal that has hung up causes another error here.
  lines.on('error', () => {
    if (hungUp) return;
    hungUp = true;
    lines.close();
  });
  if (process.stdin.listenerCount('error', ignored) === 0) process.stdin.on('error', ignored);
  const readLine: QuestionTerminal['readLine'] = async (
    question,
    signal,
    { prefilled = '', isHidden = false } = {},
  ) => {
    isAsking = true;
    const answer = lines
      .question(question, { signal })
      .catch(() => '')
      .finally(() => (isAsking = false));
    lines.write(prefilled);
    return isHidden ? withoutEcho(lines, echo, answer) : answer;
  };
  return { lines, readLine };
}

/** Whether a terminal shows what is typed. */
interface Echo {
  isOn: boolean;
}

/** Returns the output for an interface that shows what is typed, unless a hidden answer is being read. */
const echoing = (output: NodeJS.WriteStream, echo: Echo): NodeJS.WriteStream =>
  new Proxy(output, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown =>
        key === 'write' && !echo.isOn ? true : Reflect.apply(value, target, given);
    },
  });

/** Reads an answer without showing it, now or with the arrow keys at the next question. */
async function withoutEcho(lines: readline.Interface, echo: Echo, answer: Promise<string>): Promise<string> {
  echo.isOn = false;
  try {
    const line = await answer;
    const { history } = lines as { readonly history?: string[] };
    if (line !== '' && history?.[0] === line) history.shift();
    return line;
  } finally {
    echo.isOn = true;
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
  terminal.lines.on('close', stop);
  for (const signal of endingSignals) process.once(signal, stop);
  options?.unwanted?.addEventListener('abort', stop, { once: true });
  if (options?.unwanted?.aborted) stop();
  try {
    return await terminal.readLine(question, gone.signal, options);
  } finally {
    for (const signal of endingSignals) process.off(signal, stop);
    terminal.lines.close();
  }
};
