/** Receives the next piece of a string value in the JSON. `isEnd` is true if the string is complete. */
type OnString = (key: string, text: string, isEnd: boolean) => void;

/** Maximum depth that is tracked, deeper than any real call. Deeper values are not reported. */
const maxDepth = 64;
const maxKeyLength = 100;
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/**
 * Reads JSON that arrives in pieces and reports the strings under some of its keys as they arrive, at any depth. Each
 * piece is read once, so the cost is linear in the length. Text that is not JSON is harmless.
 */
export class PartialStrings {
  /** Start of an escape that was cut off at the end of a piece. */
  private carried = '';
  private readonly open: ('{' | '[')[] = [];
  private depthLeftOut = 0;
  private key = '';
  private expectsKey = false;
  private reads: 'nothing' | 'key' | 'value' = 'nothing';

  constructor(
    private readonly isWanted: (key: string) => boolean,
    private readonly tell: OnString,
  ) {}

  add(piece: string): void {
    const text = this.carried + piece;
    this.carried = '';
    for (let at = 0; at < text.length;) at = this.reads === 'nothing' ? this.between(text, at) : this.within(text, at);
  }

  /** Skips from `at` to the next structural character or to the end of the text. Returns where to continue. */
  private between(text: string, at: number): number {
    const sign = /["{}[\]:,]/g;
    sign.lastIndex = at;
    const found = sign.exec(text);
    if (!found) return text.length;
    this.meet(found[0]);
    return found.index + 1;
  }

  private meet(sign: string): void {
    if (sign === '"') {
      this.reads = this.expectsKey ? 'key' : 'value';
      if (this.expectsKey) this.key = '';
    } else if (sign === '{' || sign === '[') {
      if (this.open.length >= maxDepth) this.depthLeftOut++;
      else this.open.push(sign);
      this.expectsKey = sign === '{';
    } else if (sign === '}' || sign === ']') {
      if (this.depthLeftOut > 0) this.depthLeftOut--;
      else this.open.pop();
      this.expectsKey = false;
    } else this.expectsKey = sign === ',' && this.open.at(-1) === '{';
  }

  /** Reads from `at` to the end of the string, an escape or the piece. Returns where to continue. */
  private within(text: string, at: number): number {
    const special = /["\\]/g;
    special.lastIndex = at;
    const found = special.exec(text);
    const to = found?.index ?? text.length;
    if (to > at) this.came(text.slice(at, to));
    if (!found) return text.length;
    if (found[0] === '"') {
      if (this.reads === 'value' && this.isTold) this.tell(this.key, '', true);
      this.reads = 'nothing';
      return to + 1;
    }
    const length = text[to + 1] === 'u' ? 6 : 2;
    if (to + length > text.length) {
      this.carried = text.slice(to);
      return text.length;
    }
    this.came(decodeEscape(text.slice(to + 1, to + length)));
    return to + length;
  }

  private came(part: string): void {
    if (this.reads === 'key') this.key = (this.key + part).slice(0, maxKeyLength);
    else if (this.isTold) this.tell(this.key, part, false);
  }

  private get isTold(): boolean {
    return this.depthLeftOut === 0 && this.isWanted(this.key);
  }
}

/** Decodes an escape, given without its backslash. */
const decodeEscape = (escape: string): string =>
  escape.startsWith('u') ? String.fromCharCode(parseInt(escape.slice(1), 16)) : (escapes[escape] ?? escape);
