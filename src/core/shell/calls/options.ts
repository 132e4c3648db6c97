import type { Level } from '../effects/effect';
import { literal, unknown, type Value } from '../syntax/value';

/** What a word given to a tool is. `filter`: a program in the language of jq. `run`: a program or code, never judged below high. `name`: of something built in, where a path would be code. `module`: a loader of another language. `flags`: harmless options of a linker. `rev`: a Git revision or path. */
export type Role =
  | 'text'
  | 'name'
  | 'flags'
  | 'module'
  | 'read'
  | 'search'
  | 'list'
  | 'write'
  | 'delete'
  | 'url'
  | 'rev'
  | 'script'
  | 'filter'
  | 'run';

export interface Option {
  readonly name: string;
  /** `next`: it has a value, glued or as the next word. `glued`: only when glued. */
  readonly takes: 'none' | 'next' | 'glued';
  readonly role: Role;
  readonly level: Level;
}

export interface GivenOption {
  readonly option: Option | undefined;
  readonly name: string;
  readonly value: Value | undefined;
  readonly culprit: string;
}
export interface Arguments {
  readonly options: readonly GivenOption[];
  readonly operands: readonly Value[];
  readonly rest: readonly Value[];
}

const cache = new Map<string, ReadonlyMap<string, Option>>();

/**
 * Reads the notation of the tables: `-n` has no value · `-n=` has one (`-n=read`, `=name`, `=write`, `=search`, `=list`, `=url`, `=rev`, `=filter`: what it is) ·
 * `-i?` has one only when glued · `!` behind it: high · `^` behind it: medium. Separated by blanks; `-abc` in the table is one name only for tools of style `words`.
 */
export function optionTable(notation: string): ReadonlyMap<string, Option> {
  const known = cache.get(notation);
  if (known) return known;
  const table = new Map<string, Option>();
  for (const token of notation.split(/\s+/).filter(Boolean)) {
    const [, name, kind, role, mark] = /^([^=?!^]+)(?:(=|\?)([a-z]*))?([!^])?$/.exec(token) ?? [];
    if (name === undefined) throw new Error(`The option "${token}" is not in the notation of the tables.`);
    table.set(name, {
      name,
      takes: kind === '=' ? 'next' : kind === '?' ? 'glued' : 'none',
      role: (role || 'text') as Role,
      level: mark === '!' ? 'high' : mark === '^' ? 'medium' : 'low',
    });
  }
  cache.set(notation, table);
  return table;
}

/** Looks a long option up as GNU tools do: an abbreviation stands for any option it begins, the most dangerous one first. */
export function longOption(table: ReadonlyMap<string, Option>, name: string): Option | undefined {
  const exact = table.get(name);
  if (exact) return exact;
  if (name.length < 3) return undefined;
  const begun = [...table.values()].filter((option) => option.name.startsWith(name) && option.name.startsWith('--'));
  const found =
    begun.find(({ level }) => level === 'high') ??
    begun.find(({ role }) => role !== 'text') ??
    begun.find(({ level }) => level === 'medium') ??
    begun[0];
  // `--output` is no short form of `--output-format`.
  return found?.role === 'text' &&
    found.level === 'low' &&
    /^--(out|output|report|log|print|config|junit|save|dump|results?)$/.test(name)
    ? undefined
    : found;
}

/** Splits words into options with their values and operands. With `firstOperand` it stops there and hands back the rest. */
export function readArguments(
  words: readonly Value[],
  table: ReadonlyMap<string, Option>,
  style: 'letters' | 'words',
  firstOperand: boolean,
): Arguments {
  const options: GivenOption[] = [];
  const operands: Value[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (isOperand(word)) {
      if (firstOperand) return { options, operands, rest: words.slice(at) };
      operands.push(word);
      continue;
    }
    if (word.text === '--' && word.kind !== 'unknown') {
      if (firstOperand) return { options, operands, rest: words.slice(at + 1) };
      operands.push(...words.slice(at + 1));
      break;
    }
    const next = (): Value => words[++at] ?? literal('');
    if (word.text.startsWith('--') || style === 'words') options.push(longGiven(word, table, style, next));
    else options.push(...lettersGiven(word, table, next));
  }
  return { options, operands, rest: [] };
}

/** A word that is only known when it runs is taken for an operand; its role then decides. */
const isOperand = ({ kind, text }: Value): boolean => !/^-./.test(text) || (kind === 'unknown' && !text.includes('='));

function longGiven(word: Value, table: ReadonlyMap<string, Option>, style: string, next: () => Value): GivenOption {
  // `--collect:x`, as .NET writes it.
  const equals =
    word.text.includes('=') || !/^--[a-z][\w-]*:./.test(word.text) || table.has(word.text)
      ? word.text.indexOf('=')
      : word.text.indexOf(':');
  const name = equals < 0 ? word.text : word.text.slice(0, equals);
  // `-j4`: a number may be glued to a letter.
  const counted = style === 'words' ? /^(-[a-zA-Z])\d+$/.exec(name)?.[1] : undefined;
  const option =
    style === 'words'
      ? ((counted === undefined ? undefined : table.get(counted)) ??
        table.get(name) ??
        table.get(name.replace(/^--/, '-')) ??
        (name.startsWith('--') ? longOption(table, name) : undefined))
      : longOption(table, name);
  const glued = equals < 0 ? undefined : { ...word, text: word.text.slice(equals + 1) };
  return { option, name, value: glued ?? (option?.takes === 'next' ? next() : undefined), culprit: word.source };
}

function lettersGiven(word: Value, table: ReadonlyMap<string, Option>, next: () => Value): GivenOption[] {
  const whole = table.get(word.text);
  if (whole && word.text.length > 2)
    return [
      { option: whole, name: word.text, value: whole.takes === 'next' ? next() : undefined, culprit: word.source },
    ];
  const found: GivenOption[] = [];
  for (let at = 1; at < word.text.length; at++) {
    const name = `-${word.text[at]}`;
    const option = table.get(name) ?? (/[0-9]/.test(name) ? table.get('-#') : undefined);
    const rest = word.text.slice(at + 1);
    if (option && option.takes !== 'none') {
      const glued = rest ? { ...word, text: rest } : word.kind === 'unknown' ? unknown('', word.source) : undefined;
      found.push({
        option,
        name,
        value: glued ?? (option.takes === 'next' ? next() : undefined),
        culprit: word.source,
      });
      return found;
    }
    found.push({ option, name, value: undefined, culprit: word.source });
  }
  return found;
}
