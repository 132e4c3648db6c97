import { indexOfSequence } from '../matching/indexOfSequence';

/** A criterion under which two lines count as equal. */
interface Tolerance {
  /** How lines that match may still differ; absent for exact equality. */
  readonly differs?: string;
  fold(line: string): string;
}

/**
 * Ordered from strictest to loosest. Codex tries the same four, except for composed letters, so it finds the same
 * places.
 */
export const tolerances: readonly Tolerance[] = [
  { fold: (line) => line },
  { differs: 'white space at line ends', fold: (line) => line.trimEnd() },
  { differs: 'indentation', fold: (line) => line.trim() },
  { differs: 'quotes, dashes, spaces or composed letters', fold: (line) => asciiForm(line.trim().normalize('NFC')) },
];

/** Lines of a file, folded at most once per likeness. */
export class FoldedLines {
  private readonly folded: (readonly string[] | undefined)[] = [];

  constructor(readonly lines: readonly string[]) {}

  /**
   * Returns the first index at or after `from`, counted from 0, where the lines follow each other. Linear in the file.
   */
  find(wanted: readonly string[], from: number, likeness: number): number | undefined {
    const lines = this.foldedBy(likeness);
    const sought = wanted.map(tolerances[likeness]!.fold);
    const at = indexOfSequence(lines, sought, from);
    return at === -1 ? undefined : at;
  }

  fitsAt(wanted: readonly string[], at: number, likeness: number): boolean {
    const lines = this.foldedBy(likeness);
    const { fold } = tolerances[likeness]!;
    return at >= 0 && wanted.every((line, offset) => lines[at + offset] === fold(line));
  }

  private foldedBy(likeness: number): readonly string[] {
    return (this.folded[likeness] ??= this.lines.map(tolerances[likeness]!.fold));
  }
}

function asciiForm(line: string): string {
  return line
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018-\u201B]/g, "'")
    .replace(/[\u201C-\u201F]/g, '"')
    .replace(/[\u00A0\u2002-\u200A\u202F\u205F\u3000]/g, ' ');
}
