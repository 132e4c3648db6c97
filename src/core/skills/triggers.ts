import { globMatcher } from '../text/glob';
import { commandIn, commandName } from './commandName';
import type { Skill } from '../ports/skill';
import { says } from './spokenWord';

/** Why a skill was woken, for the log and for people. */
export interface Cause {
  readonly by: 'keyword' | 'command' | 'path';
  readonly what: string;
}

/** What may wake a skill. */
export type Occasion = { readonly message: string } | { readonly touched: readonly string[] };

/** ★ What wakes skills, each in turn; the first that answers is the cause. */
export const triggers: readonly ((skill: Skill, occasion: Occasion) => Cause | undefined)[] = [
  (skill, occasion) => {
    if (!('message' in occasion) || skill.kind === 'persona') return undefined;
    return commandIn(occasion.message)?.name === commandName(skill)
      ? { by: 'command', what: `/${commandName(skill)}` }
      : undefined;
  },
  (skill, occasion) => {
    if (!('message' in occasion)) return undefined;
    const word = skill.triggers.find((trigger) => says(occasion.message, trigger));
    return word === undefined ? undefined : { by: 'keyword', what: word };
  },
  (skill, occasion) => {
    if (!('touched' in occasion) || skill.paths.length === 0) return undefined;
    const path = occasion.touched.find((touched) => matches(skill, touched));
    return path === undefined ? undefined : { by: 'path', what: path };
  },
];

const matchers = new Map<string, (path: string) => boolean>();

function matches({ base, paths }: Skill, touched: string): boolean {
  if (base !== '' && !touched.startsWith(`${base}/`)) return false;
  const inside = base === '' ? touched : touched.slice(base.length + 1);
  const [negative, positive] = [true, false].map((negated) => paths.filter((glob) => isNegated(glob) === negated));
  return positive!.some((glob) => fits(glob, inside)) && !negative!.some((glob) => fits(glob.slice(1), inside));
}

/** "!*.d.ts" leaves out what the others match; "!(a|b).ts" is a pattern of its own. */
export const isNegated = (glob: string): boolean => /^!(?!\()/.test(glob);

/** A pattern without a "/" is for names in any folder. What cannot be used was told of when its file was read. */
function fits(glob: string, path: string): boolean {
  const matcher = matchers.get(glob) ?? globMatcher(glob);
  matchers.set(glob, matcher);
  return matcher(glob.includes('/') ? path : path.slice(path.lastIndexOf('/') + 1));
}
