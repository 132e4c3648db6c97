import { exactlyOneOf } from '../../text/alternatives';
import type { Level } from '../effects/effect';
import { literal, unknown, type Value, splitWords } from '../syntax/value';

/**
 * Kind of a word given to a program. `filter`: a jq program. `run`: a program or code, always high. `name`: the name of
 * something built in; a path would be code. `module`: a loader of another language. `flags`: harmless linker options.
 * `empties`: a folder that the program empties and then writes to. `rev`: a Git revision or path. `any`: harmless, whatever it is.
 */
export type Role =
  | 'text'
  | 'name'
  | 'flags'
  | 'module'
  | 'plugin'
  | 'read'
  | 'search'
  | 'list'
  | 'write'
  | 'delete'
  | 'empties'
  | 'url'
  | 'rev'
  | 'script'
  | 'filter'
  | 'any'
  | 'run';

interface Option {
  readonly name: string;
  /** `next`: takes a value, glued or as the next word. `glued`: takes a value only if glued. */
  readonly takes: 'none' | 'next' | 'glued';
  readonly role: Role;
  readonly level: Level;
  /** What the option does, for the card. */
  readonly says?: string | undefined;
}

/** How a program spells options: `-abc` as three letters, or `-abc` as one word. */
type OptionStyle = 'letters' | 'words';

/** An option in a call. `option`: undefined if the manual has none of this name; `culprit`: the option as written. */
export interface GivenOption {
  readonly option: Option | undefined;
  readonly name: string;
  readonly value: Value | undefined;
  readonly culprit: string;
}

/** The words of a call after its name, split by the manual. */
export interface Arguments {
  readonly options: readonly GivenOption[];
  readonly operands: readonly Value[];
}

/** The options before the first operand. */
export interface LeadingOptions {
  readonly options: readonly GivenOption[];
  /** The remaining words, from the first operand on. */
  readonly rest: readonly Value[];
}

/** Options with the same properties. */
interface OptionGroup {
  /** Space-separated names. */
  readonly names: string;
  readonly takes: Option['takes'];
  readonly role: Role;
  readonly level: Level;
  readonly says?: string;
}

/** The options of a manual. A nested list comes from a function such as `medium`. */
export type Options = readonly (OptionGroup | readonly OptionGroup[])[];

const group = (names: string, takes: Option['takes'], role: Role): OptionGroup => ({
  names,
  takes,
  role,
  level: 'low',
});

/** Options without a value: `-q`, `--all`. */
export const flags = (names: string): OptionGroup => group(names, 'none', 'text');

/** Options whose value is plain text: `-m TEXT`, `--message=TEXT`. */
export const values = (names: string): OptionGroup => group(names, 'next', 'text');

/** Options whose value has a role: `takes('write', '-o --output')`. */
export const takes = (role: Role, names: string): OptionGroup => group(names, 'next', role);

/** Options with an optional, glued value: `--color`, `--color=always`. */
export const optionalValues = (names: string, role: Role = 'text'): OptionGroup => group(names, 'glued', role);

/** Options that raise a call to at least medium. */
export const medium = (...groups: readonly OptionGroup[]): OptionGroup[] =>
  groups.map((one) => ({ ...one, level: 'medium' }));

/** Options that raise a call to high. */
export const high = (...groups: readonly OptionGroup[]): OptionGroup[] =>
  groups.map((one) => ({ ...one, level: 'high' }));

/** Says what options do that are not low, for the card: `saying('Opens a browser.', medium(flags('--web')))`. */
export const saying = (says: string, groups: readonly OptionGroup[]): OptionGroup[] =>
  groups.map((one) => ({ ...one, says }));

const tables = new WeakMap<Options, ReadonlyMap<string, Option>>();

/** Returns the options by name. If two have the same name, the later one wins. */
export function optionTable(options: Options): ReadonlyMap<string, Option> {
  const known = tables.get(options);
  if (known) return known;
  const table = new Map<string, Option>();
  for (const { names, ...properties } of options.flat())
    for (const name of splitWords(names)) table.set(name, { name, ...properties });
  tables.set(options, table);
  return table;
}

/**
 * Looks up a long option like GNU tools: an abbreviation matches any option that starts with it. The most dangerous
 * match wins.
 */
function longOption(table: ReadonlyMap<string, Option>, name: string): Option | undefined {
  const exact = table.get(name);
  if (exact) return exact;
  if (name.length < 3) return undefined;
  const begun = [...table.values()].filter((option) => option.name.startsWith(name) && option.name.startsWith('--'));
  const found =
    begun.find(({ level }) => level === 'high') ??
    begun.find(({ role }) => role !== 'text') ??
    begun.find(({ level }) => level === 'medium') ??
    begun[0];
  // `--output` is not an abbreviation of `--output-format`.
  return found?.role === 'text' &&
    found.level === 'low' &&
    /^--(out|output|report|log|print|config|junit|save|dump|results?)$/.test(name)
    ? undefined
    : found;
}

/** Splits words into options with their values, and operands. */
export const readArguments = (
  words: readonly Value[],
  table: ReadonlyMap<string, Option>,
  style: OptionStyle,
): Arguments => splitArguments(words, table, style, 'all operands');

/** Reads the options before the first operand. */
export const readLeadingOptions = (
  words: readonly Value[],
  table: ReadonlyMap<string, Option>,
  style: OptionStyle,
): LeadingOptions => splitArguments(words, table, style, 'first operand');

