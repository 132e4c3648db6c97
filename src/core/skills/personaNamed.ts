import type { Skill, Skills } from '../ports/skill';
import { shownToPeople } from '../text/shownName';

/** Finds a persona by name. Throws an `Error` with a message for people that lists the available ones. */
export async function personaNamed(name: string, skills: Skills | undefined, model: string): Promise<Skill> {
  const all = ((await skills?.listUsed(model)) ?? []).filter(({ kind }) => kind === 'persona');
  const isMeant = (each: Skill): boolean => each.name.toLowerCase() === name.trim().toLowerCase();
  const found = all.find(isMeant);
  const unused = found
    ? undefined
    : (await skills?.listAll?.(model))?.find(({ skill }) => skill.kind === 'persona' && isMeant(skill));
  if (unused?.unused !== undefined)
    throw new Error(
      `The persona "${unused.skill.name}" of ${shownToPeople(unused.skill.path)} cannot be chosen. ${unused.unused}`,
    );
  if (!found)
    throw new Error(
      all.length === 0
        ? `There is no persona "${name}": no file in .agent/agents or another folder for personas defines it.`
        : `There is no persona "${name}". There are: ${all.map((each) => shownToPeople(each.name)).join(', ')}.`,
    );
  return found;
}
