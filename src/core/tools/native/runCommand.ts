import * as z from 'zod';
import { commandInOneLine, observedCommand, withoutBinary } from './commandResult';
import { defineTool } from '../defineTool';

const defaultSeconds = 120;

export const runCommand = defineTool({
  name: 'run_command',
  description:
    'Run a command in a shell that keeps its directory and variables. ' +
    'Use non-interactive options (--yes, --no-pager). Start servers with & and output to a file. ' +
    'Read and edit single files with the tools.',
  input: z
    .object({
      command: z.string().optional(),
      timeout: z.number().positive().max(86_400).optional().describe(`seconds, default ${defaultSeconds}`),
      tty: z.boolean().optional().describe('for interactive programs'),
      input: z.string().optional().describe('instead of command: answer to a waiting one; \\n is Enter'),
    })
    .refine(
      ({ command, input }) => (command?.trim() ? input === undefined : input !== undefined),
      'Give either command or input.',
    ),
  effect: 'executes',
  summarize: ({ command, input }) =>
    input === undefined
      ? `Run ${commandInOneLine(command ?? '')}`
      : `Type ${JSON.stringify(input)} into the running command`,
  touches: ({ command, input }) => (input === undefined ? { command: command ?? '' } : { command: input, types: true }),
  allowKey: ({ command, input }) => (input === undefined ? command : undefined),
  withCommand: (callInput, command) => (callInput.input === undefined ? { ...callInput, command } : undefined),
  async run(
    { command = '', timeout = defaultSeconds, tty = false, input },
    { environment: { root, terminal }, signal, progress, words },
  ) {
    const options = { timeoutMs: timeout * 1000, tty, ttyArgument: 'tty: true', signal, onOutput: progress };
    const result = input === undefined ? await terminal.run(command, options) : await terminal.answer(input, options);
    return observedCommand(
      { ...result, output: withoutBinary(result.output) },
      {
        folder: root,
        timedOut: `stopped after ${timeout} s without finishing; give a longer timeout, or start it in the background`,
        waiting: `still running and waiting for input; ${whatToType(input, words?.tool('run_command') ?? 'run_command')}`,
        ...(words && { openedBy: { reader: words.tool('read_file'), searcher: words.tool('search_text') } }),
      },
      { tty },
    );
  },
});

/** Returns what a waiting program needs. `typed`: what it just got. */
function whatToType(typed: string | undefined, tool: string): string {
  if (typed?.endsWith('\\n'))
    return 'your input ended with a backslash and the letter n, not with a line break (Enter)';
  return hasNoEnter(typed) ? 'your input did not end with \\n (Enter)' : `answer with ${tool} and input`;
}

/** True if typed text ends without Enter or another control key. */
const hasNoEnter = (input: string | undefined): boolean =>
  input !== undefined && input !== '' && input.charCodeAt(input.length - 1) > 0x1f;
