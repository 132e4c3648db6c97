import { counted } from '../../core/text/amounts';
import type { SkillFiles, SkillTrust } from '../../adapters/skills/skillFiles';
import type { Reviewable } from '../../adapters/skills/skillReviews';
import { callableSkills } from '../../core/skills/commandInputs';
import { commandName } from '../../core/skills/commandName';
import type { ListedSkill, Skill } from '../../core/ports/skill';
import { shownToPeople } from '../../core/text/shownName';
import { isAttended, Questions } from '../consent/ask';
import { folderAt } from '../run/folderAt';
import { stdout } from '../output/output';
import { skillPatch, settleSkills } from '../consent/skillConsent';
import { skillsIn } from '../run/workplace';
import { escapeForTerminal } from '../output/escapeForTerminal';
import type { ExitCode } from '../output/exitCodes';

/** Flags of `waymark skills`. `model`: lists what that model would use. */
export interface SkillsOptions {
  readonly cwd?: string;
  readonly model?: string;
  readonly json?: boolean;
  /** Shows changes, and asks if there is a terminal. */
  readonly review?: boolean;
  /** Approves changes without asking. */
  readonly agree?: boolean;
}

/**
 * Prints the skills that were found, or their changes. Resolves to the exit code: 0 even if files have problems, 3 if a
 * review is still pending.
 */
export async function skills({
  cwd = '.',
  model = '',
  json = false,
  review = false,
  agree = false,
}: SkillsOptions): Promise<ExitCode<'skills'>> {
  const files = skillsIn(folderAt(cwd));
  if (review || agree) return reviewSkills(files, model, { review, agree });
  const listed = await files.listAll(model);
  const trusted = listed.map((each) => ({ ...each, trust: files.trustOf(each.skill) }));
  stdout.write(
    json ? `${JSON.stringify(trusted.map(skillAsJson), null, 2)}\n` : formatSkills(trusted, await files.changedPages()),
  );
  return 0;
}

async function reviewSkills(
  files: SkillFiles,
  model: string,
  { review, agree }: { readonly review: boolean; readonly agree: boolean },
): Promise<ExitCode<'skills'>> {
  const waiting = await files.waiting(model);
  const attended = isAttended();
  if (waiting.length === 0) stdout.write('No skills or instructions changed since they were last used.\n');
  // At a terminal, each change is shown with its question.
  if (review && (agree || !attended))
    for (const skill of waiting)
      stdout.write(`${escapeForTerminal(`${shownToPeople(skill.path)}\n${await skillPatch(skill, files)}`)}\n`);
  const asking = { agree, attended: review && attended, questions: new Questions() };
  return (await settleSkills(files, model, asking)).length > 0 ? 3 : 0;
}

interface Trusted extends ListedSkill {
  readonly trust: SkillTrust;
}

function skillAsJson({ skill, unused, trust }: Trusted): object {
  const {
    name,
    kind,
    path,
    location,
    description,
    paths,
    inputs,
    tokens,
    hash,
    persona,
    modelMayUse,
    fields,
    problems,
  } = skill;
  return {
    name,
    kind,
    path,
    location,
    description,
    trigger: triggersOf(skill),
    ...(unused === undefined && callableSkills([skill]).length > 0 && { command: `/${commandName(skill)}` }),
    paths,
    inputs,
    tokens,
    hash,
    trust,
    used: unused === undefined,
    ...(unused !== undefined && { why: unused }),
    ...(persona && { persona }),
    modelMayUse,
    fields,
    problems: problems.map(({ severity, code, message, from: { line, column } }) => ({
      severity,
      code,
      message,
      line,
      column,
    })),
  };
}

/** The triggers of a skill: words, patterns, or the command that a user types. */
const triggersOf = (skill: Skill): string[] => [
  ...new Set([
    ...skill.triggers,
    ...skill.paths.map((glob) => [skill.base, glob].filter(Boolean).join('/')),
    ...(skill.kind === 'command' ? [`/${commandName(skill)}`] : []),
  ]),
];

const trusts: Readonly<Record<SkillTrust, string>> = {
  new: 'not used yet',
  agreed: 'unchanged since its last use',
  changed: 'changed',
};

function formatSkills(listed: readonly Trusted[], pages: readonly Reviewable[]): string {
  if (listed.length === 0) return 'No skills or instructions found. You can add AGENTS.md to this folder.\n';
  const entries = listed.map(({ skill, unused, trust }) => {
    const { kind, tokens, description, problems } = skill;
    const [name, path] = [shownToPeople(skill.name), shownToPeople(skill.path)];
    const wakes = triggersOf(skill).join(', ');
    const about = [
      wakes && `  triggered by ${wakes}`,
      description && `  ${description}`,
      unused !== undefined && `  not used: ${unused}`,
    ];
    const wrong = problems.map(
      ({ severity, message, from: { line, column } }) => `  ${severity} ${path}:${line}:${column} ${message}`,
    );
    return [`${name}  (${kind}, ${counted(tokens, 'token')}, ${path}, ${trusts[trust]})`, ...about, ...wrong]
      .filter(Boolean)
      .join('\n');
  });
  const changed = listed.filter(({ waits }) => waits).length + pages.length;
  const next =
    changed > 0
      ? [
          `${changed} changed and ${changed === 1 ? 'waits' : 'wait'}: "waymark skills --review" shows the changes and asks.`,
        ]
      : [];
  return (
    [...entries, ...pages.map(({ path }) => `${shownToPeople(path)}  (page of a skill, changed)`), ...next]
      .map(escapeForTerminal)
      .join('\n\n') + '\n'
  );
}
