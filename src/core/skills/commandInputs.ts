import { commandIn, commandName } from './commandName';
import type { Skill, SkillInput } from '../ports/skill';

/** A skill that was called by name, and what is known of its inputs. */
export interface Called {
  readonly skill: Skill;
  readonly values: Readonly<Record<string, string>>;
  readonly missing: readonly SkillInput[];
  /** What was said beside the inputs. */ readonly rest: string;
}

/**
 * The command in a message; undefined if it calls no skill. `name=value` fills an input; then the words fill the inputs
 * in order, and the last input takes the rest as it is.
 */
export function calledBy(message: string, skills: readonly Skill[]): Called | undefined {
  const command = commandIn(message);
  const skill = command && callable(skills).find((each) => commandName(each) === command.name);
  if (!command || !skill) return undefined;
  const values = new Map<string, string>();
  const loose: string[] = [];
  for (const { name, value, text } of piecesOf(command.rest, skill.inputs)) {
    if (name === undefined) loose.push(text);
    // "name=" gives nothing yet; name="" gives an empty text.
    else if (value !== '') values.set(name, bare(value));
  }
  const open = skill.inputs.filter(({ name }) => !values.has(name));
  open.forEach(({ name }, index) => {
    const taken = index === open.length - 1 ? loose.splice(0).join('').trim() : loose.shift()?.trim();
    if (taken) values.set(name, bare(taken));
  });
  const missing = skill.inputs.filter(({ name, fallback }) => !values.has(name) && fallback === undefined);
  for (const { name, fallback } of skill.inputs)
    if (!values.has(name) && fallback !== undefined) values.set(name, fallback);
  return { skill, values: Object.fromEntries(values), missing, rest: skill.inputs.length > 0 ? '' : command.rest };
}

/** A word or a text in quotes, with the blanks before it; with `name` where it is "name=value". */
interface Piece {
  readonly text: string;
  readonly name?: string;
  readonly value: string;
}

function piecesOf(rest: string, inputs: readonly SkillInput[]): Piece[] {
  const known = new Map(inputs.map(({ name }) => [name.normalize('NFC'), name]));
  return [...rest.matchAll(piece)].map(([text]) => {
    const [, written = '', value = ''] = named.exec(text.trim()) ?? [];
    const name = known.get(written.normalize('NFC'));
    return { text, value, ...(name !== undefined && { name }) };
  });
}

const inputName = String.raw`[\p{L}_][\p{L}\p{M}\p{N}_-]*`;
/**
 * In quotes, "\" stands for itself, but before a quote: there two of them are one, and an
 * odd one makes the quote a part of the text.
 */
const inQuotes = String.raw`"(?:[^"\\]|\\(?:\\\\)*"|(?:\\\\)+(?=")|\\+(?![\\"]))*"`;
// What a name or a quote does not begin is a word, so that every search begins behind the last one.
const piece = new RegExp(String.raw`(?<!\s)\s*(?:(?:${inputName}=)?${inQuotes}(?!\S)|\S+)`, 'gu');
const named = new RegExp(`^(${inputName})=(.*)$`, 'su');
const wholeInQuotes = new RegExp(`^${inQuotes}$`, 'u');

const bare = (text: string): string =>
  wholeInQuotes.test(text)
    ? text.slice(1, -1).replace(/(?<!\\)(\\+)(?="|$)/g, (_all, slashes: string) => '\\'.repeat(slashes.length >> 1))
    : text;
const quoted = (value: string): string =>
  /^[^\s"]+$/.test(value) ? value : `"${value.replace(/(?<!\\)(\\*)"/g, '$1$1\\"').replace(/(?<!\\)\\+$/, '$&$&')}"`;

/** Whether an input can be called that. */
export const isInputName = (name: string): boolean => new RegExp(`^${inputName}$`, 'u').test(name);

/** The text with `${name}` filled in. What has no value stays as it is. */
export function interpolate(body: string, values: Readonly<Record<string, string>>): string {
  const known = new Map(Object.entries(values).map(([name, value]) => [name.normalize('NFC'), value]));
  return body.replace(
    new RegExp(`\\$\\{(${inputName})\\}`, 'gu'),
    (whole, name: string) => known.get(name.normalize('NFC')) ?? whole,
  );
}

/** The message with values that it did not give: read again, it gives them. */
export const withValues = (message: string, values: Readonly<Record<string, string>>): string =>
  [message.trimEnd(), ...Object.entries(values).map(([name, value]) => `${name}=${quoted(value)}`)].join(' ');

/** The skills that can be called by name, in the order of their precedence. */
export const callable = (skills: readonly Skill[]): Skill[] =>
  skills.filter(({ kind }) => kind !== 'persona' && kind !== 'always');
