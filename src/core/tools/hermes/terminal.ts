import * as z from 'zod';
import { commandInOneLine, observedCommand } from '../native/commandResult';
import { inBackground, inSubshell, quoteForShell } from '../../text/shellText';
import { defineTool } from '../defineTool';

const defaultSeconds = 180;

export const terminal = defineTool({
  name: 'terminal',
  description: 'Run a command in a persistent shell; its working directory and variables are kept.',
  input: z.object({
    command: z.string().min(1),
    background: z
      .boolean()
      .optional()
      .describe('run it in the background; the result gives its process number and output file'),
    timeout: z.number().positive().max(86_400).optional().describe(`seconds, default ${defaultSeconds}`),
    workdir: z.string().optional().describe('folder for this command only'),
    pty: z.boolean().optional().describe('for programs that draw or ask'),
  }),
  effect: 'executes',
  summarize: ({ command, background }) => `Run ${commandInOneLine(command)}${background ? ' in the background' : ''}`,
  touches: ({ command, workdir }) => ({
    command: workdir === undefined ? command : `cd -- ${quoteForShell(workdir)} && ${command}`,
  }),
  allowKey: ({ command, workdir, background }) => JSON.stringify([command, workdir ?? null, background ?? false]),
  withCommand: (input, command) => ({ ...input, command }),
  async run(
    { command, background = false, timeout = defaultSeconds, workdir, pty = false },
    { environment: { root, terminal: shell }, signal, progress },
  ) {
    const placed = workdir === undefined ? command : inSubshell(command, workdir);
    const result = await shell.run(background ? inBackground(placed) : placed, {
      timeoutMs: timeout * 1000,
      tty: pty,
      ttyArgument: 'pty: true',
      signal,
      onOutput: progress,
    });
    return observedCommand(
      result,
      {
        folder: root,
        openedBy: { reader: 'read_file', searcher: 'search_files' },
        timedOut: `stopped after ${timeout} s without finishing; give a longer timeout, or set background`,
        waiting: 'still running and waiting for input; answer with process and action "submit"',
      },
      { tty: pty },
    );
  },
});
