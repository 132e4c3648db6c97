import { characterCodes, type CharacterCodes } from '../text/characterCodes';

/** Replaces a secret. */
export const MASK = '[masked secret]';

/**
 * Pattern of one kind of secret, and how places where one may be are searched for. Secrets that the search misses are
 * not masked.
 */
interface Shape {
  readonly shape: string;
  /**
   * Three characters that every secret of this kind contains, in all variants. "?" stands for a letter, digit, _ or -.
   */
  readonly holds: readonly string[];
  /**
   * Pattern at the position of these three characters, if it is not the shape itself. It may match too much, never too
   * little, and decides within 800 characters.
   */
  readonly there?: string;
}

/** The word boundary at the end is dropped, because a text may be cut there. */
export const shapeInText = ({ shape, there = shape.replace(/\\b$/, '') }: Shape): string => there;

/** Tokens with a prefix that names their issuer. Each pattern is specific enough that no ordinary word matches. */
export const issuedTokens: readonly Shape[] = [
  // Models
  { shape: 'sk-ant-[\\w-]{16,}', holds: ['sk-'] },
  { shape: 'sk-(?:proj|svcacct|admin|or-v1|lf)-[\\w-]{16,}', holds: ['sk-'] },
  { shape: '(?:sk|pk|rk)-(?=[\\w-]{0,200}?\\d)[\\w-]{16,}', holds: ['sk-', 'pk-', 'rk-'] },
  { shape: 'gsk_[A-Za-z0-9]{20,}', holds: ['gsk'] },
  { shape: 'xai-[A-Za-z0-9]{20,}', holds: ['xai'] },
  { shape: 'pplx-[A-Za-z0-9]{20,}', holds: ['ppl'] },
  { shape: 'hf_[A-Za-z0-9]{20,}', holds: ['hf_'] },
  { shape: 'r8_[A-Za-z0-9]{30,}', holds: ['r8_'] },
  { shape: 'nvapi-[\\w-]{20,}', holds: ['nva'] },
  { shape: 'tvly-[\\w-]{16,}', holds: ['tvl'] },
  { shape: 'fw_[A-Za-z0-9]{20,}', holds: ['fw_'] },
  // Clouds
  { shape: 'A(?:KI|SI)A[A-Z0-9]{16}\\b', holds: ['AKI', 'ASI'] },
  { shape: 'AIza[\\w-]{30,}', holds: ['AIz'] },
  { shape: 'ya29\\.[\\w-]{20,}', holds: ['ya2'] },
  { shape: 'GOCSPX-[\\w-]{20,}', holds: ['GOC'] },
  { shape: 'do[opr]_v1_[a-f0-9]{40,}', holds: ['doo', 'dop', 'dor'] },
  { shape: 'dapi[a-f0-9]{32}\\b', holds: ['dap'] },
  { shape: 'hv[sbr]\\.[\\w-]{20,}', holds: ['hvs', 'hvb', 'hvr'] },
  { shape: 'tskey-[a-z]+-[\\w-]{16,}', holds: ['tsk'], there: 'tskey-' },
  { shape: 'AGE-SECRET-KEY-1[A-Z0-9]{50,}', holds: ['AGE'] },
  // Code and packages
  { shape: 'gh[pousr]_\\w{20,}', holds: ['ghp', 'gho', 'ghu', 'ghs', 'ghr'] },
  { shape: 'github_pat_\\w{20,}', holds: ['git'] },
  { shape: 'gl(?:pat|dt|rt|cbt|ptt|soat)-[\\w-]{16,}', holds: ['glp', 'gld', 'glr', 'glc', 'gls'] },
  { shape: 'ATATT3[\\w=-]{20,}', holds: ['ATA'] },
  { shape: 'ATBB\\w{24,}', holds: ['ATB'] },
  { shape: 'npm_[A-Za-z0-9]{30,}', holds: ['npm'] },
  { shape: 'pypi-AgE[\\w-]{16,}', holds: ['pyp'] },
  { shape: 'rubygems_[a-f0-9]{40,}', holds: ['rub'] },
  { shape: 'dckr_pat_[\\w-]{20,}', holds: ['dck'] },
  { shape: 'sbp_[a-f0-9]{40}\\b', holds: ['sbp'] },
  // Services
  { shape: 'xox[abeoprs]-[\\w-]{10,}', holds: ['xox'] },
  { shape: 'xapp-\\d-[\\w-]{16,}', holds: ['xap'] },
  { shape: '(?:sk|pk|rk)_(?:live|test)_\\w{16,}', holds: ['sk_', 'pk_', 'rk_'] },
  { shape: 'whsec_[A-Za-z0-9+/]{20,}', holds: ['whs'] },
  { shape: 'SG\\.[\\w-]{16,}\\.[\\w-]{16,}', holds: ['SG.'], there: 'SG\\.[\\w-]{16}' },
  { shape: 'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}', holds: ['shp'] },
  { shape: 'sq0(?:atp|csp|idp)-[\\w-]{20,}', holds: ['sq0'] },
  { shape: 'key-[a-f0-9]{32}\\b', holds: ['key'] },
  { shape: '[a-f0-9]{32}-us\\d{1,2}\\b', holds: ['-us'], there: '(?<=[a-f0-9]{32})-us\\d' },
  { shape: 'SK[a-f0-9]{32}\\b', holds: ['SK?'] },
  { shape: 'lin_api_\\w{30,}', holds: ['lin'] },
  { shape: 'ntn_[A-Za-z0-9]{30,}', holds: ['ntn'] },
  { shape: 'figd_[\\w-]{30,}', holds: ['fig'] },
  { shape: 'sntry[su]_[\\w+/=-]{30,}', holds: ['snt'] },
  { shape: 'glsa_\\w{30,}', holds: ['gls'] },
  { shape: 'NRAK-[A-Z0-9]{20,}', holds: ['NRA'] },
  { shape: 'PMAK-[a-f0-9-]{30,}', holds: ['PMA'] },
  { shape: '\\d{8,10}:AA[\\w-]{33}', holds: [':AA'], there: '(?<=\\d{8}):AA[\\w-]{33}' },
  {
    shape: '[MNO][\\w-]{23}\\.[\\w-]{6}\\.[\\w-]{27,}',
    holds: ['.??'],
    there: '\\.[\\w-]{6}\\.(?<=[MNO][\\w-]{23}\\.[\\w-]{6}\\.)[\\w-]{27}',
  },
  // Signed
  { shape: 'eyJ(?:(?![_-]eyJ)[\\w-]){8,}\\.[\\w-]{8,}\\.[\\w-]*', holds: ['eyJ'], there: 'eyJ[\\w-]{8}' },
];

