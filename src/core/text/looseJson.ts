/** Lenient parser for JSON as models write it. Reports exactly where the text is not JSON. */

/**
 * Result of `readLooseJson`. `value` ends before `end`. `slips` are places where the text is not valid JSON although
 * its meaning is clear. Positions are indexes into the text; `problem` and `what` are parts of a sentence.
 */
type LooseJson =
  | { readonly value: unknown; readonly end: number; readonly slips: readonly Slip[]; readonly problem?: undefined }
  | { readonly problem: string; readonly offset: number };

interface Slip {
  readonly offset: number;
  readonly description: string;
}

const maxDepth = 100;
const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '\n': '' };
const literals: Readonly<Record<string, boolean | null>> = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
  undefined: null,
};

/**
 * Reads the value that begins at `from`. Tolerates these mistakes and reports them as slips: trailing or missing
 * commas, single quotes, unquoted names, line breaks and unknown escapes in strings, comments, Python's constants. Text
 * that ends too early is never completed. Never throws.
 */
export function readLooseJson(text: string, from = 0): LooseJson {
  const reader = new Reader(text, from);
  try {
    const value = reader.value(0);
    return { value, end: reader.at, slips: reader.slips };
  } catch (thrown) {
    if (thrown instanceof Broken) return { problem: thrown.message, offset: thrown.at };
    throw thrown;
  }
}

class Broken extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message);
  }
}

class Reader {
  readonly slips: Slip[] = [];

  constructor(
    private readonly text: string,
    public at: number,
  ) {}

  value(depth: number): unknown {
    this.skip();
    if (depth > maxDepth) throw new Broken('it is nested too deeply', this.at);
    const next = this.text[this.at];
    if (next === undefined) throw new Broken('the text ends where a value is expected', this.at);
    if (next === '{') return this.object(depth);
    if (next === '[') return this.array(depth);
    if (next === '"' || next === "'") return this.string();
    const number = this.match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y);
    if (number !== undefined) return Number(number);
    const began = this.at;
    const word = this.match(/[A-Za-z_]\w*/y);
    if (word === undefined || !Object.hasOwn(literals, word))
      throw new Broken(`a value is expected, not ${JSON.stringify(this.text.slice(began, began + 12))}`, began);
    if (!['true', 'false', 'null'].includes(word))
      this.slips.push({ offset: began, description: `${word} is not JSON` });
    return literals[word];
  }

  private object(depth: number): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    this.items('}', () => {
      const began = this.at;
      const quoted = this.text[began] === '"' || this.text[began] === "'";
      const name = quoted ? this.string() : this.match(/[A-Za-z_$][\w$-]*/y);
      if (name === undefined) throw new Broken('a name in double quotes is expected', began);
      if (!quoted) this.slips.push({ offset: began, description: 'a name without quotes' });
      this.skip();
      if (this.text[this.at] !== ':')
        throw new Broken(`a colon is expected after the name ${JSON.stringify(name)}`, this.at);
      this.at++;
      entries.push([name, this.value(depth + 1)]);
    });
    return Object.fromEntries(entries);
  }

  private array(depth: number): unknown[] {
    const values: unknown[] = [];
    this.items(']', () => void values.push(this.value(depth + 1)));
    return values;
  }

  /** Reads comma-separated items up to `end`. */
  private items(end: string, item: () => void): void {
    this.at++;
    for (let separated = true, first = true; ; first = false) {
      this.skip();
      const next = this.text[this.at];
      if (next === undefined) throw new Broken(`the text ends before ${JSON.stringify(end)}`, this.at);
      if (next === end) {
        if (separated && !first) this.slips.push({ offset: this.at, description: `a comma before ${end}` });
        this.at++;
        return;
      }
      if (!separated) {
        if (!/["'\w{[]/.test(next))
          throw new Broken(`a comma or ${JSON.stringify(end)} is expected, not ${JSON.stringify(next)}`, this.at);
        this.slips.push({ offset: this.at, description: 'a missing comma' });
      }
      item();
      this.skip();
      separated = this.text[this.at] === ',';
      if (separated) this.at++;
    }
  }

  private string(): string {
    const began = this.at;
    const quote = this.text[began]!;
    if (quote === "'") this.slips.push({ offset: began, description: 'single quotes' });
    let value = '';
    for (this.at++; ;) {
      value += this.match(quote === '"' ? /[^"\\\u0000-\u001f]+/y : /[^'\\\u0000-\u001f]+/y) ?? '';
      const next = this.text[this.at];
      if (next === undefined) throw new Broken('a string is not closed', began);
      this.at++;
      if (next === quote) return value;
      if (next === '\\') value += this.escape();
      else {
        this.slips.push({
          offset: this.at - 1,
          description: next === '\n' ? 'a line break inside a string' : 'a control character inside a string',
        });
        value += next;
      }
    }
  }

  private escape(): string {
    const began = this.at - 1;
    const hex = this.match(/u[\da-fA-F]{4}/y);
    if (hex !== undefined) return String.fromCharCode(parseInt(hex.slice(1), 16));
    const letter = this.text[this.at];
    if (letter === undefined) throw new Broken('the text ends inside an escape', began);
    this.at++;
    if ('"\\/'.includes(letter)) return letter;
    if (letter !== '\n' && Object.hasOwn(escapes, letter)) return escapes[letter]!;
    this.slips.push({ offset: began, description: `\\${letter} is not a valid escape` });
    return letter === "'" || letter === '\n' ? (escapes[letter] ?? letter) : `\\${letter}`;
  }

  /** Skips white space and comments. */
  private skip(): void {
    for (;;) {
      this.match(/[ \t\r\n]+/y);
      const began = this.at;
      if (this.match(/\/\/[^\n]*|\/\*[\s\S]*?\*\//y) === undefined) return;
      this.slips.push({ offset: began, description: 'a comment' });
    }
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.at += found.length;
    return found;
  }
}

/** Returns whether a text is JSON according to the standard. */
export function isStrictJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
