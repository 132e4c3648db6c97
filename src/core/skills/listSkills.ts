import { type ListedSkill, unreadable, type Skill } from '../ports/skill';
import { callableSkills } from './commandInputs';
import { commandName, scopeOf, withCommands } from './commandName';
import { skillLocations } from './locations';

/** File versions that a person last approved. */
interface Reviewed {
  /** Returns the approved hash, or undefined for a file that was never used. */
  hashOf(skill: Skill): string | undefined;
}

const rank = new Map(skillLocations.map(({ id }, index) => [id, index]));
const familyOf = new Map(skillLocations.map(({ id, family }) => [id, family]));
const instructions = new Set(skillLocations.filter(({ reads }) => reads === 'instructions').map(({ id }) => id));
/** Nearest first. Skills without a file come last. */
const roots = [undefined, 'above', 'home'] as const;

/** Lists all skills in order of precedence, and which are used with the named model. */
export function listSkills(
  skills: readonly Skill[],
  { model = '', reviewed }: { readonly model?: string; readonly reviewed?: Reviewed } = {},
): ListedSkill[] {
  const sorted = [...skills].sort((a, b) => compare(order(a), order(b)));
  const byName = new Map<string, Skill>();
  const byText = new Map<string, Skill>();
  const listed = sorted.map((skill): ListedSkill => {
    const unused = whyUnused(skill, { sorted, byName, byText, model, reviewed });
    // A file that waits for review keeps its name: a call of it must not reach another file.
    if (unused === undefined || unused === hasChanged) byName.set(key(skill), skill);
    if (unused !== undefined) return { skill, unused, ...(unused === hasChanged && { waits: true }) };
    if (isPlain(skill)) byText.set(textKey(skill), skill);
    return { skill };
  });
  const called = callableSkills(usedSkills(listed));
  const commands = new Map(withCommands(called).map((skill, index) => [called[index], skill]));
  return listed.map((each) => (each.unused === undefined ? { skill: commands.get(each.skill) ?? each.skill } : each));
}

/** Returns the skills that are used. */
export const usedSkills = (listed: readonly ListedSkill[]): Skill[] =>
  listed.filter(({ unused }) => unused === undefined).map(({ skill }) => skill);

interface SkillIndex {
  readonly sorted: readonly Skill[];
  readonly byName: ReadonlyMap<string, Skill>;
  readonly byText: ReadonlyMap<string, Skill>;
  readonly model: string;
  readonly reviewed: Reviewed | undefined;
}

function whyUnused(skill: Skill, { sorted, byName, byText, model, reviewed }: SkillIndex): string | undefined {
  const unread = unreadBecause(skill);
  if (unread !== undefined) return unread;
  const wrong = skill.kind === 'persona' ? skill.problems.find(({ severity }) => severity === 'error') : undefined;
  if (wrong) return `Correct its front matter first, so that it is not allowed more than intended: ${wrong.message}`;
  const family = familyOf.get(skill.location);
  if (
    family &&
    !family.some((name) => model.toLowerCase().includes(name)) &&
    sorted.some(
      (other) => other.base === skill.base && other.location === 'agents-md' && unreadBecause(other) === undefined,
    )
  )
    return `It is for models named "${family[0]}…", while AGENTS.md is for all models.`;
  const same = isPlain(skill) ? byText.get(textKey(skill)) : undefined;
  if (same && skill.body !== '') return `${same.path} has the same text.`;
  const first = byName.get(key(skill));
  if (first) return `${first.path} has the same name and takes precedence.`;
  if (skill.kind === 'skill' && skill.description.trim() === '')
    return 'Without a description, the model would not know when to use it.';
  const agreed = reviewed?.hashOf(skill);
  return agreed !== undefined && agreed !== skill.hash ? hasChanged : undefined;
}

const hasChanged = 'It has changed since it was last used and waits for your review.';

const unreadBecause = ({ problems }: Skill): string | undefined =>
  problems.find(({ code }) => (unreadable as readonly string[]).includes(code))?.message;

/**
 * Returns whether a skill is only text, so that a second one with the same text adds nothing. Others may differ in
 * tools, patterns or name.
 */
const isPlain = ({ kind, location }: Skill): boolean => kind === 'always' || instructions.has(location);
const textKey = ({ base, body }: Skill): string => `${base}\0${body}`;

/**
 * Returns the key under which names must be unique. Personas have their own namespace. The model knows Agent Skills by
 * name alone; other skills may share a name across folders.
 */
function key(skill: Skill): string {
  return skill.kind === 'persona'
    ? `persona\0${skill.name.toLowerCase()}`
    : ['skill', commandName(skill), skill.kind === 'skill' ? '' : scopeOf(skill)].join('\0');
}

/** Above the workspace, the deepest folder is the nearest. Elsewhere, the one nearest to the root comes first. */
function order({ location, root, path, problems }: Skill): [number, number, number, number, string] {
  const depth = path.split('/').length;
  return [
    rank.has(location) ? roots.indexOf(root) : roots.length,
    rank.get(location) ?? 0,
    root === 'above' ? -depth : depth,
    Number(problems.some(({ severity }) => severity === 'error')),
    path,
  ];
}

/** Compares two lists by the first items that differ. */
function compare(a: readonly (number | string)[], b: readonly (number | string)[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  if (at < 0) return 0;
  return a[at]! < b[at]! ? -1 : 1;
}
