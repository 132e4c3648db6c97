import { truncate } from '../../protocol/plain/truncate';
import { characterCodes, type CharacterCodes } from '../text/characterCodes';
import { beginningsOf, follow, formsOf, maxLengthOf, type SecretForm } from './secretForms';
import { finishedLength, MASK, maskShapes, mayHoldShape, placesWith } from './secretShapes';

const minSecretLength = 8;
/** Minimum length of a cut-off part that is masked. Shorter parts reveal nothing. */
const minPartLength = 4;
/**
 * Maximum length of a value; longer ones are split. A multiple of three, so that the base64 of the pieces is that of
 * the whole.
 */
const maxValueLength = 240;

/** Values that are not secret, whatever they are called. */
const notSecret = new Set(
  'password passw0rd changeme changeit postgres postgresql username localhost development production testing staging undefined anonymous required optional disabled enabled internal external default1 example1 12345678 123456789 1234567890 00000000'.split(
    ' ',
  ),
);

// Literal numbers, because reading named constants for each character of a long text is measurably slower.
const isAsciiPair = (one: number, two: number): boolean => (one | two) < 128;
const asciiPair = (one: number, two: number): number => (one << 7) | two;
const asciiPairs = 128 * 128;
const isAscii = (text: string): boolean => [...text].every((character) => character.charCodeAt(0) < 128);

/** Values that this process knows to be secret, and their masking. A learned value stays known. */
export class Secrets {
  readonly #values = new Set<string>();
  /** Forms by their possible first two characters. */
  readonly #forms = new Map<number, SecretForm[]>();
  /** Forms by their possible first character. */
  readonly #byFirst = new Map<number, SecretForm[]>();
  /**
   * For each pair of ASCII characters, 1 if a form may start with it. Rules out most positions with a single lookup.
   */
  readonly #mayBegin = new Uint8Array(asciiPairs);
  /** Lookup table for long texts, created on first use; see `placesWith`. */
  #places: Uint8Array | undefined;
  #longest = 0;
  #hasOnlyAscii = true;

  /** Number of learned values. Lets caches of masked text detect changes. */
  get version(): number {
    return this.#values.size;
  }

  /** True if all values are ASCII, so that each is also found in a text decoded byte by byte. */
  get hasOnlyAscii(): boolean {
    return this.#hasOnlyAscii;
  }

  /** Maximum length of a known value in any form that is searched for, in characters. */
  get longest(): number {
    return this.#longest;
  }

