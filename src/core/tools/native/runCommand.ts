import * as z from 'zod';
import { commandInOneLine, observedCommand } from './commandResult';
import { defineTool } from '../defineTool';

const defaultSeconds = 120;

export const runCommand = defineTool({
  name: 'run_command',
  description:
    'Run a command in a shell whose folder and variables stay for the next call; returns the output and the exit code when it ends. ' +
    'Use options that ask nothing (--yes, --no-pager). Start what does not end, such as a server, with "&" and its output in a file. ' +
    'Give input in place of command to answer a command that waits. Not for reading, searching or editing files.',
  input: z
    .object({
      command: z.string().optional(),
      timeout: z
        .number()
        .positive()
        .max(86_400)
        .optional()
        .describe(`seconds until it is stopped, default ${defaultSeconds}`),
      tty: z.boolean().optional().describe('true: on a terminal, for programs that draw or ask'),
      input: z.string().optional().describe('text to type; end it with \\n for Enter'),
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
  withCommand: (given, command) => (given.input === undefined ? { ...given, command } : undefined),
  async run(
    { command = '', timeout = defaultSeconds, tty = false, input },
    { environment: { root, terminal }, signal, progress, words },
  ) {
    const options = { timeoutMs: timeout * 1000, tty, signal, onOutput: progress };
    const result = input === undefined ? await terminal.run(command, options) : await terminal.answer(input, options);
    return observedCommand(result, tty, {
      folder: root,
      timedOut: `ended after ${timeout} s without finishing; give a longer timeout, or start it in the background`,
      waiting: `still running and waiting for input; answer with ${words?.tool('run_command') ?? 'run_command'} and input`,
      reader: words?.tool('read_file'),
    });
  },
});
