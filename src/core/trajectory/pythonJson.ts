/**
 * Reads and writes JSON like Python's `json` module, for formats that are compared byte by byte: a space after ":" and
 * ",", distinct 1 and 1.0, key order, NaN and Infinity. `ascii` corresponds to `ensure_ascii`.
 */

/** Returns `json.dumps(json.loads(text), ensure_ascii=False)`, or undefined if Python would reject the text. */
export function pythonDumps(text: string): string | undefined {
  const reader = new Reader(text);
  try {
    const value = reader.value(0);
    return reader.atEnd ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Quotes a string. Lone surrogates are escaped, which Python would refuse to write. */
export const pythonQuoted = (text: string): string => JSON.stringify(text);

/** Escapes all non-ASCII characters in JSON text. */
export const inAscii = (json: string): string =>
  json.replace(/[^ -~\n]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Maximum nesting depth of Python's parser. */
const maxNesting = 900;

class Reader {
  #at = 0;
  constructor(private readonly text: string) {}

  get atEnd(): boolean {
    return this.#blanks() === this.text.length;
  }

  /** Rewrites the next value. Throws if there is none. */
  value(depth: number): string {
    if (depth > maxNesting) throw new Error('nested too deeply');
    const letter = this.text[this.#blanks()];
    if (letter === '{') return this.#object(depth);
    if (letter === '[') return this.#list(depth);
    if (letter === '"') return pythonQuoted(this.#string());
    const word = this.#match(/-?Infinity|NaN|true|false|null/y);
    return word ?? pythonNumber(this.#match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y));
  }

  #object(depth: number): string {
    const fields = new Map<string, string>();
    this.#items('}', () => {
      if (this.text[this.#blanks()] !== '"') throw new Error('no key');
      const key = this.#string();
      this.#expect(':');
      fields.set(key, this.value(depth + 1));
    });
    return `{${[...fields].map(([key, value]) => `${pythonQuoted(key)}: ${value}`).join(', ')}}`;
  }

  #list(depth: number): string {
    const items: string[] = [];
    this.#items(']', () => void items.push(this.value(depth + 1)));
    return `[${items.join(', ')}]`;
  }

  #items(end: string, read: () => void): void {
    this.#at++;
    if (this.text[this.#blanks()] === end) return void this.#at++;
    for (;;) {
      read();
      if (this.text[this.#blanks()] === end) return void this.#at++;
      this.#expect(',');
    }
  }

  #expect(letter: string): void {
    if (this.text[this.#blanks()] !== letter) throw new Error(`no ${letter}`);
    this.#at++;
  }

  #string(): string {
    const text = this.#match(/"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y);
    if (text === undefined) throw new Error('no string');
    return JSON.parse(text) as string;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #blanks(): number {
    while (' \t\n\r'.includes(this.text[this.#at] ?? 'x')) this.#at++;
    return this.#at;
  }
}

/** Writes integers of any size unchanged and other numbers like Python's `repr`. */
function pythonNumber(text: string | undefined): string {
  if (text === undefined) throw new Error('no value');
  if (/^-?\d+$/.test(text)) return text === '-0' ? '0' : text;
  return pythonFloat(Number(text));
}

/** Formats a float like `repr`: shortest digits, scientific below 1e-4 and from 1e16 on. */
function pythonFloat(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [digits = '', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 16) {
    const plain = String(value);
    return plain.includes('.') ? plain : `${plain}.0`;
  }
  return `${digits}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