  /**
   * Learns values. Values of less than 8 characters are ignored, because they would match everywhere, and so are parts of
   * the mask, which would be masked again and again.
   */
  learn(...values: readonly (string | undefined)[]): void {
    const before = this.#values.size;
    for (const value of values)
      for (const part of valuePartsOf(value?.trim() ?? '')) if (!MASK.includes(part)) this.#values.add(part);
    if (this.#values.size === before) return;
    const forms = [...this.#values].sort((a, b) => b.length - a.length).flatMap(formsOf);
    this.#longest = Math.max(...forms.map(maxLengthOf));
    this.#hasOnlyAscii = [...this.#values].every(isAscii);
    this.#places = undefined;
    this.#forms.clear();
    this.#byFirst.clear();
    for (const form of forms) {
      const begin = beginningsOf(form);
      for (const two of begin) {
        listFor(this.#forms, pairAt(two, 0)).push(form);
        if (isAscii(two)) this.#mayBegin[asciiPair(two.charCodeAt(0), two.charCodeAt(1))] = 1;
      }
      for (const one of new Set(begin.map((two) => two.charCodeAt(0)))) listFor(this.#byFirst, one).push(form);
    }
  }

  /** Masks known values. For texts that must otherwise stay unchanged, such as what an action will do. */
  readonly maskKnown = (text: string): string => {
    if (this.#forms.size === 0 || text.length < minSecretLength) return text;
    const codes = characterCodes(text);
    let masked = '';
    let done = 0;
    for (let at = this.#nextBeginning(codes, 0); at < text.length; at = this.#nextBeginning(codes, at + 1)) {
      const end = this.#endOfKnown(text, at);
      if (end === 0) continue;
      masked += text.slice(done, at) + MASK;
      done = end;
      at = end - 1;
    }
    return masked + text.slice(done);
  };

  /** Returns whether the text contains a known value. */
  readonly isIn = (text: string): boolean => {
    if (this.#forms.size === 0 || text.length < minSecretLength) return false;
    const codes = characterCodes(text);
    for (let at = this.#nextBeginning(codes, 0); at < text.length; at = this.#nextBeginning(codes, at + 1))
      if (this.#endOfKnown(text, at) > 0) return true;
    return false;
  };

  /**
   * Returns whether a long text may contain a known value or something that looks like a secret. May return true too
   * often.
   */
  mayHold(text: string): boolean {
    this.#places ??= placesWith([...this.#forms.keys()].map(codesOf));
    return mayHoldShape(
      text,
      this.#places,
      (codes, at) => this.#mayBeginWith(codes[at]!, codes[at + 1]!) && this.#endOfKnown(text, at) > 0,
    );
  }

  #mayBeginWith(one: number, two: number): boolean {
    return isAsciiPair(one, two) ? this.#mayBegin[asciiPair(one, two)] === 1 : this.#forms.has(pairOf(one, two));
  }

  /**
   * Returns the next position at or after `from` where a form may begin, or the text's length if there is none. `codes`
   * are the character codes of the text.
   */
  #nextBeginning(codes: CharacterCodes, from: number): number {
    const mayBegin = this.#mayBegin;
    const last = codes.length - 1;
    let one = codes[from] ?? 0;
    for (let at = from; at < last; at++) {
      const two = codes[at + 1]!;
      if (isAsciiPair(one, two) ? mayBegin[asciiPair(one, two)] === 1 : this.#forms.has(pairOf(one, two))) return at;
      one = two;
    }
    return codes.length;
  }

  /** Returns the end of the longest known value that begins at `at`, or 0 if there is none. */
  #endOfKnown(text: string, at: number): number {
    let end = 0;
    for (const form of this.#forms.get(pairAt(text, at)) ?? []) {
      const found = follow(form, text, at);
      if (typeof found === 'number' && found > end) end = found;
    }
    return end;
  }

  /**
   * Returns the beginning of a text with known values masked. Masks before cutting, because half a secret would not be
   * recognized.
   */
  readonly beginning = (text: string, characters: number): string =>
    text.length <= characters ? text : this.maskKnown(text).slice(0, characters);

  /** Like `truncate`, with known values masked before the text is cut. */
  readonly truncate = (text: string, limit: number): string =>
    text.length <= limit ? text : truncate(this.maskKnown(text), limit);

  /** Masks known values and everything that looks like a secret. */
  readonly mask = (text: string): string => {
    if (text.length < minSecretLength) return text;
    const known = this.maskKnown(text);
    return mayHoldShape(known) ? maskShapes(known) : known;
  };

  /**
   * Masks what may be part of a known value at a cut: its beginning at the end of the text, or its end at the start.
   * For texts whose rest is unavailable; otherwise, mask before cutting.
   */
  readonly maskCutEnds = (text: string, cut: { readonly start?: boolean; readonly end?: boolean }): string => {
    const masked = this.mask(text);
    const to = cut.end ? this.unfinishedFrom(masked) : masked.length;
    const from = cut.start ? Math.min(to, this.#leftOverUntil(masked)) : 0;
    const hides = (characters: number): boolean => characters >= minPartLength;
    return (
      (hides(from) ? MASK + masked.slice(from, to) : masked.slice(0, to)) +
      (hides(masked.length - to) ? MASK : masked.slice(to))
    );
  };

  /** Returns where the longest tail of a known value at the start of the text ends, or 0 if there is none. */
  #leftOverUntil(text: string): number {
    let until = 0;
    for (const form of new Set([...this.#forms.values()].flat())) {
      for (let part = 1; part <= form.parts.length - minPartLength; part++) {
        if (!form.parts[part]!.some((spelling) => text.startsWith(spelling))) continue;
        const end = follow({ ...form, parts: form.parts.slice(part) }, text, 0);
        if (typeof end === 'number' && end > until) until = end;
      }
    }
    return until;
  }

  /**
   * Returns where the end of the text may be the beginning of a known value, or the text's length if it is not.
   * `earlier` is the text before it in its line.
   */
  unfinishedFrom(text: string, earlier = ''): number {
    for (let at = Math.max(0, text.length - this.#longest + 1); at < text.length; at++) {
      const forms = at === text.length - 1 ? this.#byFirst.get(text.charCodeAt(at)) : this.#forms.get(pairAt(text, at));
      if (forms?.some((form) => follow(form, text, at, { goesOn: true, earlier }) === 'unfinished')) return at;
    }
    return text.length;
  }

  /** Creates a stream that masks a text arriving in pieces. */
  stream(): MaskedStream {
    return new MaskedStream(this);
  }
}

/** Masks a text that arrives in pieces. Text that may be part of a secret is held back until the rest arrives. */
export class MaskedStream {
  #held = '';
  #inKey = false;
  /** End of the text passed on, within the current line. */
  #line = '';

  constructor(private readonly secrets: Secrets) {}

  /** Number of characters held back; undefined inside a private key. */
  get heldBack(): number | undefined {
    return this.#inKey ? undefined : this.#held.length;
  }

  push(text: string): string {
    const whole = this.#held + text;
    // The text column of a hex dump repeats what its digits say, so a dump line is masked as a whole.
    const line = /(?:^|\n)[0-9a-fA-F]{4,10}:?[ \t][^\n]{0,90}$/.exec(whole.slice(-102));
    const kept =
      line && !this.#inKey ? whole.length - line[0].length + (line[0].startsWith('\n') ? 1 : 0) : whole.length;
    const rest = whole.slice(kept);
    const [all, opened] = this.#outsideKeys(this.secrets.maskKnown(whole.slice(0, kept)));
    if (this.#inKey) {
      this.#held += rest;
      return this.secrets.mask(all) + (opened ? MASK : '');
    }
    const sure = Math.min(finishedLength(all), this.secrets.unfinishedFrom(all, this.#line));
    this.#held = all.slice(sure) + rest;
    const shown = (this.#line + all.slice(Math.max(0, sure - 80), sure)).slice(-80);
    this.#line = shown.slice(shown.lastIndexOf('\n') + 1);
    return this.secrets.mask(all.slice(0, sure));
  }

  /** Returns the text still held back, at the end of the input. */
  end(): string {
    const rest = this.#inKey ? '' : this.#held;
    this.#held = '';
    this.#inKey = false;
    return this.secrets.mask(rest);
  }

  /**
   * Removes private keys, which may be longer than the text held back. Everything from the beginning of a key to its
   * end is dropped.
   */
  #outsideKeys(text: string): [outside: string, opened: boolean] {
    let rest = text;
    if (this.#inKey) {
      const end = keyEnd.exec(rest);
      if (!end) {
        this.#held = rest.slice(-64);
        return ['', false];
      }
      this.#inKey = false;
      rest = rest.slice(end.index + end[0].length);
    }
    const begin = openKeyIn(rest);
    if (!begin) return [rest, false];
    this.#inKey = true;
    this.#held = rest.slice(begin.index + begin[0].length).slice(-64);
    return [rest.slice(0, begin.index), true];
  }
}

const keyEnd = /-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----/;
const keyBegin = /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----/;

/** Finds the beginning of an unfinished private key: the first one after the last end marker. */
function openKeyIn(text: string): { readonly index: number; readonly 0: string } | undefined {
  let end = 0;
  for (let at = text.lastIndexOf('-----END '); at >= 0; at = at === 0 ? -1 : text.lastIndexOf('-----END ', at - 1)) {
    const found = keyEnd.exec(text.slice(at, at + maxKeyEndLength));
    if (found?.index !== 0) continue;
    end = at;
    break;
  }
  const begin = keyBegin.exec(text.slice(end));
  return begin ? { 0: begin[0], index: end + begin.index } : undefined;
}

/** Returns whether a private key begins in the text and does not end there. */
export const opensPrivateKey = (text: string): boolean => openKeyIn(text) !== undefined;

/** Maximum length of an end marker, including the words between "END" and "PRIVATE KEY". */
const maxKeyEndLength = 200;

/** Secrets known to this process. Shared, because a key that one session learned must not leak through another. */
export const secrets = new Secrets();

const pairOf = (one: number, two: number): number => one * 65_536 + two;
const codesOf = (pair: number): [number, number] => [Math.floor(pair / 65_536), pair % 65_536];
const pairAt = (text: string, at: number): number => pairOf(text.charCodeAt(at), text.charCodeAt(at + 1));

function listFor(lists: Map<number, SecretForm[]>, key: number): SecretForm[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function* valuePartsOf(value: string): Generator<string> {
  for (const line of value.split(/\r?\n/)) {
    const whole = line.trim();
    if (whole.length < minSecretLength || notSecret.has(whole.toLowerCase()) || /^-----(?:BEGIN|END) /.test(whole))
      continue;
    for (let at = 0; at < whole.length; at += maxValueLength)
      if (at === 0 || whole.length - at >= minSecretLength) yield whole.slice(at, at + maxValueLength);
  }
}
