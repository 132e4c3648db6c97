import { replaceInvisible } from '../../protocol/plain/invisible';
import type { Skill } from '../ports/skill';

/**
 * Returns what people type to call a skill, without the slash: its name in lower case, with "-" for spaces. If that
 * name is taken, returns `command`.
 */
export const commandName = ({ name, command, path }: Pick<Skill, 'name' | 'command' | 'path'>): string =>
  command ?? (typedForm(name) || typedForm(path.replace(/^.*\//s, '').replace(/\..*/s, '')) || 'skill');

/**
 * Splits a message: "/review src deep" becomes { name: "review", rest: "src deep" }. The name is not checked: the
 * caller knows which exist.
 */
export function slashCommandIn(message: string): { readonly name: string; readonly rest: string } | undefined {
  const [, name = '', rest = ''] = /^\s*\/(\S+)([\s\S]*)/.exec(message) ?? [];
  return typedForm(name) === '' ? undefined : { name: typedForm(name), rest: rest.trim() };
}

/**
 * Assigns a unique command to each skill. If two skills have the same name, the one for the whole workspace keeps it, or
 * else the first, and the other gets its folder as a prefix: "/packages/a:deploy". `skills` are in order of precedence.
 */
export function withCommands<Item extends Pick<Skill, 'name' | 'command' | 'path' | 'base' | 'within'>>(
  skills: readonly Item[],
): Item[] {
  const commands = new Map<Item, string>();
  const taken = new Set<string>();
  const ofFolders = skills.filter((skill) => scopeOf(skill) !== '');
  for (const skill of [...skills.filter((each) => scopeOf(each) === ''), ...ofFolders]) {
    const plain = commandName(skill);
    const folder = typedForm(scopeOf(skill));
    const names = [plain, ...(folder === '' ? [] : [`${folder}:${plain}`])];
    const command = names.find((name) => !taken.has(name)) ?? withNumber(names.at(-1)!, taken);
    taken.add(command);
    commands.set(skill, command);
  }
  return skills.map((skill) => {
    const command = commands.get(skill)!;
    return command === commandName(skill) ? skill : { ...skill, command };
  });
}

/**
 * Returns the folder that a file applies to, with its subfolder there. Distinguishes it from others with the same name.
 */
export const scopeOf = ({ base, within = '' }: Pick<Skill, 'base' | 'within'>): string =>
  [base, within].filter(Boolean).join('/');

function withNumber(name: string, taken: ReadonlySet<string>): string {
  let number = 2;
  while (taken.has(`${name}-${number}`)) number++;
  return `${name}-${number}`;
}

/** Normalizes a name to what can be typed and seen. Joiners within letters and emoji are kept. */
const typedForm = (text: string): string =>
  /^[a-z\d-]+$/.test(text)
    ? text
    : replaceInvisible(text.normalize('NFC'), (each) => (/[\s\u200C\u200D]/.test(each) ? each : ''))
        .replace(/[\uFE0E\uFE0F]/g, '')
        .trim()
        .replace(/^\/+/, '')
        .toLowerCase()
        .replace(/\s+/g, '-')
        .normalize('NFC');
