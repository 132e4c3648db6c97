import { explainMiss } from '../files/closestMatch';
import { placesOf } from '../files/replacements';
import { firstRun, runs } from '../matching/firstRun';
import { patchError } from './patchSection';

/** A hunk of a unified diff with corrected line counts. `placed` is false if the header gave no line number. */
export interface UnifiedHunk {
  readonly header: string;
  readonly lines: readonly string[];
  readonly placed: boolean;
  /** Lines of the file that precede a hunk without a line number, in order. */
  readonly below?: readonly string[];
}

/**
 * Returns the text of a file after all hunks of a unified diff. Lines must match exactly; only their position may
 * differ.
 */
export async function applyUnifiedHunks(hunks: readonly UnifiedHunk[], text: string, path: string): Promise<string> {
  const { applyPatch: apply } = await import('diff');
  let result = text;
  let moved = 0;
  for (const [index, { header, lines, placed, below }] of hunks.entries()) {
    const which = hunks.length > 1 ? `Hunk ${index + 1} of ${hunks.length} for ${path}` : `The hunk for ${path}`;
    const old = lines
      .filter((line) => /^[ -]/.test(line))
      .map((line) => line.slice(1))
      .join('\n');
    if (old === '' && result !== '') {
      throw patchError(`${which} has no line of the file in it, so its place is unknown.`, 'Add the lines around it.');
    }
    const named = placed || below === undefined ? undefined : lineBelow(result, old, below);
    if (!placed && named === undefined && placesOf(result, old, 2).length > 1) {
      throw patchError(
        `${which} has no line number and fits in several places.`,
        'Write "@@ -line,count +line,count @@".',
      );
    }
    const wantedLine = Math.max(1, Number(/\d+/.exec(header)?.[0] ?? 1) + moved);
    const there = old === '' ? 0 : (named ?? nearestLine(result, old, wantedLine));
    const shifted = header.replace(/\d+/, String(there));
    // The package tries every line in turn, which is too slow in a long file.
    const next = there !== undefined && apply(result, `--- a\n+++ b\n${shifted}\n${lines.join('\n')}\n`);
    if (next === false) {
      throw patchError(
        `${which} does not fit.`,
        `${(await explainMiss(result, old)).replaceAll('old_text', 'Its text')}`,
      );
    }
    moved += lines.filter((line) => line.startsWith('+')).length - lines.filter((line) => line.startsWith('-')).length;
    result = next;
  }
  return result;
}

/** Line (from 1) of the first occurrence of `part` after the given lines, which follow each other in the file. */
function lineBelow(text: string, part: string, below: readonly string[]): number | undefined {
  const lines = text.split('\n');
  let at = 0;
  for (const name of below) {
    const found = lines.findIndex((line, index) => index >= at && line.trim() === name);
    if (found === -1) return undefined;
    at = found + 1;
  }
  const found = firstRun(lines, part.split('\n'), at);
  return found === -1 ? undefined : found + 1;
}

/** Line (from 1) of the occurrence of `part` nearest to a line, or undefined. */
function nearestLine(text: string, part: string, wanted: number): number | undefined {
  let nearest: number | undefined;
  for (const index of runs(text.split('\n'), part.split('\n'))) {
    const line = index + 1;
    if (nearest === undefined || Math.abs(line - wanted) <= Math.abs(nearest - wanted)) nearest = line;
  }
  return nearest;
}
