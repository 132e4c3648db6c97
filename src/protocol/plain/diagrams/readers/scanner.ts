import { NotDrawn, limits } from './diagram';

/** Reads a text from beginning to end. */
export class Scanner {
  position = 0;

  constructor(
    readonly text: string,
    /** Line number of the first line of `text`. */
    private readonly firstLine = 1,
  ) {}

  get isAtEnd(): boolean {
    return this.position >= this.text.length;
  }

  /** Consumes a word if it comes next. */
  takes(word: string): boolean {
    if (!this.text.startsWith(word, this.position)) return false;
    this.position += word.length;
    return true;
  }

  /** Consumes and returns the match of a sticky expression at the current position. */
  match(sticky: RegExp): RegExpExecArray | undefined {
    sticky.lastIndex = this.position;
    const found = sticky.exec(this.text) ?? undefined;
    if (found) this.position += found[0].length;
    return found;
  }

  space(): void {
    while (' \t'.includes(this.text[this.position] ?? 'x')) this.position++;
  }

  /** Returns the text up to a delimiter, and consumes both. */
  upTo(sign: string): string {
    const end = this.text.indexOf(sign, this.position);
    if (end < 0) this.fail();
    const found = this.text.slice(this.position, end);
    this.position = end + sign.length;
    return found;
  }

  /** Reads a label up to a closing delimiter, quoted or not. */
  label(closing: string): string {
    this.space();
    if (!this.takes('"')) return plainLabel(this.upTo(closing));
    const label = this.upTo('"');
    this.space();
    if (!this.takes(closing)) this.fail();
    return plainLabel(label);
  }

  fail(): never {
    let line = this.firstLine;
    for (let at = this.text.indexOf('\n'); at >= 0 && at < this.position; at = this.text.indexOf('\n', at + 1)) line++;
    throw new NotDrawn('line', line);
  }
}

/** A line of a diagram, with its number. */
interface Line {
  readonly text: string;
  readonly number: number;
}

/** Splits a text into lines, without blank lines and comments. */
export function diagramLines(text: string, firstLine: number): Line[] {
  return text
    .split('\n')
    .map((line, index) => ({ text: withoutSemicolon(line.trim()), number: firstLine + index }))
    .filter((line) => line.text !== '' && !line.text.startsWith('%%'));
}

const withoutSemicolon = (line: string): string => (line.endsWith(';') ? line.slice(0, -1).trimEnd() : line);

const signs: Readonly<Record<string, string>> = {
  quot: '"',
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  hash: '#',
  semi: ';',
};

/**
 * Returns the plain text of a label: `<br>` becomes a line break, emphasis is removed, and anything else that looks
 * like HTML stays text.
 */
export function plainLabel(written: string): string {
  const isMarkdown = written.length > 1 && written.startsWith('`') && written.endsWith('`');
  const words = isMarkdown ? written.slice(1, -1).replaceAll('**', '') : written;
  return words
    .slice(0, limits.label)
    .replace(/<br ?\/?>|\\n/gi, '\n')
    .replace(/<\/?(?:b|i|u|em|strong|small|code|sub|sup)>/gi, '')
    .replace(/[#&]([a-z]{2,4}|#?\d{1,6});/gi, (entity, name: string) => {
      const code = Number(name.replace('#', ''));
      if (Number.isNaN(code)) return signs[name.toLowerCase()] ?? entity;
      return code >= 32 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
    })
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();
}
