import { shownName } from '../text/shownName';
import { commandName } from './commandName';
import type { Skill } from '../ports/skill';

/** Maximum length of a line in the list, in characters: about 60 tokens. */
const maxLineLength = 236;

const openings = {
  always: 'Instructions of this repository for everyone who works in it:',
  skills: 'Skills. Before work that one of them covers, read it with use_skill:',
  personas: 'Personas that delegate can give a task to:',
};

/**
 * Returns the section of the system prompt about skills, or an empty string if there are none. Files that always apply
 * are included in full. Each other skill takes one line, so that a hundred of them cost little.
 */
export function skillsPrompt(
  skills: readonly Skill[],
  has: { readonly useSkill: boolean; readonly delegate: boolean },
): string {
  const always = skills.filter(({ kind }) => kind === 'always').map(({ path, body }) => `# ${path}\n\n${body}`);
  const offered = has.useSkill ? skills.filter(({ kind, modelMayUse }) => kind === 'skill' && modelMayUse) : [];
  const personas = has.delegate ? skills.filter(({ kind }) => kind === 'persona') : [];
  return [
    ...(always.length > 0 ? [`${openings.always}\n\n${always.join('\n\n')}`] : []),
    ...(offered.length > 0 ? [[openings.skills, ...offered.map(line)].join('\n')] : []),
    ...(personas.length > 0 ? [[openings.personas, ...personas.map(line)].join('\n')] : []),
  ].join('\n\n');
}

function line(skill: Skill): string {
  const description = skill.description.replace(/\s+/g, ' ').trim();
  // A name with line breaks must not look like several entries.
  const name = shownName(skill.kind === 'persona' ? skill.name : commandName(skill));
  const whole = `- ${name}: ${description}`;
  return whole.length <= maxLineLength ? whole : `${whole.slice(0, maxLineLength - 1).trimEnd()}…`;
}
