import * as z from 'zod';
import type { CommandResult } from './environment';
import { defineTool, type ToolResult } from './tool';

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
  summarize: ({ command, input }) => (input === undefined ? `Run ${oneLine(command ?? '')}` : `Type ${JSON.stringify(input)} into the running command`),
  touches: ({ command, input }) => ({ command: input ?? command ?? '' }),
  allowKey: ({ command, input }) => (input === undefined ? command : undefined),
  async run({ command = '', timeout = defaultSeconds, tty = false, input }, { environment: { root, terminal }, signal, progress }) {
    const options = { timeoutMs: timeout * 1000, tty, signal, onOutput: progress };
    const result = input === undefined ? await terminal.run(command, options) : await terminal.answer(input, options);
    return observed(result, root, timeout, tty);
  },
});

function observed(result: CommandResult, root: string, timeout: number, tty: boolean): ToolResult {
  const { end, exitCode, output, outputBytes, fullOutput, durationMs, cwd, note } = result;
  const lines = [ending(result, timeout) + (cwd === root ? '' : ` (folder: ${cwd})`)];
  if (fullOutput !== undefined) lines.push(`The whole output (${outputBytes} bytes) can be read with read_file: ${fullOutput}`);
  if (note !== undefined) lines.push(note);
  const text = output === '' || output.endsWith('\n') ? output : `${output}\n`;
  return {
    content: `${text}[${lines.join('\n')}]`,
    ...((end === 'exited' ? exitCode !== 0 : end !== 'waiting_for_input') && { failed: true }),
    ...(end === 'timed_out' && { timedOut: true }),
    details: { kind: 'command', end, exitCode, durationMs, cwd, tty, outputBytes, ...(fullOutput !== undefined && { fullOutput }) },
  };
}

function ending({ end, exitCode }: CommandResult, timeout: number): string {
  switch (end) {
    case 'exited': return `exit code ${exitCode}`;
    case 'timed_out': return `ended after ${timeout} s without finishing; give a longer timeout, or start it in the background`;
    case 'interrupted': return 'stopped while it ran';
    case 'waiting_for_input': return 'still running and waiting for input; answer with run_command and input';
    case 'shell_died': return 'the shell ended';
    case 'too_much_output': return 'stopped because it printed too much';
  }
}

function oneLine(command: string): string {
  const [first = '', ...more] = command.trim().split('\n');
  return more.length ? `${first} … (${more.length + 1} lines)` : first;
}
