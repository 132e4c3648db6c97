import { parseSkillCall, withInputs, type SkillCall } from './commandInputs';
import type { Skill } from '../ports/skill';
import { triggers, type Cause, type SkillOccasion } from './triggers';

interface ActivatedSkill {
  readonly skill: Skill;
  readonly cause: Cause;
}

/**
 * Returns the skills that an event activates, in order of precedence. A skill is not activated again while the model
 * can read its text, except by its command.
 */
export function skillsActivatedBy(
  occasion: SkillOccasion,
  skills: readonly Skill[],
  awake: ReadonlySet<string>,
): ActivatedSkill[] {
  return skills.flatMap((skill) => {
    for (const trigger of triggers) {
      const cause = trigger(skill, occasion);
      if (cause) return awake.has(skill.path) && cause.by !== 'command' ? [] : [{ skill, cause }];
    }
    return [];
  });
}

const because: Readonly<Record<Cause['by'], (what: string) => string>> = {
  keyword: (what) => `the message says "${what}"`,
  command: (what) => `the user called ${what}`,
  path: (what) => `${what} was touched`,
};

/** Returns the text of an activated skill for the model. */
export function activatedSkillText(skill: Skill, cause: Cause, message: string): string {
  const called = cause.by === 'command' ? parseSkillCall(message, [skill]) : undefined;
  const missing =
    called?.missing.map(({ name, description }) => (description ? `${name} (${description})` : name)) ?? [];
  return [
    `[${skill.path}, given because ${because[cause.by](cause.what)}:]`,
    called ? withArguments(withInputs(skill.body, called.values), called) : skill.body,
    ...(missing.length > 0 ? [`[Not given: ${missing.join(', ')}. Ask the user before you begin.]`] : []),
  ].join('\n');
}

/** Replaces "$ARGUMENTS", which commands of other agents use for all words after the name. */
const withArguments = (text: string, { rest, values }: SkillCall): string =>
  text.replaceAll('$ARGUMENTS', () => rest || Object.values(values).join(' '));
