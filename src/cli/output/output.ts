import fs from 'node:fs';
import tty from 'node:tty';
import { stripVTControlCharacters, styleText } from 'node:util';

/**
 * An output stream of the command line. All writes go through here, because the reader can go away at any moment: a
 * pipe is closed (`| head`), a terminal hangs up, the disk behind `> file` is full. None of that ends the program with
 * a stack trace.
 *
 * - If stdout has no reader, the command ends. A command with state (a run, a replay) first ends cleanly.
 * - If stderr has no reader, the command continues silently; a run has its log.
 */
export interface Printer {
  /** True if the output goes to a terminal. */
  readonly isTTY: boolean;
  /** True if some output was not read yet. */
  readonly pending: boolean;
  /** Dropped if there is no reader. */
  write(text: string): void;
  /** Resolves when the reader has taken most of the output, or is gone. */
  drained(): Promise<void>;
}

/** Why stdout accepts no more output. */
interface Unread {
  /** What happened, as a sentence for people. */
  readonly words: string;
  /** The exit code of a command without state. */
  readonly exitCode: number;
  /** True if the reader went away; false if output could not be written, so that somebody may miss it. */
  readonly readerLeft: boolean;
}

/** The exit code that a shell reports for a program whose reader went away: 128 plus the number of SIGPIPE. */
const brokenPipe = 128 + 13;

let unread: Unread | undefined;
const stops: ((unread: Unread) => void)[] = [];

/** Returns why stdout has no reader, or undefined if it may have one. */
export const stdoutUnread = (): Unread | undefined => unread;

/**
 * If stdout loses its reader, calls `stop` to end the command cleanly, instead of exiting at once. Calls it immediately
 * if there is no reader already.
 */
export function stopsWhenUnread(stop: (unread: Unread) => void): void {
  stops.push(stop);
  if (unread) stop(unread);
}

export const stdout: Printer = printerFor(
  1,
  () => process.stdout,
  (error) => {
    unread = unreadBecause(error);
    if (stops.length === 0) return endAtOnce(unread);
    for (const stop of stops) stop(unread);
  },
);

export const stderr: Printer = printerFor(
  2,
  () => process.stderr,
  () => undefined,
);

/** True while a passing line is the last one on the terminal. */
let passing = false;
/** True if the last text on stdout did not end its line, such as a reply that is still being written. */
let isInLine = false;
/** Number of open questions, below which no passing line may appear. */
let asking = 0;

/** Shows a line on the terminal that the next output replaces. Nothing if stdout is no terminal that can erase a line. */
export function showPassing(line: string): void {
  if (asking > 0 || !stdout.isTTY || process.env['TERM'] === 'dumb') return;
  erasePassing();
  // A line that wraps could not be erased.
  stdout.write(styleText('dim', line.slice(0, (process.stdout.columns || 80) - 1)));
  passing = true;
}

/** Erases the passing line, if one is shown. */
export function erasePassing(): void {
  if (!passing) return;
  passing = false;
  stdout.write('\r\u001B[2K');
  isInLine = false;
}

/** Ends the last line of stdout, before an error. */
export function endLine(): void {
  if (isInLine) stdout.write('\n');
}

/** Characters at the end of a text that show whether it ends its line. */
const maxEnding = 200;

function noteLine(text: string): void {
  const ending = stripVTControlCharacters(text.slice(-maxEnding));
  if (ending !== '') isInLine = !ending.endsWith('\n');
}

/** Returns a text for stderr so that it begins on a line of its own, if stdout goes to the same place. */
function onOwnLine(text: string): string {
  if (!isInLine || !isSameOutput()) return text;
  isInLine = false;
  return /^[\r\n]/.test(text) ? text : `\n${text}`;
}

function isSameOutput(): boolean {
  try {
    const [out, errors] = [fs.fstatSync(1), fs.fstatSync(2)];
    return out.dev === errors.dev && out.ino === errors.ino && out.rdev === errors.rdev;
  } catch {
    return false;
  }
}

/** Shows no passing line while a question is open, which is printed past this module. */
export async function withoutPassing<T>(question: () => Promise<T>): Promise<T> {
  erasePassing();
  asking++;
  try {
    return await question();
  } finally {
    asking--;
  }
}

/**
 * Prints to a file descriptor. Files (including /dev/null and /dev/full) are written here and not by a stream of
 * Node.js, which counts a line as printed even if a full disk accepted only its beginning.
 */
function printerFor(
  descriptor: number,
  open: () => NodeJS.WriteStream,
  onGone: (error: NodeJS.ErrnoException) => void,
): Printer {
  const toFile = isFile(descriptor);
  let gone = false;
  const failed = (error: NodeJS.ErrnoException): void => {
    if (gone) return;
    gone = true;
    onGone(error);
  };
  let opened: NodeJS.WriteStream | undefined;
  const stream = (): NodeJS.WriteStream => (opened ??= open().on('error', failed));
  // Opened early, since a closed terminal cannot be opened later. A pipe takes Node.js some milliseconds, often for
  // nothing.
  if (tty.isatty(descriptor)) stream();
  return {
    get isTTY() {
      return !toFile && stream().isTTY === true;
    },
    get pending() {
      return !gone && opened !== undefined && opened.writableLength > 0;
    },
    write(text) {
      if (gone || text === '') return;
      erasePassing();
      const shown = descriptor === 2 ? onOwnLine(text) : text;
      if (descriptor === 1) noteLine(text);
      try {
        if (toFile) writeFully(descriptor, shown);
        else stream().write(shown);
      } catch (error) {
        failed(error as NodeJS.ErrnoException);
      }
    },
    async drained() {
      if (gone || !opened?.writableNeedDrain) return;
      const waited = opened;
      await new Promise<void>((resolve) => {
        waited.once('drain', resolve);
        waited.once('error', () => resolve());
      });
    },
  };
}

function isFile(descriptor: number): boolean {
  try {
    const stat = fs.fstatSync(descriptor);
    return stat.isFile() || (stat.isCharacterDevice() && !tty.isatty(descriptor));
  } catch {
    return true;
  }
}

function writeFully(descriptor: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(fs.writeSync(descriptor, rest));
}

function unreadBecause({ code = 'an unknown error' }: NodeJS.ErrnoException): Unread {
  if (code === 'EPIPE' || code === 'ECONNRESET')
    return { words: 'Nobody reads the output any more.', exitCode: brokenPipe, readerLeft: true };
  if (code === 'EIO') return { words: 'The terminal was closed.', exitCode: brokenPipe, readerLeft: true };
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return { words: 'The disk is full: the output cannot be written.', exitCode: 1, readerLeft: false };
  return { words: `The output cannot be written (${code}).`, exitCode: 1, readerLeft: false };
}

function endAtOnce({ words, exitCode, readerLeft }: Unread): void {
  if (!readerLeft) stderr.write(`${words}\n`);
  process.exit(exitCode);
}

/** The descriptors among stdin, stdout and stderr that were terminals at the start. */
const terminals = [0, 1, 2].filter((descriptor) => tty.isatty(descriptor));

// Node 20 restores the modes of its terminals at exit, and aborts with a native stack trace if one has hung up. It
// skips closed descriptors.
process.on('exit', () => {
  for (const descriptor of terminals) if (!tty.isatty(descriptor)) fs.closeSync(descriptor);
});
