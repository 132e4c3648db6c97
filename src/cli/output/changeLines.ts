import { secrets } from '../../core/secrets/secrets';
import type { FileChange, Hunk } from '../../protocol/events/details';
import type { Paint } from './paint';

/**
 * Formats changes of files for people at a terminal: for each file its name and the number of its lines, then the changed
 * lines with their numbers and the lines around them.
 */
export const changeLines = (changes: readonly FileChange[], paint: Paint): string[] =>
  changes.flatMap((change) => [paint('bold', fileWords(change)), ...linesOf(change, paint)]);

/**
 * Shows at most this many lines of the changes, and then how many follow. The name of the only file is left out: the
 * action says it.
 */
export function firstChangeLines(changes: readonly FileChange[], paint: Paint, most: number): string[] {
  const lines = changes.length === 1 ? linesOf(changes[0]!, paint) : changeLines(changes, paint);
  // One line more takes no more space than saying that it is left out.
  if (lines.length <= most + 1) return lines;
  return [...lines.slice(0, most), paint('dim', `… ${lines.length - most} more lines`)];
}

/** Nothing for a change without lines, as of line endings. */
const linesOf = ({ hunks }: FileChange, paint: Paint): string[] =>
  hunks.flatMap((hunk, index) => [...(index > 0 ? [paint('dim', '    …')] : []), ...hunkLines(hunk, paint)]);

/** How the change of a file that is not only modified is named. */
const kindWords = { created: ' (new)', modified: '', deleted: ' (deleted)' } as const;

function fileWords({ path, from, kind, added, removed }: FileChange): string {
  const name = from === undefined ? `${path}${kindWords[kind]}` : `${from} → ${path}`;
  return `${name}  +${added} −${removed}`;
}

/** Columns for the number of a line. */
const numberWidth = 5;
const styles = { '+': 'green', '-': 'red' } as const;

/** Added and kept lines have their number after the change, removed lines the number before. */
function hunkLines({ oldStart, newStart, lines }: Hunk, paint: Paint): string[] {
  let [inOld, inNew] = [oldStart, newStart];
  return lines.map((line) => {
    const marker = line[0]!;
    const number = marker === '-' ? inOld : inNew;
    if (marker !== '+') inOld++;
    if (marker !== '-') inNew++;
    const text = `${String(number).padStart(numberWidth)} ${marker} ${secrets.mask(line.slice(1))}`;
    return paint(marker === '+' || marker === '-' ? styles[marker] : 'dim', text);
  });
}
