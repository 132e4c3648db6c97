import type { SkillFiles } from '../../adapters/skills/skillFiles';
import type { Reviewable } from '../../adapters/skills/skillReviews';
import { shownToPeople } from '../../core/text/shownName';
import type { ConsentMeans } from './ask';
import { printToStderr } from '../output/escapeForTerminal';

/**
 * Decides on files that changed since the agent last used them. Resolves to those that are left out; stderr names them
 * and says what to do.
 */
export async function settleSkills(
  skills: SkillFiles,
  model: string,
  { agree, attended, questions, unwanted }: ConsentMeans,
): Promise<readonly Reviewable[]> {
  const left: Reviewable[] = [];
  for (const skill of await skills.waiting(model)) {
    const isAsked = !agree && attended && unwanted?.aborted !== true;
    if (isAsked)
      printToStderr(
        `\n${shownToPeople(skill.path)} instructs the agent and changed since its last use:\n${await skillPatch(skill, skills)}`,
      );
    if (agree || (isAsked && (await questions.agrees('Use the current version?', unwanted)))) skills.agree([skill]);
    else left.push(skill);
  }
  if (left.length > 0) printToStderr(skippedSkillsWords(left));
  return left;
}

/** The message for the user, and for the log of the run that continues without these files. */
export function skippedSkillsWords(skills: readonly Pick<Reviewable, 'path'>[]): string {
  const each = skills.length === 1 ? 'it' : 'each';
  const paths = skills.map(({ path }) => shownToPeople(path)).join(', ');
  const why = `Skipped, because ${each} changed since its last use: ${paths}.`;
  return `${why} Review the changes with "waymark skills --review", which asks at a terminal; --agree skills approves them without asking.`;
}

/** The change as a patch, or the whole text if there is no earlier version. */
export async function skillPatch(skill: Reviewable, skills: SkillFiles): Promise<string> {
  const before = skills.agreedText(skill);
  return before === undefined
    ? skill.source
    : (await import('../../core/security/agreedChange')).agreedChange(before, skill.source);
}
