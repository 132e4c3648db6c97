import * as z from 'zod';
import { observedCommand } from '../native/commandResult';
import { defineTool } from '../defineTool';

const defaultSeconds = 60;

const Input = z
  .object({
    action: z.enum(['list', 'poll', 'wait', 'kill', 'write', 'submit']),
    pid: z.int().positive().optional().describe('process number of the background command, for poll, wait, kill'),
    data: z.string().optional().describe('to type; submit adds the Enter key'),
    timeout: z.number().positive().max(86_400).optional().describe(`seconds, default ${defaultSeconds}`),
  })
  .refine(({ action, pid }) => pid !== undefined || !['poll', 'kill'].includes(action), 'Give the pid.')
  .refine(({ action, data }) => data !== undefined || !['write', 'submit'].includes(action), 'Give data to type.');

/**
 * Manages background commands by number, and the command that waits for input: without `pid`, `wait` keeps watching it.
 */
export const process = defineTool({
  name: 'process',
  description:
    'Manage background commands: list, poll, wait, kill; or type into one that waits for input: write, submit. Their output is in the file named at the start.',
  input: Input,
  effect: 'executes',
  summarize({ action, pid, data }) {
    if (data !== undefined) return `Type ${JSON.stringify(data)} into the running command`;
    return pid === undefined ? `Processes: ${action}` : `Process ${pid}: ${action}`;
  },
  touches(input) {
    const command = asCommand(input);
    return command === undefined ? { command: typed(input), types: true } : { command };
  },
  async run(input, { environment: { root, terminal }, signal, progress }) {
    const { timeout = defaultSeconds } = input;
    const command = asCommand(input);
    const options = { timeoutMs: timeout * 1000, tty: false, signal, onOutput: progress };
    const result =
      command === undefined ? await terminal.answer(typed(input), options) : await terminal.run(command, options);
    return observedCommand(result, {
      folder: root,
      openedBy: { reader: 'read_file', searcher: 'search_files' },
      timedOut: `still running after ${timeout} s`,
      waiting: 'still running and waiting for input; answer with process and action "submit"',
    });
  },
});

/** Returns undefined if the action types input. */
function asCommand({ action, pid }: z.output<typeof Input>): string | undefined {
  switch (action) {
    case 'list':
      return 'jobs -l';
    case 'poll':
      return `kill -0 ${pid} 2>/dev/null && echo running || echo over`;
    case 'kill':
      return `kill ${pid}`;
    case 'wait':
      return pid === undefined ? undefined : `wait ${pid}`;
    case 'write':
    case 'submit':
      return undefined;
  }
}

const typed = ({ action, data = '' }: z.output<typeof Input>): string => (action === 'submit' ? `${data}\n` : data);
