import { createHash } from 'node:crypto';
import type { Skill as GivenSkill, SkillSource } from '../../../api/waymark';
import type { Skill } from '../../core/ports/skill';
import { extensionLabel } from './callingExtension';
import type { Contribution } from './contributions';
import { problemOfSkill } from './checkContributions';
import { errorMessage } from '../../core/text/errorMessage';

const charactersPerToken = 4;
const timeoutMs = 5000;

/**
 * Returns the skills of other extensions. A source that fails, takes too long or returns something invalid is reported
 * and skipped.
 */
export async function contributedSkills(
  contributions: { readonly all: readonly Contribution<SkillSource>[] },
  onProblem: (words: string) => void,
): Promise<Skill[]> {
  return (await Promise.all(contributions.all.map((contribution) => checkedSkills(contribution, onProblem)))).flat();
}

async function checkedSkills(
  { by, value: source }: Contribution<SkillSource>,
  onProblem: (words: string) => void,
): Promise<Skill[]> {
  const warn = (words: string): void =>
    onProblem(`Skipped a skill of ${by.id === '' ? 'an extension without a name' : extensionLabel(by)}. ${words}`);
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`It did not answer within ${timeoutMs / 1000} s.`)), timeoutMs);
    });
    const answer: unknown = await Promise.race([source.find(), late]);
    if (!Array.isArray(answer)) throw new Error('It did not return a list.');
    return answer.flatMap((skill: GivenSkill) => {
      const problem = problemOfSkill(skill);
      if (problem !== undefined) warn(problem);
      return problem === undefined ? [skillOf(skill, by.id)] : [];
    });
  } catch (thrown) {
    warn(errorMessage(thrown));
    return [];
  } finally {
    clearTimeout(timer);
  }
}

function skillOf({ name, description, text, triggers = [] }: GivenSkill, extension: string): Skill {
  const fields = [`name: ${name}`, `description: ${JSON.stringify(description)}`];
  if (triggers.length > 0) fields.push(`triggers: ${JSON.stringify(triggers)}`);
  const source = `---\n${fields.join('\n')}\n---\n\n${text}`;
  return {
    name,
    kind: 'skill',
    description,
    body: text,
    source,
    path: `extension:${extension}/${name}`,
    location: 'extension',
    base: '',
    triggers: [...triggers],
    paths: [],
    inputs: [],
    modelMayUse: true,
    fields: { name, description, ...(triggers.length > 0 && { triggers }) },
    hash: createHash('sha256').update(source).digest('hex'),
    tokens: Math.ceil(text.length / charactersPerToken),
    problems: [],
  };
}
