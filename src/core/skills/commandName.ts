import type { Skill } from '../ports/skill';

/**
 * What a person types to call a skill, without the slash: its name in lower case, with "-" for blanks.
 * Where that is another's already, `command`.
 */
export const commandName = ({ name, command, path }: Pick<Skill, 'name' | 'command' | 'path'>): string =>
  command ?? (typed(name) || typed(path.replace(/^.*\//s, '').replace(/\..*/s, '')) || 'skill');

/**
 * "/review src deep" → { name: "review", rest: "src deep" }. Any text may be a name: who asks knows which there are.
 */
export function commandIn(message: string): { readonly name: string; readonly rest: string } | undefined {
  const [, name = '', rest = ''] = /^\s*\/(\S+)([\s\S]*)/.exec(message) ?? [];
  return typed(name) === '' ? undefined : { name: typed(name), rest: rest.trim() };
}

/**
 * The commands of skills, each for one of them: of two with one name, which stand in different folders, the first has
 * it, and the other is called with its folder, as in "/packages/a:deploy". `skills`: in the order of their precedence.
 */
export function withCommands<Item extends Pick<Skill, 'name' | 'command' | 'path' | 'base' | 'within'>>(
  skills: readonly Item[],
): Item[] {
  const taken = new Set<string>();
  return skills.map((skill) => {
    const plain = commandName(skill);
    const folder = typed(scopeOf(skill));
    const names = [plain, ...(folder === '' ? [] : [`${folder}:${plain}`])];
    const command = names.find((name) => !taken.has(name)) ?? numbered(names.at(-1)!, taken);
    taken.add(command);
    return command === plain ? skill : { ...skill, command };
  });
}

/**
 * The folder that a file is for, and the folder that it was put into there: these distinguish it from others of its
 * name.
 */
export const scopeOf = ({ base, within = '' }: Pick<Skill, 'base' | 'within'>): string =>
  [base, within].filter(Boolean).join('/');

function numbered(name: string, taken: ReadonlySet<string>): string {
  let number = 2;
  while (taken.has(`${name}-${number}`)) number++;
  return `${name}-${number}`;
}

/** One spelling, of what can be typed and seen; what joins letters and pictures stays. */
const typed = (text: string): string =>
  /^[a-z\d-]+$/.test(text)
    ? text
    : text
        .normalize('NFC')
        .replace(/[\uFE0E\uFE0F]|(?![\u200C\u200D])\p{Cf}|(?!\s)\p{Cc}/gu, '')
        .trim()
        .replace(/^\/+/, '')
        .toLowerCase()
        .replace(/\s+/g, '-')
        .normalize('NFC');
