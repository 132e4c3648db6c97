/** A diagram that has its places: what `showDiagram` makes elements of. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly parts: readonly Part[];
}

export type Part =
  | { readonly type: 'path'; readonly className: string; readonly d: string }
  | {
      readonly type: 'text';
      readonly className: string;
      readonly x: number;
      /** Of the middle of all its lines. */
      readonly y: number;
      readonly lines: readonly string[];
      /** Absent: in the middle. */
      readonly anchor?: 'start';
    };

/** How wide words are, in the font of the panel. */
export interface Letters {
  readonly size: number;
  width(words: string): number;
}

/** From one line to the next, in heights of the letters. */
const step = 1.35;

export const lineHeight = (letters: Letters): number => Math.round(letters.size * step);

/** From the middle of letters to the line that they stand on. */
const toBase = 0.35;

/** The lines of a text, each with its distance from the middle of all, in heights of the letters. */
export const linesOf = ({ lines }: Extract<Part, { type: 'text' }>): { words: string; dy: number }[] =>
  lines.map((words, index) => ({ words, dy: (index - (lines.length - 1) / 2) * step + toBase }));

/** Lines of words that are not wider than this; a word that is alone too wide is cut. */
export function wrapped(words: string, letters: Letters, widest: number): string[] {
  return words.split('\n').flatMap((line) => {
    const lines: string[] = [];
    let current = '';
    for (const word of line.split(' ')) {
      const longer = current === '' ? word : `${current} ${word}`;
      if (letters.width(longer) <= widest) {
        current = longer;
        continue;
      }
      if (current !== '') lines.push(current);
      const pieces = piecesOf(word, letters, widest);
      lines.push(...pieces.slice(0, -1));
      current = pieces.at(-1)!;
    }
    return [...lines, current];
  });
}

function piecesOf(word: string, letters: Letters, widest: number): string[] {
  if (letters.width(word) <= widest) return [word];
  const most = Math.max(1, Math.floor((word.length * widest) / letters.width(word)));
  const signs = [...word];
  return Array.from({ length: Math.ceil(signs.length / most) }, (_, index) =>
    signs.slice(index * most, (index + 1) * most).join(''),
  );
}

export const sizeOf = (lines: readonly string[], letters: Letters): { width: number; height: number } => ({
  width: Math.max(0, ...lines.map((line) => letters.width(line))),
  height: lines.length * lineHeight(letters),
});

/** Numbers of a path, short. */
export const path = (strings: TemplateStringsArray, ...numbers: number[]): string =>
  strings.reduce((whole, part, index) => `${whole}${Math.round(numbers[index - 1]! * 10) / 10}${part}`);

export const rectangle = (x: number, y: number, width: number, height: number, radius = 0): string => {
  const r = Math.min(radius, width / 2, height / 2);
  if (r === 0) return path`M${x} ${y}h${width}v${height}h${-width}z`;
  return path`M${x + r} ${y}h${width - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${height - 2 * r}a${r} ${r} 0 0 1 ${-r} ${r}h${2 * r - width}a${r} ${r} 0 0 1 ${-r} ${-r}v${2 * r - height}a${r} ${r} 0 0 1 ${r} ${-r}z`;
};
