import picomatch from 'picomatch';
import type { Skill } from './skill';

/** Why a skill was woken, for the log and for people. */
export interface Cause { readonly by: 'keyword' | 'command' | 'path'; readonly what: string }

/** What may wake a skill. */
export type Occasion = { readonly message: string } | { readonly touched: readonly string[] };

/** ★ What wakes skills, each in turn; the first that answers is the cause. */
export const triggers: readonly ((skill: Skill, occasion: Occasion) => Cause | undefined)[] = [
  (skill, occasion) => {
    if (!('message' in occasion) || skill.kind === 'persona') return undefined;
    return commandIn(occasion.message)?.name === commandName(skill) ? { by: 'command', what: `/${commandName(skill)}` } : undefined;
  },
  (skill, occasion) => {
    if (!('message' in occasion)) return undefined;
    const word = skill.triggers.find(trigger => wholeWord(trigger).test(occasion.message));
    return word === undefined ? undefined : { by: 'keyword', what: word };
  },
  (skill, occasion) => {
    if (!('touched' in occasion) || skill.paths.length === 0) return undefined;
    const path = occasion.touched.find(touched => matches(skill, touched));
    return path === undefined ? undefined : { by: 'path', what: path };
  },
];

/** What a person types to call a skill, without the slash. */
export const commandName = ({ name }: Skill): string => name.trim().toLowerCase().replace(/\s+/g, '-');

/** "/review src deep" → { name: "review", rest: "src deep" }. */
export function commandIn(message: string): { readonly name: string; readonly rest: string } | undefined {
  const found = /^\s*\/([\p{L}\p{N}][\p{L}\p{N}_:.-]*)(?:\s+([\s\S]*))?$/u.exec(message);
  return found ? { name: found[1]!.toLowerCase(), rest: (found[2] ?? '').trim() } : undefined;
}

/** Case does not matter, and no letter, digit or "_" may touch the word. */
function wholeWord(trigger: string): RegExp {
  const escaped = trigger.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+');
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, 'iu');
}

const matchers = new Map<string, (path: string) => boolean>();

function matches({ base, paths }: Skill, touched: string): boolean {
  if (base !== '' && !touched.startsWith(`${base}/`)) return false;
  const inside = base === '' ? touched : touched.slice(base.length + 1);
  const [negative, positive] = [true, false].map(negated => paths.filter(glob => isNegated(glob) === negated));
  return positive!.some(glob => fits(glob, inside)) && !negative!.some(glob => fits(glob.slice(1), inside));
}

/** "!*.d.ts" leaves out what the others match; "!(a|b).ts" is a pattern of its own. */
export const isNegated = (glob: string): boolean => /^!(?!\()/.test(glob);

function fits(glob: string, path: string): boolean {
  const matcher = matchers.get(glob) ?? picomatch(glob.replace(/^\.\//, ''), { dot: true, basename: !glob.includes('/') });
  matchers.set(glob, matcher);
  return matcher(path);
}
