import { quoteLine, type ContextHunk, type HunkLine } from './contextPatch';
import { patchError } from './drafts';
import { tolerances, type FoldedLines } from './seekLines';
import { explainMiss } from '../files/closestMatch';
import { numberedLines } from '../../text/numberedLines';

/** Place of a hunk: its lines as they were found, possibly without the last empty one. */
export interface ContextPlace {
  readonly lineIndex: number;
  readonly likeness: number;
  readonly lines: readonly HunkLine[];
}

/** Result of following the "@@" lines of a hunk. `missing` is the first of them that the file does not contain. */
interface HeaderPlace {
  /** Line after the last header. */
  readonly below: number;
  /** Line of the last header itself. */
  readonly header: number;
  readonly missing?: string;
}

/** What the preceding hunks of the same patch cover. */
interface EarlierHunks {
  /** Line after the last of them. */
  readonly end: number;
  /** Lines that they remove. */
  readonly removed: ReadonlySet<number>;
}

/** Finds the place of one hunk. `name` names the hunk in problems. */
export class ContextPlacement {
  private readonly wanted: readonly string[];

  constructor(
    private readonly file: FoldedLines,
    private readonly hunk: ContextHunk,
    private readonly name: string,
    private readonly earlier: EarlierHunks,
  ) {
    this.wanted = oldLines(hunk.lines);
  }

  async find(): Promise<ContextPlace> {
    const headers = this.followHeaders();
    if (this.wanted.length === 0) return this.placeOfAddition(headers);
    for (const lines of variantsOf(this.hunk.lines)) {
      const place = this.hunk.isAtEnd ? this.atEnd(lines) : this.belowHeaders(lines, headers);
      if (place) return place;
    }
    // If one of several headers is wrong, another function may be meant. A single wrong header is often an
    // abbreviation.
    const mayBeElsewhere = headers.missing === undefined || this.hunk.headers.length === 1;
    const only = mayBeElsewhere ? this.onlyPlace() : undefined;
    return only ?? this.refuse(headers);
  }

  /** Each header is searched for after the previous one. A header found only above the earlier hunks was already passed. */
  private followHeaders(): HeaderPlace {
    let place: HeaderPlace = { below: this.earlier.end, header: this.earlier.end };
    for (const header of this.hunk.headers) {
      const found = this.findInAnyWay([header], place.below)?.lineIndex ?? this.onlyLineWith(header, place.below);
      if (found !== undefined) place = { below: found + 1, header: found };
      else if (this.findInAnyWay([header], 0) === undefined) return { ...place, missing: header };
    }
    return place;
  }

  /** Models shorten headers: "def run" for "def run(self):". */
  private onlyLineWith(header: string, from: number): number | undefined {
    const words = header.trim();
    const holdsWords = (line: string): boolean => line.includes(words);
    const first = this.file.lines.findIndex((line, at) => at >= from && holdsWords(line));
    const isOnly = first !== -1 && !this.file.lines.slice(first + 1).some(holdsWords);
    return isOnly ? first : undefined;
  }

  private placeOfAddition({ below, missing }: HeaderPlace): ContextPlace {
    const { headers, isNumbered, isAtEnd, lines } = this.hunk;
    if (missing !== undefined) {
      throw patchError(
        `${this.name} adds lines below ${quoteLine(missing)}, which is not a line of the file.`,
        'Add the lines of the file around them.',
      );
    }
    if (isNumbered && headers.length === 0) {
      throw patchError(
        `${this.name} only adds lines, and line numbers after "@@" are not used.`,
        'Add a line of the file above them, with a space before it.',
      );
    }
    const { length } = this.file.lines;
    const end = length > 0 && this.file.lines[length - 1] === '' ? length - 1 : length;
    return { lineIndex: headers.length > 0 && !isAtEnd ? below : end, likeness: 0, lines };
  }

