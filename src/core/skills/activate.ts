import { calledBy, interpolate, type Called } from './commandInputs';
import type { Skill } from '../ports/skill';
import { triggers, type Cause, type Occasion } from './triggers';

export interface Woken {
  readonly skill: Skill;
  readonly cause: Cause;
}

/**
 * The skills that something wakes, in the order of their precedence. Each wakes once while the model reads its
 * text, but a command as often as it is called.
 */
export function wokenBy(occasion: Occasion, skills: readonly Skill[], awake: ReadonlySet<string>): Woken[] {
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

/** What the model reads of a skill that was woken. */
export function wokenText(skill: Skill, cause: Cause, message: string): string {
  const called = cause.by === 'command' ? calledBy(message, [skill]) : undefined;
  const missing =
    called?.missing.map(({ name, description }) => (description ? `${name} (${description})` : name)) ?? [];
  return [
    `[${skill.path}, given because ${because[cause.by](cause.what)}:]`,
    called ? withArguments(interpolate(skill.body, called.values), called) : skill.body,
    ...(missing.length > 0 ? [`[Not given: ${missing.join(', ')}. Ask the user before you begin.]`] : []),
  ].join('\n');
}

/** Where commands of other agents say so, all words that follow the name: "$ARGUMENTS". */
const withArguments = (text: string, { rest, values }: Called): string =>
  text.replaceAll('$ARGUMENTS', () => rest || Object.values(values).join(' '));
