import * as z from 'zod';
import { commandInOneLine, observedCommand } from '../native/commandResult';
import type { CommandOptions, CommandResult, Terminal } from '../../ports/terminal';
import { quoteForShell } from '../../text/shellText';
import { defineTool } from '../defineTool';

const defaultSeconds = 120;

const Input = z
  .object({
    command: z.string().describe('empty: keep watching the running command'),
    is_input: z.boolean().optional().describe('command is typed into what runs; C-c, C-d and C-z are keys'),
    timeout: z.number().positive().max(86_400).optional().describe(`seconds, default ${defaultSeconds}`),
    reset: z.boolean().optional().describe('start a new shell'),
  })
  .refine(
    ({ is_input: isInput, reset }) => !(isInput && reset),
    'A new shell has nothing to type into: give is_input or reset.',
  );
type Input = z.output<typeof Input>;

export const terminalWithInput = defineTool({
  name: 'terminal',
  description:
    'Run a command in a persistent shell (working directory and variables are kept), or type into one that waits for input.',
  input: Input,
  effect: 'executes',
  summarize({ command, is_input: isInput, reset }) {
    if (isInput) return `Type ${JSON.stringify(command)} into the running command`;
    if (command.trim()) return `Run ${commandInOneLine(command)}${reset ? ' in a new shell' : ''}`;
    return reset ? 'Start a new shell' : 'Look at the running command';
  },
  touches: (input) => ({ command: commandIn(input), ...(input.is_input && { types: true }) }),
  allowKey: ({ command, is_input: isInput, reset }) => (isInput || reset || !command.trim() ? undefined : command),
  withCommand: (input, command) => (input.is_input || !input.command.trim() ? undefined : { ...input, command }),
  async run(input, { environment: { root, terminal: shell }, signal, progress }) {
    const { timeout = defaultSeconds } = input;
    const result = await perform(input, shell, root, {
      timeoutMs: timeout * 1000,
      tty: false,
      signal,
      onOutput: progress,
    });
    return observedCommand(result, {
      folder: root,
      openedBy: { reader: 'file_editor', searcher: 'grep' },
      timedOut: `stopped after ${timeout} s without finishing; give a longer timeout, or start it in the background`,
      waiting: 'still running and waiting for input; answer with is_input',
    });
  },
});

/** Returns the shell command of a call. Pressed keys and status checks are no-ops (`:`). */
function commandIn({ command, is_input: isInput, reset }: Input): string {
  if (isInput && keys[command.trim()]) return ':';
  if (command.trim()) return command;
  return reset ? 'exit' : ':';
}

async function perform(
  { command, is_input: isInput, reset }: Input,
  shell: Terminal,
  root: string,
  options: CommandOptions,
): Promise<CommandResult> {
  if (isInput) return shell.answer(keys[command.trim()] ?? `${command}\n`, options);
  if (!reset) return command.trim() ? shell.run(command, options) : shell.answer('', options);
  await shell.run('exit', { ...options, forgets: true });
  // The command was judged for the folder of the old shell and stays there.
  if (command.trim()) return shell.run(command, options);
  const begun = await shell.run(`cd -- ${quoteForShell(root)}`, options);
  return { ...begun, note: 'This is a new shell; variables and functions are lost.' };
}

const keys: Record<string, string> = { 'C-c': '\x03', 'C-d': '\x04', 'C-z': '\x1a' };