const secretNames =
  'api[_-]?key|access[_-]?key|account[_-]?key|secret(?:[_-]?key)?|token|passw(?:or)?d|passphrase|credentials?';

const anchored: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  new RegExp(`(?<![A-Za-z0-9])(?:${issuedTokens.map(({ shape }) => shape).join('|')})`, 'g'),
  /(?<=\s)(?=[\w.~+/-]{12})(?<=\b(?:bearer|basic)\s+)(?=[\w.~+/%-]*\d)[\w.~+/-]{12,}=*/gi,
  /(?<=:\/\/[^\s:/@]{0,100}:)[^\s:/@]{3,}(?=@)/g,
  /(?<=hooks\.slack\.com\/services\/)[\w/]{20,}/g,
];

/**
 * Values assigned to a name such as key or password. Code contains such names all the time, so the value must also look
 * random.
 */
const assigned = new RegExp(
  `(?<=(?:${secretNames})["']?\\s{0,3}[:=]\\s{0,3}["']?)[^\\s"'\`,;(){}<>[\\]\\\\]{12,200}`,
  'gi',
);

/** The same for short texts that nobody works with: any value counts. */
const anyAssigned = new RegExp(`(?<=(?:${secretNames})["']?\\s{0,3}[:=]\\s{0,3}["']?)[^\\s"',;]{6,}`, 'gi');

const withoutShapes = (text: string): string => anchored.reduce((masked, shape) => masked.replace(shape, MASK), text);

/**
 * Masks everything that clearly looks like a secret. Text that only might be one, such as code about passwords, is
 * kept.
 */
export const maskShapes = (text: string): string =>
  withoutShapes(text).replace(assigned, (value) => (looksRandom(value) ? MASK : value));

/**
 * Masks everything that may be a secret, for excerpts of other conversations. The name of a secret is kept, so that
 * readers see what was there.
 */
export const withoutSecrets = (text: string): string =>
  withoutShapes(text).replace(anyAssigned, (value) => (MASK.startsWith(value) ? value : MASK));

/** Characters that the other shapes contain, with the pattern at their position. The rules of `Shape.there` apply. */
const otherPlaces: readonly { readonly holds: readonly string[]; readonly there: RegExp }[] = [
  { holds: ['beg'], there: /BEGIN (?:[A-Z ]{0,60}?PRIVATE KEY|[A-Z ]{60})/y },
  {
    holds: ['bea', 'bas'],
    there: /(?:bearer|basic)\s{1,99}(?:\s|(?=[\w.~+/-]{12})(?=[\w.~+/%-]{0,500}?\d|[\w.~+/%-]{501}))/iy,
  },
  { holds: ['://'], there: /:\/\/[^\s:/@]{0,100}:(?:[^\s:/@]{3,500}@|[^\s:/@]{500})/y },
  { holds: ['hoo'], there: /hooks\.slack\.com\/services\/[\w/]{20}/y },
  {
    holds: ['api', 'acc', 'sec', 'tok', 'pas', 'cre'],
    there: new RegExp(
      `(?:${secretNames})["']?\\s{0,3}[:=]\\s{0,3}["']?(?=[^\\s"'\`,;(){}<>[\\]\\\\]{0,200}\\d)[^\\s"'\`,;(){}<>[\\]\\\\]{12}`,
      'iy',
    ),
  },
];

/** Number of characters before and after a position that determine whether a secret may begin there. */
export const shapeNeeds = 1024;

