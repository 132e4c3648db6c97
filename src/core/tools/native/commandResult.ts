import type { CommandResult } from '../../ports/terminal';
import { shownName } from '../../text/shownName';
import { withCommas } from '../../text/withCommas';
import type { ToolResult } from '../../ports/tool';
import { maxLineLength } from './readFile';

/** Wording of a command's end, if it differs from the default. */
interface EndWords {
  /** Folder that is not mentioned because it is the default. */
  readonly folder: string;
  /** Advice for a command that timed out. */
  readonly timedOut: string;
  /** Instruction for answering a command that waits for input. */
  readonly waiting: string;
  /** Names of the tools that read and search a saved output, if they differ. */
  readonly openedBy?: { readonly reader: string; readonly searcher: string };
  /** True if every command gets a new shell anyway. */
  readonly expectsNewShell?: true;
}

const newShellWords =
  'This is a new shell: variables and functions of earlier commands are lost. Programs that they left running, and files in the /tmp of their sandbox, may be gone.';

/**
 * Returns the output of a command, followed by its outcome in brackets. `details.outputCharacters` is the length of the
 * output part.
 */
export function observedCommand(
  result: CommandResult,
  words: EndWords,
  { tty = false }: { readonly tty?: boolean } = {},
): ToolResult {
  const { end, exitCode, output, outputBytes, fullOutput, durationMs, cwd, note, isNewShell } = result;
  const { sandbox, denied, offline } = result;
  const lines = [ending(result, words) + (cwd === words.folder ? '' : ` (folder: ${shownName(cwd)})`)];
  const failed = end !== 'waiting_for_input' && exitCode !== 0;
  if (fullOutput !== undefined && !note?.includes(fullOutput)) {
    const { reader, searcher } = words.openedBy ?? { reader: 'read_file', searcher: 'search_text' };
    const opening = hasLongLine(output)
      ? `${searcher} can find text in it; ${reader} shows only the beginning of lines longer than ${withCommas(maxLineLength)} characters`
      : `${reader} and ${searcher} can open it`;
    lines.push(`The whole output (${withCommas(outputBytes)} bytes): ${fullOutput}; ${opening}.`);
  }
  if (note !== undefined) lines.push(note);
  if (isNewShell && !words.expectsNewShell) lines.push(newShellWords);
  const text = output === '' || output.endsWith('\n') ? output : `${output}\n`;
  return {
    content: `${text}[${lines.join('\n')}]`,
    ...(failed && { failed: true }),
    ...(end === 'timed_out' && { timedOut: true }),
    details: {
      kind: 'command',
      end,
      exitCode,
      durationMs,
      cwd,
      tty,
      outputBytes,
      outputCharacters: output.length,
      ...(fullOutput !== undefined && { fullOutput }),
      ...(sandbox && { sandbox }),
      ...(denied && { denied }),
      ...(offline && { offline }),
    },
  };
}

const hasLongLine = (text: string): boolean => text.split('\n').some((line) => line.length > maxLineLength);

function ending({ end, exitCode }: CommandResult, words: EndWords): string {
  switch (end) {
    case 'exited':
      return `exit code ${exitCode}`;
    case 'timed_out':
      return words.timedOut;
    case 'interrupted':
      return 'stopped while it ran';
    case 'waiting_for_input':
      return words.waiting;
    case 'shell_died':
      return exitCode === null ? 'a signal ended the shell' : `exit code ${exitCode}; the shell exited as well`;
    case 'too_much_output':
      return 'stopped because it printed too much';
    case 'not_run':
      return 'not run';
  }
}

const minNoText = 100;
const noTextShare = 0.15;

/**
 * Leaves out an output from the first line that is no text to the last such character, if there are many of them: they
 * cost a model more than text and tell it nothing.
 */
export function withoutBinary(output: string): string {
  const first = output.indexOf('\uFFFD');
  const count = first === -1 ? 0 : output.split('\uFFFD').length - 1;
  if (count < minNoText || count < output.length * noTextShare) return output;
  const start = output.lastIndexOf('\n', first) + 1;
  const end = output.lastIndexOf('\uFFFD') + 1;
  const left = `[… ${withCommas(end - start)} characters left out, because this is not UTF-8 text …]`;
  return output.slice(0, start) + left + output.slice(end);
}

/** Formats a command on one line, for people. */
export function commandInOneLine(command: string): string {
  const [first = '', ...more] = command.trim().split('\n');
  return more.length ? `${first} … (${more.length + 1} lines)` : first;
}