  /** Matches the hunk's lines at the end of the file, ignoring empty lines after them. */
  private atEnd(lines: readonly HunkLine[]): ContextPlace | undefined {
    const wanted = oldLines(lines);
    let end = this.file.lines.length;
    for (;;) {
      const lineIndex = end - wanted.length;
      const likeness = tolerances.findIndex((_, index) => this.file.fitsAt(wanted, lineIndex, index));
      if (likeness !== -1 && this.isFree(lineIndex, wanted)) return { lineIndex, likeness, lines };
      if (end === 0 || this.file.lines[end - 1] !== '') return undefined;
      end--;
    }
  }

  private belowHeaders(lines: readonly HunkLine[], { below, header, missing }: HeaderPlace): ContextPlace | undefined {
    if (missing !== undefined) return undefined;
    const wanted = oldLines(lines);
    // Models repeat the header as the first line of the hunk.
    const found = this.findInAnyWay(wanted, below) ?? this.findInAnyWay(wanted, Math.max(header, this.earlier.end));
    if (!found) return undefined;
    if (this.hunk.headers.length === 0) this.refuseSecondPlace(wanted, found);
    return { ...found, lines };
  }

  /** Codex silently uses the first of several matches. A change at the wrong one would go unnoticed, so this throws. */
  private refuseSecondPlace(
    wanted: readonly string[],
    { lineIndex, likeness }: { lineIndex: number; likeness: number },
  ): void {
    const second = this.file.find(wanted, lineIndex + 1, likeness);
    if (second === undefined) return;
    const where = `${this.name} fits in several places, at lines ${lineIndex + 1} and ${second + 1}.`;
    throw new Error(`${where} Add lines of the file around it, or name the function above it: "@@ def name():".`);
  }

  /** A match anywhere in the file is accepted if it is the only one. */
  private onlyPlace(): ContextPlace | undefined {
    if (this.hunk.isAtEnd) return undefined;
    for (const lines of variantsOf(this.hunk.lines)) {
      const wanted = oldLines(lines);
      const first = this.findInAnyWay(wanted, 0);
      if (!first) continue;
      const second = this.file.find(wanted, first.lineIndex + 1, first.likeness);
      return second === undefined && this.isFree(first.lineIndex, wanted) ? { ...first, lines } : undefined;
    }
    return undefined;
  }

  /** Hunks may share context lines, but not lines that one of them removes. */
  private isFree(lineIndex: number, wanted: readonly string[]): boolean {
    return wanted.every((_, offset) => !this.earlier.removed.has(lineIndex + offset));
  }

  private findInAnyWay(wanted: readonly string[], from: number): { lineIndex: number; likeness: number } | undefined {
    for (let likeness = 0; likeness < tolerances.length; likeness++) {
      const lineIndex = this.file.find(wanted, from, likeness);
      if (lineIndex !== undefined) return { lineIndex, likeness };
    }
    return undefined;
  }

  private async refuse({ missing }: HeaderPlace): Promise<never> {
    const elsewhere = this.findInAnyWay(this.wanted, 0)?.lineIndex;
    if (elsewhere === undefined) {
      throw patchError(`${this.name} does not fit.`, `${await explainContextMiss(this.file, this.wanted, missing)}`);
    }
    const line = elsewhere + 1;
    if (!this.isFree(elsewhere, this.wanted)) {
      throw patchError(
        `${this.name} changes lines from line ${line} on that an earlier hunk removes.`,
        'Write both changes as one hunk.',
      );
    }
    const { length } = this.file.lines;
    if (this.hunk.isAtEnd) {
      throw patchError(
        `${this.name} says "*** End of File", but its lines are at line ${line} and the file has ${length}.`,
        'Remove the marker, or quote the last lines.',
      );
    }
    if (missing !== undefined) {
      throw patchError(
        `${this.name} names ${quoteLine(missing)} after "@@", which is not a line of the file.`,
        `Its lines are at line ${line}. Copy the header above them from the file.`,
      );
    }
    throw patchError(
      `${this.name} does not fit below its "@@" line and the hunks before it; its lines are at line ${line}.`,
      'Order hunks from top to bottom, each below its header.',
    );
  }
}

/** Maximum number of trailing empty lines to ignore. Each costs a search through the file. */
const maxEmptyLines = 8;

/**
 * Returns the lines of a hunk, then variants without its last empty lines: these often represent only the final line
 * break of the file.
 */
