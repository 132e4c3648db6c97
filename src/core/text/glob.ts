import { withCommas } from './withCommas';

/** Set of reachable positions in a text: one byte per position, 1 if reachable. */
type Places = Uint8Array;

/**
 * Part of a pattern: maps positions where it may begin to positions where it may end. Visits each position once, so no
 * pattern is slow.
 */
type Matcher = (text: string, from: Places) => Places;

const maxGlobLength = 500;
/** Maximum length of a path on any supported system (PATH_MAX). */
const maxPathLength = 4096;

/**
 * Returns a function that tests whether a path with "/" matches a glob. Supported: `*`, `?`, `**`, `[a-z]`, `{a,b}`,
 * `{1..9}`, extended globs such as `@(a|b)`, and a leading "!". Names that start with a dot match like all others.
 * Matching never backtracks, so no pattern can cause catastrophic run time. If the pattern is invalid, throws an
 * `Error` whose message is the end of a sentence about it.
 */
export function globMatcher(glob: string): (path: string) => boolean {
  const [, not, plain] = /^(!(?!\())?(?:\.?\/)*([^]*)/.exec(glob)!;
  if (plain === '') throw new Error('matches nothing');
  if (glob.length > maxGlobLength)
    throw new Error(`has ${withCommas(glob.length)} characters; at most ${maxGlobLength} are allowed`);
  const fits = sequence(matchersOf(plain!, { isInside: false, before: '/' }));
  return (path) => {
    const text = path.replace(/^(?:\.\/)+|\/$/g, '');
    if (text.length > maxPathLength || /(?:^|\/)\.\.(?:\/|$)/.test(text)) return false;
    const start = new Uint8Array(text.length + 1);
    start[0] = 1;
    return (fits(text, start)[text.length] === 1) !== (not !== undefined);
  };
}

/** Returns what is wrong with a pattern as the end of a sentence about it, or undefined if it is valid. */
export function globProblem(glob: string): string | undefined {
  try {
    globMatcher(glob);
    return undefined;
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

const none = (text: string): Places => new Uint8Array(text.length + 1);
const sequence =
  (parts: readonly Matcher[]): Matcher =>
  (text, from) =>
    parts.reduce((places, part) => part(text, places), from);

const one =
  (fits: (sign: string) => boolean): Matcher =>
  (text, from) => {
    const ends = none(text);
    for (let at = 0; at < text.length; at++) if (from[at] && fits(text[at]!)) ends[at + 1] = 1;
    return ends;
  };
const sign = (wanted: string): Matcher => one((character) => character === wanted);

const slash = sign('/');

const many =
  (fits: (sign: string) => boolean): Matcher =>
  (text, from) => {
    const ends = from.slice();
    for (let at = 0; at < text.length; at++) if (ends[at] && fits(text[at]!)) ends[at + 1] = 1;
    return ends;
  };
const inName = (character: string): boolean => character !== '/';
const star = many(inName);
const anything = many(() => true);

/** A `**` segment and the slash after it: matches nothing, or any number of folders. */
const folders: Matcher = (text, from) =>
  anything(text, from).map((reached, index) => (from[index] || (reached && text[index - 1] === '/') ? 1 : 0));

/** A final `/**`: matches the folder itself and everything in it. */
const below: Matcher = (text, from) => union([from, anything(text, slash(text, from))], text);

const union = (all: readonly Places[], text: string): Places =>
  all.reduce((sum, each) => sum.map((reached, index) => reached | each[index]!), none(text));
const either =
  (options: readonly Matcher[]): Matcher =>
  (text, from) =>
    union(
      options.map((option) => option(text, from)),
      text,
    );

const repeated =
  (part: Matcher): Matcher =>
  (text, from) => {
    const ends = from.slice();
    for (let fresh = from; fresh.includes(1);) {
      fresh = part(text, fresh).map((reached, index) => (reached && !ends[index] ? 1 : 0));
      fresh.forEach((reached, index) => {
        if (reached) ends[index] = 1;
      });
    }
    return ends;
  };

/** `!(…)`: matches the rest of a name, except what the part matches. */
const except =
  (part: Matcher): Matcher =>
  (text, from) => {
    const ends = none(text);
    from.forEach((reached, index) => {
      if (!reached) return;
      const start = none(text);
      start[index] = 1;
      const left = part(text, start);
      star(text, start).forEach((end, place) => {
        if (end && !left[place]) ends[place] = 1;
      });
    });
    return ends;
  };

const groups: Readonly<Record<string, (part: Matcher) => Matcher>> = {
  '@': (part) => part,
  '?': (part) => either([part, sequence([])]),
  '*': repeated,
  '+': (part) => sequence([part, repeated(part)]),
  '!': except,
};

/** Where a part of a glob is. */
interface GlobContext {
  /** True inside a bracket such as `*(…)`, which must not contain another one. */
  readonly isInside: boolean;
  /** The character before the part; a slash at the beginning. */
  readonly before: string;
}

/** A part of a glob, with the number of characters that it takes. */
interface GlobPart {
  readonly matcher: Matcher;
  readonly length: number;
  /** True if the part also matches what the slash before it matches. */
  readonly replacesSlash?: boolean;
}

function matchersOf(glob: string, { isInside, before }: GlobContext): Matcher[] {
  const matchers: Matcher[] = [];
  for (let at = 0; at < glob.length;) {
    const here = { isInside, before: at === 0 ? before : glob[at - 1]! };
    const part =
      groupAt(glob, at, here) ?? doubleStarAt(glob, at, here, matchers.at(-1) === slash) ?? characterAt(glob, at);
    if (part.replacesSlash) matchers.pop();
    matchers.push(part.matcher);
    at += part.length;
  }
  return matchers;
}

/** Reads `{a,b}`, `{1..9}`, `(a|b)` and `@(a|b)`. A bracket that is not closed, or with one word in braces, is literal. */
function groupAt(glob: string, at: number, context: GlobContext): GlobPart | undefined {
  const hasKind = glob[at + 1] === '(' && glob[at]! in groups;
  const opens = hasKind ? at + 1 : at;
  const bracket = glob[opens]!;
  const end = bracket === '(' || bracket === '{' ? closing(glob, opens) : -1;
  if (end < 0) return undefined;
  const words = glob.slice(opens + 1, end);
  const length = end + 1 - at;
  if (bracket === '{') {
    const matcher = bracesOf(words, context);
    return matcher && { matcher, length };
  }
  const kind = hasKind ? glob[at]! : '@';
  if (context.isInside && kind !== '@') throw new Error(`has "${kind}(" inside another such bracket`);
  const isInside = context.isInside || kind !== '@';
  return { matcher: groups[kind]!(eitherOf(split(words, '|'), { ...context, isInside })), length };
}

function bracesOf(words: string, context: GlobContext): Matcher | undefined {
  const options = split(words, ',');
  return options.length === 1 ? rangeIn(words) : eitherOf(options, context);
}

const eitherOf = (options: readonly string[], context: GlobContext): Matcher =>
  either(options.map((option) => sequence(matchersOf(option, context))));

/** Reads `**` if it is a whole segment. */
function doubleStarAt(glob: string, at: number, { before }: GlobContext, isAfterSlash: boolean): GlobPart | undefined {
  const stars = starsAt(glob, at);
  const isLast = at + stars === glob.length;
  if (stars < 2 || before !== '/' || !(isLast || glob[at + stars] === '/')) return undefined;
  if (!isLast) return { matcher: folders, length: stars + 1 };
  // "src/**" also matches "src", but "*/**" does not match top-level files.
  const replacesSlash = isAfterSlash && !/(?:^|\/)\*+\/$/.test(glob.slice(0, at));
  return { matcher: replacesSlash ? below : anything, length: stars, replacesSlash };
}

const starsAt = (glob: string, at: number): number => /^\*+/.exec(glob.slice(at))?.[0].length ?? 0;

/** Reads `*`, `?`, `[a-z]` or one character, which may be escaped. */
function characterAt(glob: string, at: number): GlobPart {
  const [here, next] = [glob[at]!, glob[at + 1]];
  const stars = starsAt(glob, at);
  if (stars > 0) return { matcher: star, length: stars };
  if (here === '?') return { matcher: one(inName), length: 1 };
  const [list, not, characters] = here === '[' ? (listAtStart.exec(glob.slice(at)) ?? []) : [];
  if (list !== undefined && characters) return { matcher: oneOf(characters, not !== ''), length: list.length };
  const length = here === '\\' && next !== undefined ? 2 : 1;
  const character = glob[at + length - 1]!;
  return { matcher: character === '/' ? slash : sign(character), length };
}

const listAtStart = /^\[([!^]?)(\]?(?:\[:\w+:\]|\\.|[^\]\\])*)\]/s;

const classes: Readonly<Record<string, RegExp>> = {
  alpha: /\p{L}/u,
  digit: /\d/,
  alnum: /[\p{L}\d]/u,
  upper: /\p{Lu}/u,
  lower: /\p{Ll}/u,
  space: /\s/,
  punct: /[!-/:-@[-`{-~]/,
  word: /\w/,
  xdigit: /[\da-f]/i,
};

function oneOf(list: string, isNot: boolean): Matcher {
  const tests = [...list.matchAll(/\[:(\w+):\]|(\\.|[^])-(\\.|[^])|\\?([^])/g)].map(
    ([, named, first, last, single]) =>
      (character: string): boolean => {
        if (named !== undefined) return classes[named]?.test(character) ?? false;
        return first === undefined ? character === single : character >= first.at(-1)! && character <= last!.at(-1)!;
      },
  );
  return one((character) => inName(character) && tests.some((test) => test(character)) !== isNot);
}

/** Matches a range such as "1..12" or "a..e". */
function rangeIn(words: string): Matcher | undefined {
  const [, first, last] = /^(-?\d{1,9}|[a-z])\.\.(-?\d{1,9}|[a-z])$/i.exec(words) ?? [];
  if (first === undefined || /\d/.test(first) !== /\d/.test(last!)) return undefined;
  if (!/\d/.test(first))
    return one((character) => character >= [first, last!].sort()[0]! && character <= [first, last!].sort()[1]!);
  const [from, to] = [Number(first), Number(last)].sort((a, b) => a - b) as [number, number];
  return (text, places) => {
    const ends = none(text);
    places.forEach((reached, index) => {
      const digits = reached ? (/^-?\d{1,10}/.exec(text.slice(index, index + 11))?.[0] ?? '') : '';
      for (let length = 1; length <= digits.length; length++)
        if (Number(digits.slice(0, length)) >= from && Number(digits.slice(0, length)) <= to) ends[index + length] = 1;
    });
    return ends;
  };
}

/** Returns the index of the closing bracket. Returns -1 if there is none; the opening bracket is then literal. */
function closing(glob: string, opens: number): number {
  const inside: string[] = [];
  for (let at = opens; at < glob.length; at++) {
    const here = glob[at]!;
    if (here === '\\') at++;
    else if (here === '(' || here === '{') inside.push(here === '(' ? ')' : '}');
    else if (here === inside.at(-1) && inside.pop() && inside.length === 0) return at;
  }
  return -1;
}

function split(words: string, by: string): string[] {
  const found = [''];
  for (let index = 0, depth = 0; index < words.length; index++) {
    const here = words[index]!;
    if (here === by && depth === 0) {
      found.push('');
      continue;
    }
    if (here === '(' || here === '{') depth++;
    if (here === ')' || here === '}') depth--;
    found.push(found.pop()! + here + (here === '\\' ? (words[++index] ?? '') : ''));
  }
  return found;
}
