/** A diagram with final positions, which `showDiagram` converts to elements. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly parts: readonly Part[];
}

/** A shape of a drawing. Coordinates are in pixels, from the top left corner. */
export type Part =
  | { readonly type: 'path'; readonly className: string; readonly d: string }
  | {
      readonly type: 'text';
      readonly className: string;
      readonly x: number;
      /** Vertical center of all its lines. */
      readonly y: number;
      readonly lines: readonly string[];
      /** Centered if absent. */
      readonly anchor?: 'start';
    };

/** Measures text in the font of the panel. */
export interface Letters {
  readonly size: number;
  width(words: string): number;
}

/** Line height, as a multiple of the font size. */
const step = 1.35;

/** Height of a line of text, in pixels. */
export const lineHeight = (letters: Letters): number => Math.round(letters.size * step);

/** Distance from the middle of the letters to the baseline, as a multiple of the font size. */
const toBase = 0.35;

/** Returns the lines of a text, each with its offset from the vertical center, in font sizes. */
export const placedLines = ({ lines }: Extract<Part, { type: 'text' }>): { words: string; dy: number }[] =>
  lines.map((words, index) => ({ words, dy: (index - (lines.length - 1) / 2) * step + toBase }));

/** Wraps text to lines of limited width. A single word that is too wide is split. */
export function wrapText(words: string, letters: Letters, widest: number): string[] {
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
      const pieces = splitWideWord(word, letters, widest);
      lines.push(...pieces.slice(0, -1));
      current = pieces.at(-1)!;
    }
    return [...lines, current];
  });
}

function splitWideWord(word: string, letters: Letters, widest: number): string[] {
  if (letters.width(word) <= widest) return [word];
  const most = Math.max(1, Math.floor((word.length * widest) / letters.width(word)));
  const signs = [...word];
  return Array.from({ length: Math.ceil(signs.length / most) }, (_, index) =>
    signs.slice(index * most, (index + 1) * most).join(''),
  );
}

export const textSize = (lines: readonly string[], letters: Letters): { width: number; height: number } => ({
  width: Math.max(0, ...lines.map((line) => letters.width(line))),
  height: lines.length * lineHeight(letters),
});

/** Template tag for SVG paths with shortened numbers. */
export const svgPath = (strings: TemplateStringsArray, ...numbers: number[]): string =>
  strings.reduce((whole, part, index) => `${whole}${Math.round(numbers[index - 1]! * 10) / 10}${part}`);

interface Rectangle {
  /** Left edge. */
  readonly x: number;
  /** Top edge. */
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly radius?: number;
}

/** Returns the SVG path of a rectangle with rounded corners. */
export const rectangle = ({ x, y, width, height, radius = 0 }: Rectangle): string => {
  const r = Math.min(radius, width / 2, height / 2);
  if (r === 0) return svgPath`M${x} ${y}h${width}v${height}h${-width}z`;
  return svgPath`M${x + r} ${y}h${width - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${height - 2 * r}a${r} ${r} 0 0 1 ${-r} ${r}h${2 * r - width}a${r} ${r} 0 0 1 ${-r} ${-r}v${2 * r - height}a${r} ${r} 0 0 1 ${r} ${-r}z`;
};
