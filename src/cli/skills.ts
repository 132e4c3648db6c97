import type { Listed } from '../core/skills/inventory';
import type { Skill } from '../core/skills/skill';
import { commandName } from '../core/skills/triggers';
import { folderAt } from './assess';
import { skillsIn } from './workplace';
import { visible } from './visible';

export interface SkillsOptions { readonly cwd?: string; readonly model?: string; readonly json?: boolean }

/** Prints what was found. Resolves to the exit code: 0, whatever is wrong with the files. */
export async function skills({ cwd = '.', model = '', json = false }: SkillsOptions): Promise<number> {
  const listed = await skillsIn(folderAt(cwd)).all(model);
  process.stdout.write(json ? `${JSON.stringify(listed.map(asJson), null, 2)}\n` : inWords(listed));
  return 0;
}

function asJson({ skill, unused }: Listed): object {
  const { name, kind, path, location, description, paths, inputs, tokens, hash, persona, modelMayUse, fields, problems } = skill;
  return {
    name, kind, path, location, description, trigger: triggersOf(skill), paths, inputs, tokens, hash, used: unused === undefined, ...(unused !== undefined && { why: unused }), ...(persona && { persona }), modelMayUse, fields,
    problems: problems.map(({ severity, code, message, from: { line, column } }) => ({ severity, code, message, line, column })),
  };
}

/** What wakes it: words, patterns, or what a person types. */
const triggersOf = (skill: Skill): string[] => [...skill.triggers, ...skill.paths.map(glob => [skill.base, glob].filter(Boolean).join('/')), ...(skill.kind === 'command' ? [`/${commandName(skill)}`] : [])];

function inWords(listed: readonly Listed[]): string {
  if (listed.length === 0) return 'No skills were found. AGENTS.md in this folder would be one.\n';
  return listed.map(({ skill, unused }) => {
    const { name, kind, path, tokens, description, problems } = skill;
    const wakes = triggersOf(skill).join(', ');
    const about = [wakes && `  wakes on ${wakes}`, description && `  ${description}`, unused !== undefined && `  not used: ${unused}`];
    const wrong = problems.map(({ severity, message, from: { line, column } }) => `  ${severity} ${path}:${line}:${column} ${message}`);
    return [`${name}  (${kind}, ${tokens} tokens, ${path})`, ...about, ...wrong].filter(Boolean).join('\n');
  }).map(visible).join('\n\n') + '\n';
}
