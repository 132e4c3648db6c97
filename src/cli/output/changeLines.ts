import { opensPrivateKey, secrets } from '../../core/secrets/secrets';
import { MASK } from '../../core/secrets/secretShapes';
import { shownName } from '../../core/text/shownName';
import type { FileChange, Hunk } from '../../protocol/events/details';
import type { Paint } from './paint';

/**
 * Formats changes of files for the person who approves them: for each file its name and the number of its lines, then the
 * changed lines with their numbers and the lines around them. Added lines are exact, except for known secrets.
 */
export const changeLines = (changes: readonly FileChange[], paint: Paint): string[] =>
  linesOfFiles(changes, paint, (lines) => {
    const masked = maskedLines(lines);
    return lines.map((line, index) => (line.startsWith('+') ? secrets.maskKnown(line.slice(1)) : masked[index]!));
  });

/**
 * Formats the first `most` lines of changes that were made, then the number of other lines. Omits the name of a single
 * file, which the action already shows.
 */
export function firstChangeLines(changes: readonly FileChange[], paint: Paint, most: number): string[] {
  const shown = (lines: readonly string[]): string[] => maskedLines(lines).map(shortened);
  const lines = changes.length === 1 ? linesOf(changes[0]!, paint, shown) : linesOfFiles(changes, paint, shown);
  const leftOut = changes.reduce((sum, change) => sum + linesLeftOut(change), 0);
  // One line more takes no more space than saying that it is left out.
  if (leftOut === 0 && lines.length <= most + 1) return lines;
  const first = lines.slice(0, most);
  return [...first, paint('dim', `… ${lines.length - first.length + leftOut} more lines`)];
}

/** Returns the number of changed lines that are missing in the hunks, whose length is limited. */
export function linesLeftOut({ added, removed, hunks }: FileChange): number {
  const shown = hunks.flatMap(({ lines }) => lines).filter((line) => !line.startsWith(' '));
  return Math.max(0, added + removed - shown.length);
}

/** Maximum length of a line of a change that was made, in characters. */
const mostCharacters = 200;

const shortened = (line: string): string =>
  line.length <= mostCharacters ? line : `${[...line.slice(0, 2 * mostCharacters)].slice(0, mostCharacters).join('')}…`;

const keyHeader = /^(?:[\w-]{1,40}:.*)?$/;
const keyBody = /^[A-Za-z0-9+/]{20,}={0,2}$/;

/**
 * Returns the lines of a hunk without their markers and secrets, among them private keys, which are recognized by their
 * first line.
 */
function maskedLines(lines: readonly string[]): string[] {
  let isInKey = false;
  return lines.map((line) => {
    const text = line.slice(1);
    const isBody = isInKey && keyBody.test(text);
    isInKey = opensPrivateKey(text) || isBody || (isInKey && keyHeader.test(text));
    return isBody ? MASK : secrets.mask(text);
  });
}

/** Returns the lines of a hunk as they are shown, without their markers. */
type ShownLines = (lines: readonly string[]) => readonly string[];

const linesOfFiles = (changes: readonly FileChange[], paint: Paint, shown: ShownLines): string[] =>
  changes.flatMap((change) => [paint('bold', fileWords(change)), ...linesOf(change, paint, shown)]);

/** Returns nothing for a change that changed no lines, only line endings. */
const linesOf = ({ hunks }: FileChange, paint: Paint, shown: ShownLines): string[] =>
  hunks.flatMap((hunk, index) => [...(index > 0 ? [paint('dim', '    …')] : []), ...hunkLines(hunk, paint, shown)]);

/** Words after a file's name for what happened to it. */
const kindWords = { created: ' (new)', modified: '', deleted: ' (deleted)' } as const;

function fileWords({ path, from, kind, added, removed }: FileChange): string {
  const shownPath = shownName(path);
  const name = from === undefined ? `${shownPath}${kindWords[kind]}` : `${shownName(from)} → ${shownPath}`;
  return `${name}  +${added} −${removed}`;
}

/** Columns for the number of a line. */
const numberWidth = 5;
const styles = { '+': 'green', '-': 'red' } as const;

/** Added and kept lines have their number after the change, removed lines the number before. */
function hunkLines({ oldStart, newStart, lines }: Hunk, paint: Paint, shown: ShownLines): string[] {
  let [inOld, inNew] = [oldStart, newStart];
  return shown(lines).map((line, index) => {
    const marker = lines[index]![0]!;
    const number = marker === '-' ? inOld : inNew;
    if (marker !== '+') inOld++;
    if (marker !== '-') inNew++;
    const text = `${String(number).padStart(numberWidth)} ${marker} ${line}`;
    return paint(marker === '+' || marker === '-' ? styles[marker] : 'dim', text);
  });
}
