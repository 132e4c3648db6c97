import { stopsWhenUnread } from '../output/output';

interface Signals {
  /** Ends the command cleanly. `reason`: a sentence for the log. Called once. */
  stop(reason: string): Promise<void>;
  /**
   * Called for the first Ctrl-C. Returns true if that only interrupts the current work and does not end the command.
   */
  interrupt?(): boolean;
  /**
   * Called when the terminal is closed, before `stop`. Returns true if nothing needs to be stopped, because the command
   * only waits for the user.
   */
  leave?(): boolean;
  /** Pauses at the next checkpoint, or resumes. */
  pause?(): void;
}

/**
 * Calls `stop` if the user presses Ctrl-C and `interrupt` does not handle it, if the program is asked to end, if the
 * terminal is closed, or if nobody reads the output any longer. A second Ctrl-C or SIGTERM ends the program at once; a
 * second SIGHUP does not, because the system and the shell send one each when a terminal is closed. SIGUSR2 pauses and
 * resumes. Returns a function that removes all listeners except that of SIGHUP, so that a late one does not interrupt a
 * clean exit after the terminal was closed.
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

/** Signals that are held back until something can be stopped cleanly. */
export interface HeldSignals {
  /** Aborted by the first signal: no more questions are asked. */
  readonly unwanted: AbortSignal;
  /** Delivers signals that arrived early to the current listener. */
  deliver(): void;
}

/**
 * Holds back signals while nothing can be stopped cleanly yet, so that no lock is left behind. A second Ctrl-C or
 * SIGTERM still ends the program at once.
 */
export function holdSignals(): HeldSignals {
  const received = new Set<NodeJS.Signals>();
  const unwanted = new AbortController();
  const held = (signal: NodeJS.Signals): void => {
    if (signal !== 'SIGHUP' && (received.has('SIGINT') || received.has('SIGTERM'))) process.exit(130);
    received.add(signal);
    unwanted.abort();
  };
  for (const signal of heldBack) process.on(signal, held);
  return {
    unwanted: unwanted.signal,
    deliver() {
      for (const signal of heldBack) process.off(signal, held);
      for (const signal of received) process.emit(signal, signal);
    },
  };
}
