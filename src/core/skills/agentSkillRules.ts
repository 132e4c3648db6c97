import type { FrontMatter } from './frontMatter';
import type { SkillFix, SkillProblem } from '../ports/skill';
import { withCommas } from '../text/withCommas';

/**
 * Checks SKILL.md against the rules of agentskills.io. `folder` is the name of the folder that contains it. Each
 * message says what would be valid.
 */
export function agentSkillProblems(matter: FrontMatter, folder: string): SkillProblem[] {
  const { fields, written, rangeOf, valueAt, present } = matter;
  const problems: SkillProblem[] = [];
  const error = (code: string, key: string, message: string, value?: string): void => {
    const span = key in fields ? valueAt(key) : rangeOf(key);
    problems.push({
      severity: 'error',
      code,
      message,
      ...span,
      ...(value !== undefined && key in fields && { fix: { title: `Change it to "${value}"`, ...span, text: value } }),
    });
  };
  const { name, description, compatibility, license } = written;
  const { metadata } = fields;
  if (!present || name === undefined || name === null || name === '') {
    problems.push({
      severity: 'error',
      code: 'name-missing',
      message: `A skill needs a name. It is the name of its folder: "name: ${folder}".`,
      ...rangeOf('name'),
      ...(present &&
        slug(folder) === folder && { fix: { title: `Add "name: ${folder}"`, ...nameWritten(matter, folder) } }),
    });
  } else if (typeof name !== 'string') error('name-type', 'name', 'The name must be a string.');
  else {
    if ([...name].length > 64)
      error('name-length', 'name', `The name has ${[...name].length} characters; at most 64 are allowed.`);
    if (!isName(name.normalize('NFKC')))
      error(
        'name-format',
        'name',
        'A name consists of lowercase letters and digits, with single hyphens between them.',
        slug(name) || undefined,
      );
    else if (name.normalize('NFKC') !== folder.normalize('NFKC'))
      error(
        'name-folder',
        'name',
        `The name must be the same as the name of the folder, "${folder}".`,
        slug(folder) === folder ? folder : undefined,
      );
  }
  if (
    description === undefined ||
    description === null ||
    (typeof description === 'string' && description.trim() === '')
  )
    error(
      'description-missing',
      'description',
      'A skill needs a description that says what it does and when to use it: initially, the model sees nothing else.',
    );
  else if (typeof description !== 'string')
    error('description-type', 'description', 'The description must be a string.');
  else if ([...description].length > 1024)
    error(
      'description-length',
      'description',
      `The description has ${withCommas([...description].length)} characters; at most 1,024 are allowed. The rest is not shown to the model.`,
    );
  if (
    compatibility !== undefined &&
    (typeof compatibility !== 'string' || compatibility === '' || [...compatibility].length > 500)
  )
    error('compatibility', 'compatibility', 'The compatibility must be a string of 1 to 500 characters.');
  if (license !== undefined && typeof license !== 'string')
    error('license', 'license', 'The license must be a string.');
  if (metadata !== undefined && (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)))
    error('metadata', 'metadata', 'The metadata must be a list of "name: value" lines.');
  const tools = written['allowed-tools'];
  if (
    tools !== undefined &&
    typeof tools !== 'string' &&
    !(Array.isArray(tools) && tools.every((tool) => typeof tool === 'string'))
  )
    error(
      'allowed-tools',
      'allowed-tools',
      'The allowed tools must be a string with spaces between the names, or a list of strings.',
    );
  return problems;
}

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
