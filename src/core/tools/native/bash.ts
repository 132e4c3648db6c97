import * as z from 'zod';
import { commandInOneLine, observedCommand } from './commandResult';
import { inSubshell } from '../../text/shellText';
import { defineTool } from '../defineTool';

const seconds = 30;

/**
 * The only tool of the `mini` profile. Every command starts a new shell in the workspace folder; only files persist.
 */
export const bash = defineTool({
  name: 'bash',
  description:
    'Run a command in a new subshell of the workspace folder; its working directory and variables are not kept.',
  input: z.object({ command: z.string() }),
  effect: 'executes',
  summarize: ({ command }) => `Run ${commandInOneLine(command)}`,
  touches: ({ command }) => ({ command }),
  allowKey: ({ command }) => command || undefined,
  withCommand: (_given, command) => ({ command }),
  async run({ command }, { environment: { root, terminal }, signal, progress }) {
    const result = await terminal.run(inSubshell(command, root), {
      timeoutMs: seconds * 1000,
      tty: false,
      signal,
      onOutput: progress,
    });
    return observedCommand(result, {
      folder: result.cwd,
      expectsNewShell: true,
      openedBy: { reader: 'sed', searcher: 'grep' },
      timedOut: `stopped after ${seconds} s without finishing; start longer commands in the background, with output in a file`,
      waiting: 'waits for input, which cannot be given here; the next command stops it. Use non-interactive options',
    });
  },
});
