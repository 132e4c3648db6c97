/**
 * ★ Kinds of mentions in a message, by the word after the `@`. How each is offered and read is in
 * extension/context/mentionKinds.ts.
 */
const mentionNames = [
  'file',
  'folder',
  'selection',
  'problems',
  'terminal',
  'git',
  'symbol',
  'url',
  'session',
  'resource',
] as const;
/** The word after "@". */
export type MentionName = (typeof mentionNames)[number];

/** Mentions that need no argument. */
const alone: ReadonlySet<string> = new Set<MentionName>(['selection', 'problems', 'terminal', 'git']);

/** Something mentioned in a message. */
export interface Mention {
  readonly kind: MentionName;
  /** Such as "src/a.ts:10-20", "diff" or a URL, without quotes. Empty if the kind needs none. */
  readonly argument: string;
  /** The text in the message, with the `@`. */
  readonly written: string;
  /**
   * True if the person named the kind or quoted the argument. A bare word may be something else, such as a package or a
   * decorator.
   */
  readonly certain: boolean;
}

/** Punctuation of languages without spaces. It ends a word. */
const wideMarks = '，。、；：！？（）「」『』【】《》…';

/** What may precede the `@` of a mention: whitespace, a bracket, or a character of a language without spaces. */
const mayPrecede = String.raw`(?<![^\s([{,;${wideMarks}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])`;

const shape = new RegExp(
  String.raw`${mayPrecede}@(?:([a-z]+):(?!\/\/))?(?:"((?:[^"\n]|"")+)"(:\d+(?:-\d+)?)?|([^\s"${wideMarks}]+))`,
  'gu',
);

/**
 * Returns the mentions of a message without duplicates, in order. Ignores code, because it is not the person's own
 * text.
 */
export function mentionsIn(text: string): Mention[] {
  const found = new Map<string, Mention>();
  for (const match of withoutCode(text).matchAll(shape)) {
    const mention = mentionOf(match);
    if (mention && !found.has(mention.written)) found.set(mention.written, mention);
  }
  return [...found.values()];
}

function mentionOf([, named, quoted, range = '', loose = '']: RegExpMatchArray): Mention | undefined {
  const bare = named !== undefined && /^\.[,;:!?)]*$/.test(loose) ? '.' : withoutEnd(loose);
  const argument = quoted === undefined ? bare : quoted.replaceAll('""', '"') + range;
  const isQuoted = quoted !== undefined;
  const written = `@${named === undefined ? '' : `${named}:`}${isQuoted ? `"${quoted}"${range}` : bare}`;
  if (argument === '') return undefined;
  if (named !== undefined) return isName(named) ? { kind: named, argument, written, certain: true } : undefined;
  if (!isQuoted && alone.has(argument)) return { kind: argument as MentionName, argument: '', written, certain: true };
  if (/^https?:\/\/[^/]/i.test(argument)) return { kind: 'url', argument, written, certain: true };
  return { kind: /[/\\]$/.test(argument) ? 'folder' : 'file', argument, written, certain: isQuoted };
}

/**
 * Removes trailing punctuation of the sentence. A closing bracket is kept if it was opened in the word: "Foo_(bar)".
 */
function withoutEnd(word: string): string {
  let end = word.length;
  for (; end > 0 && /[.,;:!?)\]}'"]/.test(word[end - 1]!); end--) {
    const opening = { ')': '(', ']': '[', '}': '{' }[word[end - 1]!];
    const count = (sign: string): number => word.slice(0, end).split(sign).length;
    if (opening !== undefined && count(opening) >= count(word[end - 1]!)) break;
  }
  return word.slice(0, end);
}

const isName = (word: string): word is MentionName => (mentionNames as readonly string[]).includes(word);

