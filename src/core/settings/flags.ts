import type { FlagWords, Setting } from './setting';
import { groups, type UserSettings, type SettingKey } from './table';
import { type SettingType, type JsonSchema, expectedWords, patternProblem } from './value';

/** A flag of the command line, generated from a setting. */
export interface Flag {
  readonly key: SettingKey;
  /** The field that it sets, if the setting is an object. */
  readonly field?: string;
  readonly group: string;
  /** Includes the dashes. */
  readonly name: string;
  readonly also: readonly string[];
  /** Placeholder of the flag's value; undefined if it takes none. */
  readonly argument: string | undefined;
  readonly words: string;
  readonly choices: readonly string[] | undefined;
  readonly variable: string | undefined;
  readonly keptInLog: boolean;
  /** Parses the value. Throws an `Error` with a message for people. */
  read(text: string, before: unknown): unknown;
}

/** Placeholders for flag values in the help, by type. */
const argumentNames: Readonly<Record<string, string>> = {
  integer: '<n>',
  number: '<n>',
  array: '<names>',
  object: '<json>',
};

/** All flags, in the order of the table. */
export const settingFlags: readonly Flag[] = groups.flatMap(({ title, settings }) =>
  Object.entries(settings).flatMap(([key, setting]) => flagsOf(key as SettingKey, setting, title)),
);

/** Returns the flag of a setting, for messages that tell people what to change. */
export const flagOf = (key: SettingKey): string =>
  settingFlags.find((flag) => flag.key === key && flag.field === undefined)?.name ?? `waymark.${key}`;

function flagsOf(key: SettingKey, { value: usual, words, flag = {} }: Setting<unknown>, group: string): Flag[] {
  if ('windowOnly' in flag) return [];
  const { name = flagName(key), also = [], variable, keptInLog = false, value = usual, parts = [] } = flag;
  const read = readerOf(value, flag);
  const whole: Flag = {
    key,
    group,
    name,
    also,
    argument: value.json.type === 'boolean' ? undefined : (flag.argument ?? argumentOf(value)),
    words: flag.words ?? firstSentence(words),
    // If there are synonyms, `read` reports the valid choices itself.
    choices: value.moreChoices || flag.synonyms ? undefined : value.json.enum?.filter((each) => each !== ''),
    variable,
    keptInLog,
    read: (text, before) => {
      const problem = patternProblem(value, text);
      if (problem !== undefined) throw new Error(problem);
      return read(text, before);
    },
  };
  const ofParts = parts.map((part) => ({
    ...whole,
    ...part,
    also: [],
    variable: undefined,
    choices: part.value.json.enum,
    read: (text: string) => fromText(part.value, text),
  }));
  return [whole, ...ofParts];
}

function readerOf(value: SettingType<unknown>, { read, list, synonyms }: FlagWords): Flag['read'] {
  if (read) return read;
  if (synonyms) return (text) => fromText(value, Object.hasOwn(synonyms, text) ? synonyms[text]! : text);
  if (list === undefined || list === 'commas') return (text) => fromText(value, text);
  return (text, before) => [...((before as readonly string[] | undefined) ?? []), text];
}

/** Converts a key to a flag: `verifier.historySteps` becomes `--verifier-history-steps`. */
function flagName(key: string): string {
  const words = key.replaceAll('.', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return `--${words}`;
}

function argumentOf({ json }: SettingType<unknown>): string {
  const type = [json.type].flat().find((each) => each !== 'null');
  return argumentNames[type ?? ''] ?? '<text>';
}

/** Formats the first sentence for the help: no capital letter, no full stop. */
function firstSentence(words: string): string {
  const [sentence = ''] = words.split(/(?<=[a-z)`])\. /);
  return `${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`.replaceAll('`', '');
}

/**
 * Returns the settings given by flags, from the parsed values by flag name. If a flag is given under two names, its
 * main name wins.
 */
export function settingsFromFlagValues(valueOf: (name: string) => unknown): UserSettings {
  const found: Record<string, unknown> = {};
  for (const flag of settingFlags) {
    const value = [flag.name, ...flag.also].map(valueOf).find((each) => each !== undefined);
    if (value === undefined) continue;
    found[flag.key] = flag.field === undefined ? value : { ...(found[flag.key] as object), [flag.field]: value };
  }
  return found;
}

/** Parses a value from the command line. Throws an `Error` with a message for people if it is invalid. */
function fromText({ json, verbatim, moreChoices }: SettingType<unknown>, text: string): unknown {
  const wanted = [json.type].flat().find((type) => type !== 'null');
  switch (wanted) {
    case 'integer':
    case 'number':
      return numberIn(text, json);
    case 'array':
      return splitNames(text, json);
    case 'object':
      return objectIn(text);
    default:
      if (json.enum && !moreChoices && !json.enum.includes(text)) throw mustBe(json);
      return verbatim ? text : text.trim();
  }
}

const mustBe = (json: JsonSchema): Error => new Error(`It must be ${expectedWords(json)}.`);

function numberIn(text: string, json: JsonSchema): number {
  const value = text.trim() === '' ? NaN : Number(text);
  if (!isInRange(value, json)) throw mustBe(json);
  return value;
}

function isInRange(value: number, { type, minimum = -Infinity, maximum = Infinity }: JsonSchema): boolean {
  const isWhole = ![type].flat().includes('integer') || Number.isSafeInteger(value);
  return Number.isFinite(value) && isWhole && value >= minimum && value <= maximum;
}

/** Splits comma-separated names. */
function splitNames(text: string, json: JsonSchema): string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const allowed = json.items?.enum;
  if (allowed && !names.every((name) => allowed.includes(name))) throw mustBe(json);
  return names;
}

function objectIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Reported below.
  }
  throw new Error(`It must be a JSON object, such as '{"name":"value"}'.`);
}