function variantsOf(lines: readonly HunkLine[]): (readonly HunkLine[])[] {
  const variants = [lines];
  for (let last = lines; variants.length <= maxEmptyLines;) {
    const index = last.findLastIndex(({ sign }) => sign !== '+');
    if (index === -1 || last[index]!.text !== '' || oldLines(last).length === 1) return variants;
    const { sign } = last[index]!;
    const isBeforeAdded = sign === ' ' && index < last.length - 1;
    const instead: HunkLine[] = isBeforeAdded ? [{ sign: '+', text: '' }] : [];
    last = [...last.slice(0, index), ...instead, ...last.slice(index + 1)];
    variants.push(last);
  }
  return variants;
}

/** Returns the lines of the file that a hunk quotes. */
export function oldLines(lines: readonly HunkLine[]): string[] {
  return lines.filter(({ sign }) => sign !== '+').map(({ text }) => text);
}

const maxPlacesTried = 50;
const maxLinesShown = 14;
/** Index of the most tolerant likeness. */
const loosest = tolerances.length - 1;

/**
 * Explains why the lines of a hunk are not in a file: the first that differs, the file's text there, and what to do.
 */
async function explainContextMiss(
  file: FoldedLines,
  wanted: readonly string[],
  missingHeader: string | undefined,
): Promise<string> {
  const why = await explainLines(file, wanted);
  return missingHeader === undefined ? why : `${quoteLine(missingHeader)} after "@@" is not a line of the file. ${why}`;
}

function explainLines(file: FoldedLines, wanted: readonly string[]): string | Promise<string> {
  const { lineIndex, fitting } = longestFit(file, wanted);
  if (fitting === 0) return explainFirstLine(file, wanted);
  if (fitting === wanted.length) {
    const below = lineIndex + 1 + blanksAbove(wanted);
    return `It begins with an empty line that the file does not have above line ${below}. Remove that line.`;
  }
  const line = lineIndex + fitting;
  const sought = quoteLine(wanted[fitting]!);
  const difference =
    line < file.lines.length
      ? `Line ${line + 1} of the file is ${quoteLine(file.lines[line]!)}; the hunk has ${sought} there.`
      : `The file ends after line ${line}; the hunk continues with ${sought}.`;
  const shown = file.lines
    .slice(lineIndex, lineIndex + Math.min(wanted.length, maxLinesShown))
    .map((text) => text.slice(0, 300));
  const advice = 'Copy the " " and "-" lines exactly from the file and send the patch again.';
  return `${difference} The file has:\n${numberedLines(shown, lineIndex + 1)}\n${advice}`;
}

/** Refers to the line by number only: its text may contain a guess at a secret in the file. */
async function explainFirstLine(file: FoldedLines, wanted: readonly string[]): Promise<string> {
  const number = Math.min(blanksAbove(wanted) + 1, wanted.length);
  const why = await explainMiss(file.lines.join('\n'), wanted.join('\n'));
  const inTheseWords = why.replaceAll('old_text', 'The text of the hunk');
  return `Of its " " and "-" lines, number ${number} is not a line of the file. ${inTheseWords}`;
}

/** Returns the place where the most leading lines of the hunk match. */
function longestFit(file: FoldedLines, wanted: readonly string[]): { lineIndex: number; fitting: number } {
  const first = blanksAbove(wanted);
  let best = { lineIndex: 0, fitting: 0 };
  if (first === wanted.length) return best;
  let place = file.find([wanted[first]!], 0, loosest);
  for (let tried = 0; place !== undefined && tried < maxPlacesTried; tried++) {
    let fitting = first;
    while (fitting < wanted.length && file.fitsAt([wanted[fitting]!], place - first + fitting, loosest)) fitting++;
    if (fitting > best.fitting) best = { lineIndex: place - first, fitting };
    place = file.find([wanted[first]!], place + 1, loosest);
  }
  return best.lineIndex < 0 ? { lineIndex: 0, fitting: 0 } : best;
}

function blanksAbove(wanted: readonly string[]): number {
  const first = wanted.findIndex((line) => line.trim() !== '');
  return first === -1 ? wanted.length : first;
}
