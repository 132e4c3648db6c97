import { Command } from 'commander';
import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { roomForOpenFiles } from '../core/text/errorMessage';
import { printToStderr, sendConsole } from './output/escapeForTerminal';
import { endLine, stderr, stdout, stdoutUnread } from './output/output';
import { withHyphens } from './run/designOptions';
import { NoRoom, needRoomToStart } from './run/roomToStart';
import { addRunCommand } from './runCommand';

// Without a listener, SIGUSR1 makes Node.js open a port through which anybody on this machine can run code in this
// process.
if (process.platform !== 'win32') process.on('SIGUSR1', () => undefined);

sendConsole(printToStderr);

/** Runs the command line of `waymark`. */
export async function main(): Promise<void> {
  const typed = withHyphens(process.argv);
  const program = newProgram();
  addRunCommand(program);
  // Anything else needs all commands to be registered, including unknown words.
  if (typed[2] !== 'run') await addFurtherCommands(program);
  // Not needed for help and the version.
  program.hook('preAction', () => {
    needRoomToStart();
    needHomeFolder();
    refuseInvalidArguments();
  });
  await program.parseAsync(typed).catch(tellFailure);
  endWhenWritten();
}

/**
 * Replaces an empty or relative HOME by the home folder of the account, as `os.homedir()` does if there is none. With such a
 * HOME, Waymark would store its data in the current folder, and commands in the sandbox could read `~/.ssh`.
 */
function needHomeFolder(): void {
  if (process.platform === 'win32' || path.isAbsolute(process.env['HOME'] ?? '')) return;
  delete process.env['HOME'];
  try {
    process.env['HOME'] = os.homedir();
  } catch {
    throw new Error(
      'Your account has no home folder. Set HOME to the absolute path of a folder of yours, and try again.',
    );
  }
}

/**
 * Refuses words that are not UTF-8: Node.js replaces their bytes by U+FFFD, which would name another file or change the
 * task. Where the bytes cannot be read, only warns.
 */
function refuseInvalidArguments(): void {
  const replaced = process.argv.findIndex((word, at) => at > 1 && word.includes('\ufffd'));
  if (replaced < 0) return;
  const next =
    'Use a terminal with UTF-8, or convert the text. A task in UTF-16 or Latin-1 can be read from a file: waymark run - < FILE';
  const bytes = readFileIfAllowed('/proc/self/cmdline');
  if (bytes === undefined)
    return stderr.write(
      `Word ${replaced - 1} of the command contains U+FFFD, which replaces bytes that are not UTF-8. ${next}\n`,
    );
  const words = bytes
    .toString('latin1')
    .split('\0')
    .slice(0, -1)
    .slice(2 - process.argv.length);
  const invalid = words.findIndex((word) => !isUtf8(Buffer.from(word, 'latin1')));
  if (invalid < 0) return;
  const word = process.argv[invalid + 2]!;
  const at = word.indexOf('\ufffd');
  const part = JSON.stringify(word.slice(Math.max(0, at - 20), at + 20));
  throw new Error(`Word ${invalid + 1} of the command is not UTF-8, at ${part}. Nothing was done. ${next}`);
}

function readFileIfAllowed(file: string): Buffer | undefined {
  try {
    return fs.readFileSync(file);
  } catch {
    return undefined;
  }
}

function newProgram(): Command {
  return new Command('waymark')
    .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
    .version(process.env.WAYMARK_VERSION ?? 'unbuilt', '-v, --version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand('help [command]', 'Show the help of a command')
    .commandsGroup('Other:')
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .description('A coding agent whose every step can be seen and approved.')
    .showHelpAfterError('Run "waymark --help" for all commands.')
    .addHelpText('after', '\nRun "waymark COMMAND --help" for the options of a command.');
}

async function addFurtherCommands(program: Command): Promise<void> {
  const [{ addOtherCommands }, { addBatchCommands }] = await Promise.all([
    import('./commands/otherCommands'),
    import('./batch/options'),
  ]);
  addOtherCommands(program);
  addBatchCommands(program);
}

/**
 * Prints why the command failed. If a part of the program cannot be loaded, this reports it without loading another
 * part.
 */
async function tellFailure(error: Error): Promise<void> {
  process.exitCode = 1;
  endLine();
  const why = error instanceof NoRoom ? error.message : (whyFolderIsGone(error) ?? whyNotLoaded(error));
  if (why !== undefined) return stderr.write(`${why}\n`);
  try {
    const [{ secrets }, { ConsentNeeded }] = await Promise.all([
      import('../core/secrets/secrets'),
      import('./consent/ask'),
    ]);
    if (error instanceof ConsentNeeded) process.exitCode = 3;
    stderr.write(`${secrets.mask(error.message)}\n`);
  } catch (another) {
    stderr.write(`${whyNotLoaded(another as Error) ?? (another as Error).message}\n`);
  }
}

/** Returns why the current folder cannot be used, and what to do; undefined for other errors. */
function whyFolderIsGone(error: Error): string | undefined {
  if ((error as NodeJS.ErrnoException).syscall !== 'uv_cwd') return undefined;
  return 'The current folder was deleted or cannot be opened. Change to another folder, and try again.';
}

/** The folder of the build output, which this module is part of. */
const ownFolder = path.dirname(fileURLToPath(import.meta.url));

/** Returns why a part of Waymark could not be loaded, and what to do; undefined for other errors. */
function whyNotLoaded(error: Error): string | undefined {
  const { code, path: file = '' } = error as NodeJS.ErrnoException;
  // Some errors of Node.js have only the message of the system and no code.
  if (code === 'EMFILE' || code === 'ENFILE' || /Too many open files/.test(error.message))
    return `Too many files are open (${code ?? 'EMFILE'}), so Waymark could not load or read everything it needs. ${roomForOpenFiles(code)}, and try again.`;
  // The stack shows whether a module was being loaded. Syntax errors in text of the user do not count.
  const isCutOff = error instanceof SyntaxError && /\bnode:internal\/modules\/esm\//.test(error.stack ?? '');
  const isOwnPart = file.startsWith(ownFolder) || code === 'ERR_MODULE_NOT_FOUND' || isCutOff;
  if (!isOwnPart) return undefined;
  return `A part of Waymark could not be loaded (${error.message.split('\n')[0]}). Install Waymark again, and try again.`;
}

/** Interval in ms between checks whether a slow reader has read everything. */
const pollMs = 50;

/**
 * Ends the program when all output is written. Open handles of a command do not delay the end: the command itself
 * waited for everything that had to finish.
 */
function endWhenWritten(): void {
  const end = (): void => {
    if (stdout.pending || stderr.pending) return void setTimeout(end, pollMs);
    const unread = stdoutUnread();
    if (unread && !unread.readerLeft) {
      stderr.write(`${unread.words}\n`);
      process.exitCode ||= unread.exitCode;
    }
    process.exit();
  };
  // Node.js reports a closed pipe after the write.
  setImmediate(end);
}
