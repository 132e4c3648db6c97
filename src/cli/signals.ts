export interface Signals {
  stop(): Promise<void>;
  /** Halts at the next checkpoint; what is halted goes on. */
  pause?(): void;
}

/**
 * Calls `stop` when the person presses Ctrl-C, the program is asked to end, or nobody reads what it prints any more; the second such
 * signal ends the program at once. SIGUSR2 pauses and resumes. Answers what takes the listeners off again.
 */
export function onSignals({ stop, pause = () => undefined }: Signals): () => void {
  let times = 0;
  const interrupted = (): void => {
    if (++times > 1) process.exit(130);
    void stop();
  };
  const unread = (): void => { if (times === 0) interrupted(); };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, interrupted);
  if (process.platform !== 'win32') process.on('SIGUSR2', pause);
  // The listener stays: without one, a late error of the stream would end the program with a stack trace.
  process.stdout.on('error', unread);
  return () => {
    for (const signal of signals) process.off(signal, interrupted);
    process.off('SIGUSR2', pause);
  };
}
