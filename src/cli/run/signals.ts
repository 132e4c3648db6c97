import { stopsWhenUnread } from '../output/output';

export interface Signals {
  /** Ends the command in order. `reason`: why, as a sentence for the log. Called once. */
  stop(reason: string): Promise<void>;
  /** Ctrl-C was pressed for the first time: true where that interrupts what runs and does not end the command. */
  interrupt?(): boolean;
  /**
   * The terminal was closed, before it is stopped for that: true where nothing is to be
   * stopped, because it only waits for the person.
   */
  leave?(): boolean;
  /** Halts at the next checkpoint; what is halted goes on. */
  pause?(): void;
}

/**
 * Calls `stop` when the person presses Ctrl-C and `interrupt` does not take that, the program is asked to end, the
 * terminal is closed, or nobody reads what it prints any more. A second Ctrl-C or SIGTERM ends the program at once;
 * a second SIGHUP does not, because the system and the shell send one each when a terminal is closed. SIGUSR2
 * pauses and resumes. Returns a function that removes the listeners but that of SIGHUP: a late one does not cut off
 * what a closed terminal began to end in order.
 */
export function onSignals({
  stop,
  interrupt = () => false,
  leave = () => false,
  pause = () => undefined,
}: Signals): () => void {
  let stopping = false;
  let asked = 0;
  const stopOnce = (reason: string): void => {
    if (stopping) return;
    stopping = true;
    void stop(reason);
  };
  const endedBySignal = (): void => {
    asked += 1;
    if (asked > 1) process.exit(130);
    stopOnce('Interrupted from the command line.');
  };
  const interrupted = (): void => {
    if (stopping || !interrupt()) endedBySignal();
  };
  const hungUp = (): void => {
    if (!leave()) stopOnce('The terminal was closed.');
  };
  process.on('SIGINT', interrupted);
  process.on('SIGTERM', endedBySignal);
  process.on('SIGHUP', hungUp);
  if (process.platform !== 'win32') process.on('SIGUSR2', pause);
  stopsWhenUnread(({ words }) => stopOnce(words));
  return () => {
    process.off('SIGINT', interrupted);
    process.off('SIGTERM', endedBySignal);
    process.off('SIGUSR2', pause);
  };
}

const heldBack = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

export interface HeldSignals {
  /** Aborted by the first one: nobody is asked anything any more. */
  readonly unwanted: AbortSignal;
  /** Delivers signals that arrived early to the current listener. */
  handOn(): void;
}

/**
 * Holds back what wants the end while nothing can be stopped in order yet, so that no lock stays. A second Ctrl-C or
 * SIGTERM ends the program at once here, too.
 */
export function holdSignals(): HeldSignals {
  const came = new Set<NodeJS.Signals>();
  const unwanted = new AbortController();
  const held = (signal: NodeJS.Signals): void => {
    if (signal !== 'SIGHUP' && (came.has('SIGINT') || came.has('SIGTERM'))) process.exit(130);
    came.add(signal);
    unwanted.abort();
  };
  for (const signal of heldBack) process.on(signal, held);
  return {
    unwanted: unwanted.signal,
    handOn() {
      for (const signal of heldBack) process.off(signal, held);
      for (const signal of came) process.emit(signal, signal);
    },
  };
}