/** Splits words into options, operands and the words from the first operand on. Stops there if `upTo` says so. */
export function splitArguments(
  words: readonly Value[],
  table: ReadonlyMap<string, Option>,
  style: OptionStyle,
  upTo: 'first operand' | 'all operands',
): Arguments & LeadingOptions {
  const options: GivenOption[] = [];
  const operands: Value[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (isOperand(word)) {
      if (upTo === 'first operand') return { options, operands, rest: words.slice(at) };
      operands.push(word);
      continue;
    }
    if (word.text === '--' && word.kind !== 'unknown') {
      if (upTo === 'first operand') return { options, operands, rest: words.slice(at + 1) };
      operands.push(...words.slice(at + 1));
      break;
    }
    const next = (): Value => words[++at] ?? literal('');
    const found =
      word.text.startsWith('--') || style === 'words'
        ? [parseLongOption(word, table, style, next)]
        : letterOptions(word, table, next);
    options.push(...found);
    const last = found.at(-1)!;
    const hidden = last.value === words[at] ? hiddenOption(last, words[at + 1], table, style) : undefined;
    if (hidden) options.push(hidden);
  }
  return { options, operands, rest: [] };
}

/** Options whose value is a text in every version of every program: `grep -e --output`, `git commit -m --force`. */
const takesAnyText = exactlyOneOf(['-e -S -G -m --author --committer --grep --message --regexp']);
const rolesWithEffect: ReadonlySet<Role> = new Set<Role>([
  'write',
  'delete',
  'url',
  'script',
  'module',
  'plugin',
  'run',
]);

/**
 * Returns the option that was read as the value of another one, if it does more than read. A version of the program may
 * know the first option without a value, as `git diff -U --output=FILE` does.
 */
function hiddenOption(
  { option, value: word }: GivenOption,
  after: Value | undefined,
  table: ReadonlyMap<string, Option>,
  style: OptionStyle,
): GivenOption | undefined {
  const isName = word !== undefined && (style === 'words' ? /^-{1,2}[a-z]/ : /^--[a-z]/).test(word.text);
  if (!isName || !option || takesAnyText.test(option.name)) return undefined;
  const hidden = parseLongOption(word, table, style, () => after ?? literal(''));
  return hidden.option && (hidden.option.level !== 'low' || rolesWithEffect.has(hidden.option.role))
    ? hidden
    : undefined;
}

/** A word known only at run time counts as an operand and is judged by its role. */
const isOperand = ({ kind, text }: Value): boolean => !/^-./.test(text) || (kind === 'unknown' && !text.includes('='));

function parseLongOption(
  word: Value,
  table: ReadonlyMap<string, Option>,
  style: OptionStyle,
  next: () => Value,
): GivenOption {
  const { name, text } = nameAndText(word.text, table);
  const counted = style === 'words' && !table.has(name) ? countedLetter(name, table) : undefined;
  const option = counted?.option ?? (style === 'words' ? wordOption(table, name) : longOption(table, name));
  const ownText = counted ? counted.count : text;
  const ownValue = ownText === undefined ? undefined : { ...word, text: ownText };
  return { option, name, value: ownValue ?? (option?.takes === 'next' ? next() : undefined), culprit: word.source };
}

/** Splits `--name=text`, and `--name:text` in the style of .NET. */
function nameAndText(
  word: string,
  table: ReadonlyMap<string, Option>,
): { readonly name: string; readonly text?: string } {
  const hasColon = !word.includes('=') && /^--[a-z][\w-]*:./.test(word) && !table.has(word);
  const at = word.indexOf(hasColon ? ':' : '=');
  return at < 0 ? { name: word } : { name: word.slice(0, at), text: word.slice(at + 1) };
}

/** Reads `-j4`: a number after a letter, without a space. */
function countedLetter(
  name: string,
  table: ReadonlyMap<string, Option>,
): { readonly option: Option; readonly count: string } | undefined {
  const [, letter, count] = /^(-[a-zA-Z])(\d+)$/.exec(name) ?? [];
  const option = letter === undefined ? undefined : table.get(letter);
  return option && count !== undefined ? { option, count } : undefined;
}

/** Finds an option of a program that writes words with one or two hyphens. */
const wordOption = (table: ReadonlyMap<string, Option>, name: string): Option | undefined =>
  table.get(name) ??
  table.get(name.replace(/^--/, '-')) ??
  (name.startsWith('--') ? longOption(table, name) : undefined);

function letterOptions(word: Value, table: ReadonlyMap<string, Option>, next: () => Value): GivenOption[] {
  const whole = table.get(word.text);
  if (whole && word.text.length > 2)
    return [
      { option: whole, name: word.text, value: whole.takes === 'next' ? next() : undefined, culprit: word.source },
    ];
  const found: GivenOption[] = [];
  /** An unknown letter is reported only once. */
  const unknownLetters = new Set<string>();
  for (let at = 1; at < word.text.length; at++) {
    const name = `-${word.text[at]}`;
    if (unknownLetters.has(name)) continue;
    const option = table.get(name) ?? (/[0-9]/.test(name) ? table.get('-#') : undefined);
    const rest = word.text.slice(at + 1);
    if (option && option.takes !== 'none') {
      const hidden = word.kind === 'unknown' ? unknown('', word.source) : undefined;
      const glued = rest ? { ...word, text: rest } : hidden;
      found.push({
        option,
        name,
        value: glued ?? (option.takes === 'next' ? next() : undefined),
        culprit: word.source,
      });
      return found;
    }
    if (!option) unknownLetters.add(name);
    found.push({ option, name, value: undefined, culprit: word.source });
  }
  return found;
}
