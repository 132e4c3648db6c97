/**
 * ★ What a person can point at in a message, by the word after the `@`. How each is offered and read
 * is in extension/context/mentionKinds.ts.
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
export type MentionName = (typeof mentionNames)[number];

/** Those that mean something without an argument. */
const alone: ReadonlySet<string> = new Set<MentionName>(['selection', 'problems', 'terminal', 'git']);

/** Something that a message points at. */
export interface Mention {
  readonly kind: MentionName;
  /** "src/a.ts:10-20", "diff", an address; empty where the kind stands alone. Without quotes. */
  readonly argument: string;
  /** As it stands in the message, with the `@`. */
  readonly written: string;
  /**
   * Whether the person named the kind or quoted the argument, and so can only have meant this. A bare word may
   * be something else: a package, a decorator.
   */
  readonly certain: boolean;
}

/** Marks of languages that set no blanks: a word ends at them. */
const wideMarks = '，。、；：！？（）「」『』【】《》…';

/** What may stand before the sign of a mention: a blank, a bracket, and words of languages that set no blanks. */
export const mayPrecede = String.raw`(?<![^\s([{,;${wideMarks}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}])`;

const shape = new RegExp(
  String.raw`${mayPrecede}@(?:([a-z]+):(?!\/\/))?(?:"((?:[^"\n]|"")+)"(:\d+(?:-\d+)?)?|([^\s"${wideMarks}]+))`,
  'gu',
);

/**
 * What a message points at, each thing once, in the order of the message. Code in it is not searched: it is not the
 * person's own words.
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
 * Without the marks of the sentence that it stands in. A bracket that was opened in the word belongs to it:
 * "Foo_(bar)".
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

/** A mention as it is written: quoted where it must be, a quote in it twice. `range`: lines. */
export function mentionOfPath(path: string, range?: { readonly from: number; readonly to: number }): string {
  const lines = range ? `:${range.from}${range.to === range.from ? '' : `-${range.to}`}` : '';
  return mustBeQuoted.test(path) || (mentionNames as readonly string[]).includes(path)
    ? `@"${path.replaceAll('"', '""')}"${lines}`
    : `@${path}${lines}`;
}

/**
 * A mention by its kind as it is written: quoted where it must be, a quote in it twice.
 * `open`: more is to be written at its end.
 */
export function mentionOfKind(kind: MentionName, argument: string, open = false): string {
  const endsInSign = /[.,;:!?)\]}']$/.test(argument);
  if (!endsEarly.test(argument) && (open || !endsInSign)) return `@${kind}:${argument}`;
  const quoted = `"${argument.replaceAll('"', '""')}`;
  return `@${kind}:${quoted}${open ? '' : '"'}`;
}

const endsEarly = new RegExp(`[\\s"${wideMarks}]`, 'u');

const mustBeQuoted = new RegExp(`[\\s"${wideMarks}]|[.,;:!?)\\]}']$|^[a-z]+:`, 'u');

/** A path, and its lines from 1. The lines are absent where the whole is meant. */
export interface PlaceInFile {
  readonly path: string;
  readonly from?: number;
  readonly to?: number;
}

/** "src/a.ts:10-20", or as compilers say it "src/a.ts:10:5", where the column does not count. */
export function rangeIn(argument: string): PlaceInFile {
  const [, path, first, last] = /^(.+?):(\d+)(?::\d+)?(?:-(\d+)(?::\d+)?)?$/s.exec(argument) ?? [];
  if (path === undefined) return { path: argument };
  const [from, to] = [Number(first), Number(last ?? first)].sort((a, b) => a - b) as [number, number];
  return { path, from: Math.max(1, from), to: Math.max(1, to) };
}

/**
 * What an argument may mean, the longest path first: a file may be called "a:12". What is there decides;
 * the last is what is meant where nothing is.
 */
export function placesIn(argument: string): PlaceInFile[] {
  const last = rangeIn(argument);
  if (last.from === undefined) return [last];
  const [, path, lines] = /^(.+:\d+)(:\d+(?:-\d+)?)$/s.exec(argument) ?? [];
  return [{ path: argument }, ...(path !== undefined ? [{ ...rangeIn(`x${lines}`), path }] : []), last];
}

/**
 * "src/a.ts#name" → the file and the name, which may begin with "#" itself, as what is private does in JavaScript. The
 * file is absent where only a name is given.
 */
export function symbolIn(argument: string): { readonly name: string; readonly path?: string } {
  const [, path, name = argument] = /^(?:(.+?)#)?(#?[^#]*)$/s.exec(argument) ?? [];
  return { name, ...(path !== undefined && { path }) };
}

/**
 * What is being typed at the end of a text that completion can help with. `length`: characters
 * from the sign on, which a choice replaces.
 */
interface Typed {
  readonly sign: '/' | '@';
  readonly query: string;
  readonly length: number;
}

const typedMention = new RegExp(String.raw`${mayPrecede}@((?:[a-z]+:)?(?:"[^"\n]*|[^\s"]*))$`, 'u');

/** The mention in the text before the cursor. A command is only recognised at the very beginning of a message. */
export function typedAt(before: string): Typed | undefined {
  const command = /^\s*\/(\S*)$/.exec(before);
  if (command) return { sign: '/', query: command[1]!, length: command[1]!.length + 1 };
  const mention = typedMention.exec(before);
  if (!mention) return undefined;
  return { sign: '@', query: mention[1]!.replace('"', ''), length: mention[1]!.length + 1 };
}
