import type { CommandOptions, Terminal } from '../../../src/core/ports/terminal';

/** The same terminal with a shorter timeout for each command, so that tests are fast. */
export function impatient(terminal: Terminal, seconds: number): Terminal {
  const shorter = (options: CommandOptions): CommandOptions => ({
    ...options,
    timeoutMs: Math.min(options.timeoutMs, seconds * 1000),
  });
  return {
    run: (command, options) => terminal.run(command, shorter(options)),
    answer: (text, options) => terminal.answer(text, shorter(options)),
    dispose: () => terminal.dispose(),
  };
}
