import * as z from 'zod';
import { commandInOneLine, observedCommand } from './commandResult';
import { defineTool } from './tool';

const defaultSeconds = 120;

export const runCommand = defineTool({
  name: 'run_command',
  description: 'Run a command in a shell that lives on: folder and variables stay. Or answer one that waits, with input.',
  input: z.object({
    command: z.string().optional(),
    timeout: z.number().positive().max(86_400).optional().describe(`seconds, default ${defaultSeconds}`),
    tty: z.boolean().optional().describe('for programs that draw or ask'),
    input: z.string().optional().describe('to type; ends with a newline if Enter is meant'),
  }).refine(({ command, input }) => (command?.trim() ? input === undefined : input !== undefined), 'Give either command or input.'),
  effect: 'executes',
  summarize: ({ command, input }) => (input === undefined ? `Run ${commandInOneLine(command ?? '')}` : `Type ${JSON.stringify(input)} into the running command`),
  touches: ({ command, input }) => ({ command: input ?? command ?? '' }),
  allowKey: ({ command, input }) => (input === undefined ? command : undefined),
  async run({ command = '', timeout = defaultSeconds, tty = false, input }, { environment: { root, terminal }, signal, progress }) {
    const options = { timeoutMs: timeout * 1000, tty, signal, onOutput: progress };
    const result = input === undefined ? await terminal.run(command, options) : await terminal.answer(input, options);
    return observedCommand(result, tty, {
      folder: root,
      timedOut: `ended after ${timeout} s without finishing; give a longer timeout, or start it in the background`,
      waiting: 'still running and waiting for input; answer with run_command and input',
    });
  },
});
