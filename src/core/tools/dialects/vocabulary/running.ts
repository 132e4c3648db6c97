import { runCommand } from '../../native/runCommand';
import { quoteForShell } from '../../../text/shellText';
import type { CallArguments } from '../callArguments';
import type { Vocabulary } from './vocabulary';
import { withoutUndefined } from '../../../text/withoutUndefined';

/** The shell, with the names that agents use. */

/** Tools whose `timeout` is in milliseconds. A value below one second is interpreted as seconds for every tool. */
const inMilliseconds: ReadonlySet<string> = new Set([
  'Bash',
  'bash',
  'shell',
  'run_shell_command',
  'run_in_terminal',
  'shell_command',
  'exec_command',
  'local_shell',
  'container.exec',
]);
const minMilliseconds = 1000;

/** Names that agents use for the working directory of a command. */
export const folderNames = ['workdir', 'cwd', 'working_directory', 'directory', 'dir_path', 'dir'];

export const running: Vocabulary = {
  tool: runCommand,
  names: [
    'bash',
    'shell',
    'shell_command',
    'exec_command',
    'execute_command',
    'execute_bash',
    'run_shell_command',
    'run_terminal_cmd',
    'run_terminal_command',
    'run_in_terminal',
    'run_bash_command',
    'terminal',
    'local_shell',
    'container.exec',
    'exec',
    'write_stdin',
  ],
  read(args) {
    const line = commandLine(args.take('command', 'cmd', 'script'), args);
    const isInput = args.flag('is_input') === true;
    const typed = args.text('input', 'stdin', 'chars');
    const folder = args.text(...folderNames);
    const background = args.flag('background', 'is_background', 'run_in_background') === true;
    args.ignore(
      'login',
      'yield_time_ms',
      'max_output_tokens',
      'session_id',
      'goal',
      'sandbox_permissions',
      'prefix_rule',
      'with_escalated_permissions',
    );
    args.cannot('the shell is always kept', 'restart', 'reset');
    refuseOtherShells(args);
    const timing = withoutUndefined({ timeout: secondsOf(args), tty: args.flag('tty', 'pty', 'interactive') });
    if (isInput) {
      if (typed !== undefined || folder !== undefined || background)
        args.refuse('is_input types command into the running program, so it takes no other arguments');
      return withoutUndefined({ input: line, ...timing });
    }
    return withoutUndefined({ command: placed(line, folder, background, args), ...timing, input: typed });
  },
};

function secondsOf(args: CallArguments): unknown {
  const milliseconds = args.number('timeout_ms');
  if (typeof milliseconds === 'number') return milliseconds / 1000;
  const written = args.number('timeout', 'timeout_seconds', 'timeout_secs');
  const counts = typeof written === 'number' && written >= minMilliseconds && inMilliseconds.has(args.called);
  return counts ? written / 1000 : written;
}

/**
 * Converts an argument list, as programs receive it, to a command line: the script of `bash -lc`, or the words, quoted
 * if necessary.
 */
function commandLine(command: unknown, args: CallArguments): unknown {
  if (!Array.isArray(command)) return command;
  if (!command.every((word) => typeof word === 'string')) {
    args.refuse('command must be a list of strings');
    return undefined;
  }
  const [program = '', flags = '', script] = command;
  if (
    command.length === 3 &&
    script !== undefined &&
    /(?:^|\/)(?:bash|zsh|sh)$/.test(program) &&
    /^-[a-z]*c$/.test(flags)
  )
    return script;
  return command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoteForShell(word))).join(' ');
}

/** Wraps the command so that it runs in its working directory or in the background. */
function placed(line: unknown, folder: unknown, background: boolean, args: CallArguments): unknown {
  if (typeof line !== 'string' || line.trim() === '') return line;
  if (folder !== undefined && typeof folder !== 'string') args.refuse('the folder of a command must be a string');
  const there = typeof folder === 'string' && folder !== '' && folder !== '.' ? inFolder(line, folder) : line;
  return background ? `(\n${there}\n) &` : there;
}

/**
 * Written out instead of passed to `eval`, so that the command analyzer can read it. The separate line ends comments
 * and here-documents.
 */
const inFolder = (command: string, folder: string): string => `( cd -- ${quoteForShell(folder)} && {\n${command}\n} )`;

/** Codex names the shell that runs the command. */
function refuseOtherShells(args: CallArguments): void {
  const shell = args.take('shell');
  if (typeof shell === 'string' && !/(?:^|\/)(?:bash|zsh|sh)$/.test(shell))
    args.refuse(`shell ${JSON.stringify(shell)} cannot be used here: write it into the command`);
}