const withoutCode = (text: string): string =>
  text.replace(
    /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n[\s\S]*?(?:^ {0,3}\1`*~*[ \t]*$|$(?![\s\S]))|`[^`\n]+`/gmu,
    (code) => code.replace(/[^\n]/g, ' '),
  );

/** Writes a mention of a path, quoted if necessary; quotes in it are doubled. `range`: lines. */
export function mentionOfPath(path: string, range?: { readonly from: number; readonly to: number }): string {
  const lines = range ? `:${range.from}${range.to === range.from ? '' : `-${range.to}`}` : '';
  return mustBeQuoted.test(path) || (mentionNames as readonly string[]).includes(path)
    ? `@"${path.replaceAll('"', '""')}"${lines}`
    : `@${path}${lines}`;
}

/**
 * Writes a mention with its kind, quoted if necessary; quotes in it are doubled. `open`: the person will continue
 * typing at its end.
 */
export function mentionOfKind(
  kind: MentionName,
  argument: string,
  { open = false }: { readonly open?: boolean } = {},
): string {
  const endsInSign = /[.,;:!?)\]}']$/.test(argument);
  if (!endsEarly.test(argument) && (open || !endsInSign)) return `@${kind}:${argument}`;
  const quoted = `"${argument.replaceAll('"', '""')}`;
  return `@${kind}:${quoted}${open ? '' : '"'}`;
}

const endsEarly = new RegExp(`[\\s"${wideMarks}]`, 'u');

const mustBeQuoted = new RegExp(`[\\s"${wideMarks}]|[.,;:!?)\\]}']$|^[a-z]+:`, 'u');

/** A path with 1-based line numbers, which are absent for the whole file. */
export interface PlaceInFile {
  readonly path: string;
  readonly from?: number;
  readonly to?: number;
}

/** Parses "src/a.ts:10-20", or "src/a.ts:10:5" as compilers write it. The column is ignored. */
export function rangeIn(argument: string): PlaceInFile {
  const [, path, first, last] = /^(.+?):(\d+)(?::\d+)?(?:-(\d+)(?::\d+)?)?$/s.exec(argument) ?? [];
  if (path === undefined) return { path: argument };
  const [from, to] = [Number(first), Number(last ?? first)].sort((a, b) => a - b) as [number, number];
  return { path, from: Math.max(1, from), to: Math.max(1, to) };
}

/**
 * Returns the possible meanings of an argument, longest path first, because a file may be named "a:12". The first that
 * exists counts; if none exists, the last.
 */
export function placesIn(argument: string): PlaceInFile[] {
  const last = rangeIn(argument);
  if (last.from === undefined) return [last];
  const [, path, lines] = /^(.+:\d+)(:\d+(?:-\d+)?)$/s.exec(argument) ?? [];
  return [{ path: argument }, ...(path !== undefined ? [{ ...rangeIn(`x${lines}`), path }] : []), last];
}

/**
 * Parses "src/a.ts#name" into file and name. The name may start with "#" itself, like private names in JavaScript. The
 * file is absent if only a name is given.
 */
export function symbolIn(argument: string): { readonly name: string; readonly path?: string } {
  const [, path, name = argument] = /^(?:(.+?)#)?(#?[^#]*)$/s.exec(argument) ?? [];
  return { name, ...(path !== undefined && { path }) };
}

/**
 * What is being typed at the end of a text, for completion. `length`: characters from the sign on, which a choice
 * replaces.
 */
export interface Typed {
  readonly sign: '/' | '@';
  readonly query: string;
  readonly length: number;
}

const typedMention = new RegExp(String.raw`${mayPrecede}@((?:[a-z]+:)?(?:"[^"\n]*|[^\s"]*))$`, 'u');

/** Returns the mention or command before the cursor. A command is recognized only at the start of a message. */
export function typedAt(before: string): Typed | undefined {
  const command = /^\s*\/(\S*)$/.exec(before);
  if (command) return { sign: '/', query: command[1]!, length: command[1]!.length + 1 };
  const mention = typedMention.exec(before);
  if (!mention) return undefined;
  return { sign: '@', query: mention[1]!.replace('"', ''), length: mention[1]!.length + 1 };
}
