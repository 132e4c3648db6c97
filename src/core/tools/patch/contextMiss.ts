import { explainMiss } from '../files/closestMatch';
import { numberedLines } from '../../text/numberedLines';
import { quoteLine } from './contextPatch';
import { tolerances, type FoldedLines } from './seekLines';

const maxPlacesTried = 50;
const maxLinesShown = 14;
/** Index of the most tolerant likeness. */
const loosest = tolerances.length - 1;

/**
 * Explains why the lines of a hunk are not in a file: the first that differs, the file's text there, and what to do.
 */
export async function explainContextMiss(
  file: FoldedLines,
  wanted: readonly string[],
  missingHeader: string | undefined,
): Promise<string> {
  const why = await explainLines(file, wanted);
  return missingHeader === undefined ? why : `${quoteLine(missingHeader)} after "@@" is not a line of the file. ${why}`;
}

function explainLines(file: FoldedLines, wanted: readonly string[]): string | Promise<string> {
  const { at, fitting } = longestFit(file, wanted);
  if (fitting === 0) return explainFirstLine(file, wanted);
  if (fitting === wanted.length) {
    const below = at + 1 + blanksAbove(wanted);
    return `It begins with an empty line that the file does not have above line ${below}. Remove that line.`;
  }
  const line = at + fitting;
  const sought = quoteLine(wanted[fitting]!);
  const difference =
    line < file.lines.length
      ? `Line ${line + 1} of the file is ${quoteLine(file.lines[line]!)}; the hunk has ${sought} there.`
      : `The file ends after line ${line}; the hunk continues with ${sought}.`;
  const shown = file.lines.slice(at, at + Math.min(wanted.length, maxLinesShown)).map((text) => text.slice(0, 300));
  const advice = 'Copy the " " and "-" lines exactly from the file and send the patch again.';
  return `${difference} The file has:\n${numberedLines(shown, at + 1)}\n${advice}`;
}

/** Refers to the line by number only: its text may contain a guess at a secret in the file. */
async function explainFirstLine(file: FoldedLines, wanted: readonly string[]): Promise<string> {
  const number = Math.min(blanksAbove(wanted) + 1, wanted.length);
  const why = await explainMiss(file.lines.join('\n'), wanted.join('\n'));
  const inTheseWords = why.replaceAll('old_text', 'The text of the hunk');
  return `Of its " " and "-" lines, number ${number} is not a line of the file. ${inTheseWords}`;
}

/** Returns the place where the most leading lines of the hunk match. */
function longestFit(file: FoldedLines, wanted: readonly string[]): { at: number; fitting: number } {
  const first = blanksAbove(wanted);
  let best = { at: 0, fitting: 0 };
  if (first === wanted.length) return best;
  let place = file.find([wanted[first]!], 0, loosest);
  for (let tried = 0; place !== undefined && tried < maxPlacesTried; tried++) {
    let fitting = first;
    while (fitting < wanted.length && file.fitsAt([wanted[fitting]!], place - first + fitting, loosest)) fitting++;
    if (fitting > best.fitting) best = { at: place - first, fitting };
    place = file.find([wanted[first]!], place + 1, loosest);
  }
  return best.at < 0 ? { at: 0, fitting: 0 } : best;
}

function blanksAbove(wanted: readonly string[]): number {
  const first = wanted.findIndex((line) => line.trim() !== '');
  return first === -1 ? wanted.length : first;
}
