import { commandIn, commandName } from './triggers';
import type { Skill, SkillInput } from './skill';

/** A skill that was called by name, and what is known of its inputs. */
export interface Called { readonly skill: Skill; readonly values: Readonly<Record<string, string>>; readonly missing: readonly SkillInput[]; /** What was said beside the inputs. */ readonly rest: string }

/** The command in a message; undefined where it calls no skill. `name=value` fills an input; then the words in their order, the last input takes all that is left. */
export function calledBy(message: string, skills: readonly Skill[]): Called | undefined {
  const command = commandIn(message);
  const skill = command && callable(skills).find(each => commandName(each) === command.name);
  if (!command || !skill) return undefined;
  const values: Record<string, string> = {};
  const names = new Set(skill.inputs.map(({ name }) => name));
  const loose: string[] = [];
  for (const [word] of command.rest.matchAll(/[\p{L}_][\p{L}\p{N}_-]*="(?:\\"|[^"])*"|"(?:\\"|[^"])*"|\S+/gu)) {
    const [, name, value] = /^([\p{L}_][\p{L}\p{N}_-]*)=(.*)$/su.exec(word) ?? [];
    if (name !== undefined && names.has(name)) values[name] = bare(value!);
    else loose.push(bare(word));
  }
  const open = skill.inputs.filter(({ name }) => values[name] === undefined);
  open.forEach(({ name }, index) => {
    const taken = index === open.length - 1 ? loose.splice(0).join(' ') : loose.shift();
    if (taken) values[name] = taken;
  });
  const missing = skill.inputs.filter(({ name, fallback }) => values[name] === undefined && fallback === undefined);
  for (const { name, fallback } of skill.inputs) if (values[name] === undefined && fallback !== undefined) values[name] = fallback;
  return { skill, values, missing, rest: skill.inputs.length > 0 ? '' : command.rest };
}

/** The text with `${name}` filled in. What has no value stays as it is. */
export const filledIn = (body: string, values: Readonly<Record<string, string>>): string => body.replace(/\$\{([\p{L}_][\p{L}\p{N}_-]*)\}/gu, (whole, name: string) => (Object.hasOwn(values, name) ? values[name]! : whole));

const bare = (word: string): string => (/^"[\s\S]*"$/.test(word) && word.length > 1 ? word.slice(1, -1).replaceAll('\\"', '"') : word);

/** The message with values that it did not give: read again, it gives them. */
export const withValues = (message: string, values: Readonly<Record<string, string>>): string => [message.trimEnd(), ...Object.entries(values).map(([name, value]) => `${name}=${quoted(value)}`)].join(' ');

const quoted = (value: string): string => (/^[^\s"]+$/.test(value) ? value : `"${value.replaceAll('"', '\\"')}"`);

/** The skills that can be called by name, in the order of their precedence. */
export const callable = (skills: readonly Skill[]): Skill[] => skills.filter(({ kind }) => kind !== 'persona' && kind !== 'always');
