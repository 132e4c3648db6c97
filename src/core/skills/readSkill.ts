import { agentSkillProblems, slug } from './agentSkillRules';
import { readFrontMatter, type FrontMatter } from './frontMatter';
import { fieldWords, isFieldOfOthers } from './fieldWords';
import { isInputName } from './commandInputs';
import { textList, splitAtCommas, scalarText } from './fieldValues';
import { locationOf, type Located, type SkillLocation } from './locations';
import { personaOf, type Report } from './persona';
import type { Position, Skill, SkillFile, SkillInput, SkillKind, SkillProblem } from '../ports/skill';
import { isNegated } from './triggers';
import { globProblem } from '../text/glob';
import { misspelledFields, misspelledInWords } from '../text/misspelledFields';
import { truncate } from '../../protocol/plain/truncate';

const charactersPerToken = 4;

/** Parses a skill file. Returns undefined if the path is not that of a skill. Never throws. */
export function readSkill({
  path,
  text,
  hash,
  root = 'workspace',
  below = path,
  folder = '',
}: SkillFile): Skill | undefined {
  const located = locationOf(below, root);
  if (!located) return undefined;
  const { location, found } = located;
  const matter = location.reads === 'instructions' ? instructionsIn(text) : readFrontMatter(text);
  const problems: SkillProblem[] = [...matter.problems];
  const report = (severity: SkillProblem['severity'], code: string, key: string, message: string): void =>
    void problems.push({ severity, code, message, ...spanOf(matter, key) });
  const rules = rulesIn(matter, location, found, {
    report,
    isUnclear: () => problems.some(({ severity }) => severity === 'error'),
    isQuoted: (key) => /["']/.test(characterAt(text, spanOf(matter, key).from)),
  });
  if (location.reads === 'skill') problems.push(...agentSkillProblems(matter, found.name!));
  else if (matter.body === '' && rules.kind !== 'persona')
    report('warning', 'empty', '', 'The file contains no text, so it has no effect.');
  const fields = writtenFields(matter, location);
  return {
    ...rules,
    body: matter.body,
    source: text,
    path,
    location: location.id,
    ...(root !== 'workspace' && { root }),
    base: [folder, found.base].filter(Boolean).join('/'),
    ...(found.within !== undefined && { within: found.within }),
    fields: matter.fields,
    hash,
    tokens: Math.ceil(matter.body.length / charactersPerToken),
    problems,
    name: skillName(fields, location, found, path),
    description: scalarText(fields['description'])?.slice(0, 1024) ?? '',
    modelMayUse: !/^(?:true|yes|on)$/i.test(scalarText(fields['disable-model-invocation']) ?? ''),
  };
}

/**
 * Returns the front matter fields, with numbers as written. Field names are case-insensitive except for Agent Skills,
 * whose rules do not allow capitals.
 */
const writtenFields = ({ written }: FrontMatter, { reads }: SkillLocation): FrontMatter['fields'] =>
  reads === 'skill'
    ? written
    : { ...Object.fromEntries(Object.entries(written).map(([key, value]) => [key.toLowerCase(), value])), ...written };

/** Returns the position of a field's value, or where it would be. */
function spanOf({ fields, rangeOf, valueAt }: FrontMatter, name: string): Pick<SkillProblem, 'from' | 'to'> {
  const key = name in fields ? name : Object.keys(fields).find((each) => each.toLowerCase() === name);
  return key === undefined ? rangeOf(name) : valueAt(key);
}

/**
 * Reads a file of instructions. Its front matter never decides when it is used. If the front matter cannot be parsed,
 * it may be part of the text and must not be lost.
 */
function instructionsIn(text: string): FrontMatter {
  const matter = readFrontMatter(text);
  const problems = matter.problems.filter(({ code }) => code !== 'front-matter-shape' && code !== 'front-matter-late');
  return {
    ...matter,
    problems,
    ...(problems.some(({ severity }) => severity === 'error') && { body: text.replace(/^\uFEFF/, '').trimEnd() }),
  };
}

type Rules = Pick<Skill, 'kind' | 'triggers' | 'paths' | 'inputs' | 'persona'>;

interface ReadContext {
  readonly report: Report;
  /**
   * True if something that was read so far contains an error. It may have said when the file is to be used, so the file
   * does not always apply.
   */
  isUnclear(): boolean;
  /** Returns whether the value of a field starts with a quote. */
  isQuoted(key: string): boolean;
}

/** Determines from the front matter how a file is used, and when. */
function rulesIn(
  matter: FrontMatter,
  location: SkillLocation,
  { base }: Located,
  { report, isUnclear, isQuoted }: ReadContext,
): Rules {
  const fields = writtenFields(matter, location);
  const none = { triggers: [], paths: [], inputs: [] };
  if (location.reads === 'instructions')
    return base === '' ? { kind: 'always', ...none } : { kind: 'paths', ...none, paths: ['**'] };
  const isPersona = location.reads === 'persona' || scalarText(fields['kind'])?.trim().toLowerCase() === 'persona';
  if (location.reads !== 'skill') reportMisspelled(matter.fields, isPersona ? 'persona' : 'rules', report);
  if (isPersona && !matter.present && !isUnclear())
    report(
      'error',
      'persona-front-matter',
      '',
      'A persona must begin with front matter, whose first line, "---", is the first line of the file. Without it, nothing limits what the persona may do.',
    );
  if (isPersona) return { kind: 'persona', ...none, persona: personaOf(matter.fields, report) };
  const activation = activationIn(fields, location);
  const paths = globsIn(activation.paths, activation.field, report);
  const keywords = keywordsIn(fields['triggers']);
  const listed = typeof keywords === 'string' ? splitList(keywords, { isQuoted: isQuoted('triggers') }) : keywords;
  const triggers = textList(listed, (value) =>
    report('error', 'triggers', 'triggers', `A trigger must be a string, not ${JSON.stringify(value)}.`),
  );
  const inputs = inputsIn(fields['inputs'], report);
  const kind = skillKind({ paths, inputs, triggers }, fields, activation.always ? { reads: location.reads } : location);
  if (kind === 'always' && isUnclear()) {
    report(
      'warning',
      'by-hand',
      '',
      'Until this problem is corrected, the model gets the text only when it is called by name, as /name.',
    );
    return { kind: 'command', ...none };
  }
  // A rule that always applies in a folder applies when something in that folder is touched.
  if (kind === 'always') return base === '' ? { kind, ...none } : { kind: 'paths', ...none, paths: ['**'] };
  return { kind, paths, triggers, inputs };
}

/** Reports fields that nobody reads and that look like one of Waymark. A persona could do more than intended. */
function reportMisspelled(fields: FrontMatter['fields'], reads: 'persona' | 'rules', report: Report): void {
  const known = fieldWords.filter(({ of }) => of.includes(reads)).map(({ name }) => name);
  const level = reads === 'persona' ? 'error' : 'warning';
  for (const misspelled of misspelledFields(fields, known)) {
    const { field } = misspelled;
    if (!isFieldOfOthers(field, fields[field])) report(level, 'field-misspelled', field, misspelledInWords(misspelled));
  }
}

/** When a file is to be used, as far as it says: the patterns as written with their field, or always. */
interface Activation {
  readonly paths: unknown;
  readonly field: string;
  readonly always: boolean;
}

/**
 * Reads the fields of other agents: "globs" with "alwaysApply: true", or "applyTo", where "**" means always. `fields`
 * contains the fields by lower-case name.
 */
function activationIn(
  fields: Readonly<Record<string, unknown>>,
  { pathsField }: Pick<SkillLocation, 'pathsField'>,
): Activation {
  const field = pathsField === undefined || 'paths' in fields ? 'paths' : pathsField.toLowerCase();
  const paths = fields[field];
  const always =
    pathsField === 'globs'
      ? scalarText(fields['alwaysapply'])?.toLowerCase() === 'true'
      : field === 'applyto' && scalarText(paths)?.trim() === '**';
  return { field, always, paths: always ? undefined : paths };
}

/** Some files group their triggers: "triggers: { keywords: [a, b] }". */
const keywordsIn = (triggers: unknown): unknown =>
  typeof triggers === 'object' && triggers !== null && Object.keys(triggers).join() === 'keywords'
    ? (triggers as { keywords: unknown }).keywords
    : triggers;

/** Determines the kind; the first match wins. Triggers and paths of an Agent Skill also activate it. */
function skillKind(
  { paths, inputs, triggers }: Pick<Rules, 'paths' | 'inputs' | 'triggers'>,
  fields: FrontMatter['fields'],
  { reads, defaultUse }: Pick<SkillLocation, 'reads' | 'defaultUse'>,
): SkillKind {
  if (reads === 'skill') return 'skill';
  if (paths.length > 0) return 'paths';
  if (inputs.length > 0 || fields['type'] === 'task') return 'command';
  if (triggers.length > 0) return 'keyword';
  if (defaultUse === undefined) return 'always';
  return defaultUse === 'asked' && (scalarText(fields['description'])?.trim() ?? '') !== '' ? 'skill' : 'command';
}

/** Reads a list, or one text with comma-separated globs. Commas in braces are part of a glob. */
function globsIn(value: unknown, key: string, report: Report): string[] {
  const written =
    typeof value === 'string'
      ? splitAtCommas(value)
      : textList(value, (wrong) =>
          report('error', 'paths', key, `A path pattern must be a string, not ${JSON.stringify(wrong)}.`),
        );
  if (written.length > 0 && written.every(isNegated))
    report('error', 'paths-negated', key, 'All patterns exclude files, and none includes any. Add one such as "**".');
  return written.filter((glob) => {
    const problem = globProblem(isNegated(glob) ? glob.slice(1) : glob);
    if (problem !== undefined) {
      report('error', 'paths-pattern', key, `The pattern "${shortened(glob)}" ${problem}, so it is not used.`);
      return false;
    }
    const leavesFolder = /^(?:[a-z]:|\/|~)|(?:^|\/)\.\.(?:\/|$)/i.test(glob);
    if (leavesFolder)
      report(
        'error',
        'paths-outside',
        key,
        `The pattern "${glob}" points outside the folder. Patterns are relative to it.`,
      );
    return !leavesFolder;
  });
}

const shortened = (text: string): string => truncate(text, 60);

/** Splits comma-separated words on one line. Quotes around the whole line make it one word, including commas. */
const splitList = (line: string, { isQuoted }: { readonly isQuoted: boolean }): unknown =>
  line.trim() === '' || (isQuoted && !/^["']/.test(line)) ? line : splitAtCommas(line);

const characterAt = (text: string, { line, column }: Position): string =>
  text.replace(/^\uFEFF/, '').split('\n')[line - 1]?.[column - 1] ?? '';

/** Inputs may be a list, an object of descriptions by name, or one name. */
function entriesIn(inputs: unknown): unknown[] {
  if (Array.isArray(inputs)) return inputs;
  if (typeof inputs !== 'object' || inputs === null) return [inputs];
  return Object.entries(inputs).map(([name, description]) => ({ name, description: scalarText(description) ?? '' }));
}

function inputsIn(value: unknown, report: Report): SkillInput[] {
  if (value === undefined || value === null) return [];
  const names = new Set<string>();
  return entriesIn(value).flatMap((entry) => {
    const fields = typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>) : {};
    const input = typeof entry === 'string' ? { name: entry } : fields;
    const name = scalarText(input['name']);
    if (name === undefined || !isInputName(name)) {
      report(
        'error',
        'inputs',
        'inputs',
        `Each input needs a name of letters, digits, "_" and "-": ${JSON.stringify(entry)} has none.`,
      );
      return [];
    }
    if (names.has(name.normalize('NFC'))) {
      report('warning', 'inputs-twice', 'inputs', `The input "${name}" is listed twice. The first one is used.`);
      return [];
    }
    names.add(name.normalize('NFC'));
    const fallback = scalarText(input['default']);
    return [{ name, description: scalarText(input['description']) ?? '', ...(fallback !== undefined && { fallback }) }];
  });
}

function skillName(
  fields: FrontMatter['fields'],
  { reads }: SkillLocation,
  { base, name }: Located,
  path: string,
): string {
  if (reads === 'instructions') return base === '' ? path.slice(path.lastIndexOf('/') + 1) : path;
  return scalarText(fields['name'])?.trim() || name || slug(base) || path;
}
