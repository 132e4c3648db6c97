import { slashCommandIn, commandName } from './commandName';
import type { Skill, SkillInput } from '../ports/skill';

/** A skill called by name, with its inputs. */
export interface SkillCall {
  readonly skill: Skill;
  readonly values: Readonly<Record<string, string>>;
  readonly missing: readonly SkillInput[];
  /** Text besides the inputs. */ readonly rest: string;
}

/**
 * Parses a command in a message. Returns undefined if it calls no skill. `name=value` sets an input. The remaining
 * words fill the other inputs in order; the last input takes the rest unchanged.
 */
export function parseSkillCall(message: string, skills: readonly Skill[]): SkillCall | undefined {
  const command = slashCommandIn(message);
  const skill = command && callableSkills(skills).find((each) => commandName(each) === command.name);
  if (!command || !skill) return undefined;
  const values = new Map<string, string>();
  const loose: string[] = [];
  for (const { name, value, text } of splitInputs(command.rest, skill.inputs)) {
    if (name === undefined) loose.push(text);
    // `name=` sets nothing yet; `name=""` sets an empty text.
    else if (value !== '') values.set(name, withoutQuotes(value));
  }
  const open = skill.inputs.filter(({ name }) => !values.has(name));
  open.forEach(({ name }, index) => {
    const taken = index === open.length - 1 ? loose.splice(0).join('').trim() : loose.shift()?.trim();
    if (taken) values.set(name, withoutQuotes(taken));
  });
  const missing = skill.inputs.filter(({ name, fallback }) => !values.has(name) && fallback === undefined);
  for (const { name, fallback } of skill.inputs)
    if (!values.has(name) && fallback !== undefined) values.set(name, fallback);
  return { skill, values: Object.fromEntries(values), missing, rest: skill.inputs.length > 0 ? '' : command.rest };
}

/** A word or quoted text with the white space before it. `name` is set for "name=value". */
interface Piece {
  readonly text: string;
  readonly name?: string;
  readonly value: string;
}

function splitInputs(rest: string, inputs: readonly SkillInput[]): Piece[] {
  const byName = new Map(inputs.map(({ name }) => [name.normalize('NFC'), name]));
  return [...rest.matchAll(piecePattern)].map(([text]) => {
    const [, written = '', value = ''] = namedInput.exec(text.trim()) ?? [];
    const name = byName.get(written.normalize('NFC'));
    return { text, value, ...(name !== undefined && { name }) };
  });
}

const inputName = String.raw`[\p{L}_][\p{L}\p{M}\p{N}_-]*`;
/**
 * In quotes, a backslash is literal except before a quote: there, two stand for one, and an odd one escapes the quote.
 */
const inQuotes = String.raw`"(?:[^"\\]|\\(?:\\\\)*"|(?:\\\\)+(?=")|\\+(?![\\"]))*"`;
// Anything that starts neither with a name nor with a quote is a word, so that matches never overlap.
const piecePattern = new RegExp(String.raw`(?<!\s)\s*(?:(?:${inputName}=)?${inQuotes}(?!\S)|\S+)`, 'gu');
const namedInput = new RegExp(`^(${inputName})=(.*)$`, 'su');
const wholeInQuotes = new RegExp(`^${inQuotes}$`, 'u');

const withoutQuotes = (text: string): string =>
  wholeInQuotes.test(text)
    ? text.slice(1, -1).replace(/(?<!\\)(\\+)(?="|$)/g, (_all, slashes: string) => '\\'.repeat(slashes.length >> 1))
    : text;
const quoteInput = (value: string): string =>
  /^[^\s"]+$/.test(value) ? value : `"${value.replace(/(?<!\\)(\\*)"/g, '$1$1\\"').replace(/(?<!\\)\\+$/, '$&$&')}"`;

/** Returns whether a name is valid for an input. */
export const isInputName = (name: string): boolean => new RegExp(`^${inputName}$`, 'u').test(name);

/** Fills in `${name}`. Names without a value are kept unchanged. */
export function withInputs(body: string, values: Readonly<Record<string, string>>): string {
  const byName = new Map(Object.entries(values).map(([name, value]) => [name.normalize('NFC'), value]));
  return body.replace(
    new RegExp(`\\$\\{(${inputName})\\}`, 'gu'),
    (whole, name: string) => byName.get(name.normalize('NFC')) ?? whole,
  );
}

/** Appends input values to a message, in the form that `parseSkillCall` parses. */
export const withValues = (message: string, values: Readonly<Record<string, string>>): string =>
  [message.trimEnd(), ...Object.entries(values).map(([name, value]) => `${name}=${quoteInput(value)}`)].join(' ');

/** Returns the skills that can be called by name, in order of precedence. */
export const callableSkills = (skills: readonly Skill[]): Skill[] =>
  skills.filter(({ kind }) => kind !== 'persona' && kind !== 'always');
