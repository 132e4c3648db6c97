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
  const fits = sequence(regexParts(plain!, { isInside: false }));
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

function regexParts(
  glob: string,
  { isInside, before = '/' }: { readonly isInside: boolean; readonly before?: string },
): Matcher[] {
  const parts: Matcher[] = [];
  for (let at = 0; at < glob.length;) {
    const [here, next] = [glob[at]!, glob[at + 1]];
    const brace = here === '(' || here === '{' ? at : -1;
    const opens = next === '(' && here in groups ? at + 1 : brace;
    const end = opens < 0 ? -1 : closing(glob, opens);
    const options = end < 0 ? [] : split(glob.slice(opens + 1, end), glob[opens] === '{' ? ',' : '|');
    const start = at === 0 ? before : glob[at - 1]!;
    if (options.length > 0 && glob[opens] === '{') {
      const range = options.length === 1 ? rangeIn(options[0]!) : undefined;
      if (range || options.length > 1) {
        parts.push(range ?? either(options.map((option) => sequence(regexParts(option, { isInside, before: start })))));
        at = end + 1;
        continue;
      }
    } else if (options.length > 0) {
      const kind = opens === at ? '@' : here;
      if (isInside && kind !== '@') throw new Error(`has "${kind}(" inside another such bracket`);
      parts.push(
        groups[kind]!(
          either(
            options.map((option) =>
              sequence(regexParts(option, { isInside: isInside || kind !== '@', before: start })),
            ),
          ),
        ),
      );
      at = end + 1;
      continue;
    }
    const stars = /^\*+/.exec(glob.slice(at))?.[0].length ?? 0;
    if (stars > 1 && start === '/' && (at + stars === glob.length || glob[at + stars] === '/')) {
      const isLast = at + stars === glob.length;
      // "src/**" also matches "src", but "*/**" does not match top-level files.
      const isFolder = isLast && parts.at(-1) === slash && !/(?:^|\/)\*+\/$/.test(glob.slice(0, at));
      if (isFolder) parts.pop();
      const rest = isFolder ? below : anything;
      parts.push(isLast ? rest : folders);
      at += stars + (isLast ? 0 : 1);
      continue;
    }
    const list = here === '[' ? /^\[([!^]?)(\]?(?:\[:\w+:\]|\\.|[^\]\\])*)\]/s.exec(glob.slice(at)) : null;
    if (stars > 0) {
      parts.push(star);
      at += stars;
    } else if (here === '?') {
      parts.push(one(inName));
      at++;
    } else if (list && list[2] !== '') {
      parts.push(oneOf(list[2]!, list[1] !== ''));
      at += list[0].length;
    } else {
      const length = here === '\\' && next !== undefined ? 2 : 1;
      parts.push(glob[at + length - 1] === '/' ? slash : sign(glob[at + length - 1]!));
      at += length;
    }
  }
  return parts;
}

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
