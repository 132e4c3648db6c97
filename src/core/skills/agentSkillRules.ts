import type { FrontMatter } from './frontMatter';
import type { SkillFix, SkillProblem } from '../ports/skill';
import { withCommas } from '../text/withCommas';

/** Adds a problem of one key. `value`: what its value should be, if that is known. */
type Report = (code: string, key: string, message: string, value?: string) => void;

/**
 * Checks SKILL.md against the rules of agentskills.io. `folder` is the name of the folder that contains it. Each
 * message says what would be valid.
 */
export function agentSkillProblems(matter: FrontMatter, folder: string): SkillProblem[] {
  const { fields, written, rangeOf, valueAt } = matter;
  const problems: SkillProblem[] = [];
  const report: Report = (code, key, message, value) => {
    const span = key in fields ? valueAt(key) : rangeOf(key);
    problems.push({
      severity: 'error',
      code,
      message,
      ...span,
      ...(value !== undefined && key in fields && { fix: { title: `Change it to "${value}"`, ...span, text: value } }),
    });
  };
  const { name } = written;
  if (!matter.present || isBlank(name)) problems.push(missingName(matter, folder));
  else checkName(name, folder, report);
  checkDescription(written.description, report);
  checkOtherFields(matter, report);
  return problems;
}

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === '';

function missingName(matter: FrontMatter, folder: string): SkillProblem {
  const canBeAdded = matter.present && slug(folder) === folder;
  return {
    severity: 'error',
    code: 'name-missing',
    message: `A skill needs a name. It is the name of its folder: "name: ${folder}".`,
    ...matter.rangeOf('name'),
    ...(canBeAdded && { fix: { title: `Add "name: ${folder}"`, ...nameWritten(matter, folder) } }),
  };
}

function checkName(name: unknown, folder: string, report: Report): void {
  if (typeof name !== 'string') return report('name-type', 'name', 'The name must be a string.');
  const length = [...name].length;
  if (length > 64) report('name-length', 'name', `The name has ${length} characters; at most 64 are allowed.`);
  if (!isName(name.normalize('NFKC')))
    report(
      'name-format',
      'name',
      'A name consists of lowercase letters and digits, with single hyphens between them.',
      slug(name) || undefined,
    );
  else if (name.normalize('NFKC') !== folder.normalize('NFKC'))
    report(
      'name-folder',
      'name',
      `The name must be the same as the name of the folder, "${folder}".`,
      slug(folder) === folder ? folder : undefined,
    );
}

function checkDescription(description: unknown, report: Report): void {
  if (isBlank(description) || (typeof description === 'string' && description.trim() === ''))
    return report(
      'description-missing',
      'description',
      'A skill needs a description that says what it does and when to use it: initially, the model sees nothing else.',
    );
  if (typeof description !== 'string')
    return report('description-type', 'description', 'The description must be a string.');
  const length = [...description].length;
  if (length > 1024)
    report(
      'description-length',
      'description',
      `The description has ${withCommas(length)} characters; at most 1,024 are allowed. The rest is not shown to the model.`,
    );
}

/** Checks the fields that may be absent. */
function checkOtherFields({ fields, written }: FrontMatter, report: Report): void {
  const { compatibility, license } = written;
  const { metadata } = fields;
  if (compatibility !== undefined && !isTextUpTo(500, compatibility))
    report('compatibility', 'compatibility', 'The compatibility must be a string of 1 to 500 characters.');
  if (license !== undefined && typeof license !== 'string')
    report('license', 'license', 'The license must be a string.');
  if (metadata !== undefined && (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)))
    report('metadata', 'metadata', 'The metadata must be a list of "name: value" lines.');
  const tools = written['allowed-tools'];
  const areNames = Array.isArray(tools) && tools.every((tool) => typeof tool === 'string');
  if (tools !== undefined && typeof tools !== 'string' && !areNames)
    report(
      'allowed-tools',
      'allowed-tools',
      'The allowed tools must be a string with spaces between the names, or a list of strings.',
    );
}

const isTextUpTo = (length: number, value: unknown): boolean =>
  typeof value === 'string' && value !== '' && [...value].length <= length;

/** Returns the edit that sets the name: on its existing line, or on a new one. */
function nameWritten(
  { fields, rangeOf, valueAt, firstLine: line }: FrontMatter,
  name: string,
): Omit<SkillFix, 'title'> {
  const text = inYaml(name);
  if (!('name' in fields)) return { from: { line, column: 1 }, to: { line, column: 1 }, text: `name: ${text}\n` };
  const { from, to } = valueAt('name');
  const isEmpty = from.column === to.column;
  if (!isEmpty) return { from, to, text };
  const isAtColon = from.column === rangeOf('name').to.column + 1;
  // An empty value may be followed by a comment.
  return { from, to, text: isAtColon ? ` ${text}` : `${text} ` };
}

/** Formats a name as a YAML string. Quotes names that YAML would read as numbers or keywords. */
export const inYaml = (name: string): string => (/^\d|^(?:true|false|null)$/.test(name) ? JSON.stringify(name) : name);

/** Returns whether a text consists of letters of any script except capitals, digits and single hyphens. */
const isName = (text: string): boolean =>
  /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u.test(text) && text === text.toLowerCase();

/**
 * Converts a text to a skill name: "PDF Processing" becomes "pdf-processing". Empty if the text has neither letters nor
 * digits.
 */
export const slug = (text: string): string =>
  [
    ...text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-/, ''),
  ]
    .slice(0, 64)
    .join('')
    .replace(/-$/, '');