/**
 * Adds a character to the hash of the last three, 5 bits each. Upper and lower case are the same, and so are a few
 * symbols. Literal numbers, because reading named constants for each character of a long text is measurably slower.
 */
const withNext = (three: number, code: number): number => ((three << 5) | (code & 31)) & 0x7fff;
const threes = 0x8000;
const wordCharacters = 'abcdefghijklmnopqrstuvwxyz0123456789_-';

function* foldedThrees(holds: string): Generator<number> {
  const choices = Array.from(holds, (character) => (character === '?' ? wordCharacters : character));
  for (const one of choices[0]!)
    for (const two of choices[1]!)
      for (const three of choices[2]!)
        yield [one, two, three].reduce((folded, each) => withNext(folded, each.charCodeAt(0)), 0);
}

/** If the three characters of a shape occur, one of these regular expressions must match there. */
interface Places {
  readonly isHeld: Uint8Array;
  readonly at: ReadonlyMap<number, readonly RegExp[]>;
}

function placesOf(): Places {
  const isHeld = new Uint8Array(threes);
  const at = new Map<number, RegExp[]>();
  const ofTokens = issuedTokens.map((token) => ({ holds: token.holds, there: new RegExp(shapeInText(token), 'y') }));
  for (const { holds, there } of [...ofTokens, ...otherPlaces])
    for (const three of holds.flatMap((each) => [...foldedThrees(each)])) {
      isHeld[three] = 1;
      at.set(three, [...(at.get(three) ?? []), there]);
    }
  return { isHeld, at };
}

let places: Places | undefined;

/** Flags for three characters: a shape contains them; a known value may start with the last two. */
const [isOfShape, isOfKnown] = [1, 2];

/** Returns the flags of all three-character hashes, including known values that start with these pairs of codes. */
export function placesWith(pairs: Iterable<readonly [number, number]>): Uint8Array {
  places ??= placesOf();
  const found = places.isHeld.slice();
  for (const [one, two] of pairs) {
    const pair = withNext(withNext(0, one), two);
    for (let three = pair; three < threes; three += 0x400) found[three]! |= isOfKnown;
  }
  return found;
}

/**
 * Returns whether a text may contain something that looks like a secret. A lookup for each three characters rules out
 * nearly all positions, at about a twentieth of the cost of masking. May return true too often, never too rarely. With
 * `found` from `placesWith`, also returns true if `isKnownAt` confirms a position where a known value may begin.
 */
export function mayHoldShape(
  text: string,
  found?: Uint8Array,
  isKnownAt: (codes: CharacterCodes, at: number) => boolean = () => false,
): boolean {
  places ??= placesOf();
  const { isHeld, at: expressionsAt } = places;
  const kinds = found ?? isHeld;
  const codes = characterCodes(text);
  const { length } = codes;
  let three = 0;
  for (let index = 0; index < length; index++) {
    three = withNext(three, codes[index]!);
    const kind = kinds[three]!;
    if (kind === 0) continue;
    if (kind >= isOfKnown && index > 0 && isKnownAt(codes, index - 1)) return true;
    if ((kind & isOfShape) === 0 || index < 2) continue;
    for (const expression of expressionsAt.get(three)!) {
      expression.lastIndex = index - 2;
      if (expression.test(text)) return true;
    }
  }
  return false;
}

/** Matches the start of a possible secret at the end of a text, which only the following text can confirm. */
const unfinished = new RegExp(
  `-----[A-Z][A-Z ]*-*$|-{1,5}$|:\\/\\/[^\\s:/@]{0,100}:[^\\s/@]*$|(?:bearer|basic)\\s+\\S*$|(?:${secretNames})["']?\\s{0,3}(?:[:=]\\s{0,3}["']?[^\\s"',;]*)?$`,
  'i',
);

/** Where the unfinished part can begin, in characters before the end of the text. */
const maxUnfinished = 4096;

/** Returns the length of the part of a text that certainly does not end within a secret. */
export function finishedLength(text: string): number {
  const from = Math.max(0, text.length - maxUnfinished);
  const at = text.slice(from).search(unfinished);
  return Math.min(at < 0 ? text.length : from + at, lastWord(text, from));
}

/** Returns the start of the last word, or the length of the text if it does not end with a word. */
function lastWord(text: string, from: number): number {
  let word = text.length;
  for (let at = text.length - 1; at >= from && /[\w.~+/=:@-]/.test(text[at]!); at--)
    if (/[A-Za-z0-9]/.test(text[at]!)) word = at;
  return word;
}

/** Returns whether a value mixes letters and digits with few repeated characters. */
function looksRandom(value: string): boolean {
  if (
    !/\d/.test(value) ||
    !/[A-Za-z]/.test(value) ||
    value.startsWith('$') ||
    /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/.test(value)
  )
    return false;
  return bitsPerLetter(value) >= 3.2;
}

/** Shannon entropy per character. */
function bitsPerLetter(text: string): number {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return [...counts.values()].reduce((bits, count) => bits - (count / text.length) * Math.log2(count / text.length), 0);
}
