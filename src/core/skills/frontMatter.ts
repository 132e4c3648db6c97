import { isMap, isPair, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import { yamlValueOf } from './yamlValue';
import { loosenYaml, type Loosened } from './looseYaml';
import type { Position, SkillProblem } from '../ports/skill';
import { nestsDeeper } from '../text/nesting';
import { fieldWords } from './fieldWords';
import { plainFields, type PlainField } from './plainFields';

/** The YAML fields at the beginning of a skill file. */
export interface FrontMatter {
  /** Empty if there is no front matter or it cannot be read. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The same with numbers and booleans as written: "1.10" may be a version and would become 1.1. */
  readonly written: Readonly<Record<string, unknown>>;
  /** Returns the position of a key, or the beginning of the file if it is missing. */
  rangeOf(key: string): { readonly from: Position; readonly to: Position };
  /** Returns the position of a key's value. */
  valueAt(key: string): { readonly from: Position; readonly to: Position };
  /** True if the file has front matter. */
  readonly present: boolean;
  /** Line of the first field; 1 if there is no front matter. */
  readonly firstLine: number;
  readonly body: string;
  readonly problems: readonly SkillProblem[];
}

const beginning = { from: { line: 1, column: 1 }, to: { line: 1, column: 1 } };

/**
 * Reads the YAML between the first two lines of "---". Never throws: errors are reported as problems, and the rest is
 * used. If there is no field between the lines, as in a text that starts with a horizontal rule, the whole file is
 * text.
 */
export function readFrontMatter(text: string): FrontMatter {
  const source = text.replace(/^\uFEFF/, '');
  const [opening, before = '', dashes = ''] = /^(\s*)(-{3,})(?!-)[ \t]*(?:\r?\n|$)/.exec(source) ?? [];
  if (opening === undefined) return textAlone(source, ...behindComment(source));
  const closing = /^(?:-{3,}(?!-)|\.\.\.)[ \t]*(?:[ \t]#.*)?(?:\r?\n|$)/m.exec(source.slice(opening.length));
  const between = source.slice(opening.length, opening.length + (closing?.index ?? source.length));
  if (!closing)
    return looksLikeFields(between.slice(0, maxFrontMatterLength))
      ? unclosedFrontMatter(source, opening.length)
      : textAlone(source);
  const body = withoutBlankEnds(source.slice(opening.length + between.length + closing[0].length));
  if (between.length > maxFrontMatterLength) return { ...textAlone(source, tooLong), present: true, body };
  if (nestsDeeper(between, maxNesting)) return { ...textAlone(source, tooDeep), present: true, body };
  // Earlier lines are kept as empty lines, so that positions in the YAML are one line above those in the file.
  const read = fieldsOf(before.replace(/[^\n]+/g, '') + between);
  const firstLine = lastPosition(before).line + 1;
  const late = lateBehind(before, dashes);
  if (!read && looksLikeFields(between)) return textAlone(source, notFields(firstLine, 'error'));
  if (!read) return textAlone(source, ...(late.length > 0 ? [] : [notFields(firstLine, 'warning')]));
  return { ...read, problems: [...late, ...read.problems], present: true, firstLine, body };
}

/** Known fields, compared case-insensitively: people also write "Tools:". */
const knownFields = new Set([...fieldWords.map(({ name }) => name), 'type', 'kind']);
/** Returns whether a name looks like a field. Sentences start differently: "Note: …", "Build it first: …". */
const isField = (name: string): boolean => /^[a-z_][\w.-]*$/.test(name) || knownFields.has(name.trim().toLowerCase());

/** Returns whether parsed YAML is front matter. An empty text is; comments alone are headings of a Markdown text. */
function areFields(value: unknown, yaml: string): boolean {
  if (value === null) return yaml.trim() === '';
  if (typeof value !== 'object' || Array.isArray(value)) return false;
  const names = Object.keys(value);
  return names.length === 0 || names.some(isField);
}

/** Returns whether invalid YAML was meant as front matter: it starts with a field or contains a known one. */
function looksLikeFields(yaml: string): boolean {
  const lines = yaml.split('\n').filter((line) => !/^\s*(?:#.*)?$/.test(line));
  return (
    /^\s*\{/.test(lines[0] ?? '') ||
    lines.some((line, index) => {
      const [, name, blank] = /^\s*(?:- +)?["']?([^\s:"']+)["']?\s*:(\s|$)?/.exec(line) ?? [];
      return (
        name !== undefined &&
        (knownFields.has(name.toLowerCase()) || (index === 0 && blank !== undefined && isField(name)))
      );
    })
  );
}

/** Maximum length of front matter, in characters. Real files have some hundreds; parsing much longer ones is slow. */
const maxFrontMatterLength = 20_000;
const tooLong: SkillProblem = {
  severity: 'error',
  code: 'front-matter-long',
  message:
    'The front matter has more than 20,000 characters, so it is not read. Move everything that is not a field into the text.',
  from: beginning.from,
  to: beginning.to,
};

/** Maximum nesting depth. */
const maxNesting = 50;
const tooDeep: SkillProblem = {
  severity: 'error',
  code: 'front-matter-deep',
  message: `The front matter nests brackets or lists more than ${maxNesting} levels deep, so it is not read.`,
  from: beginning.from,
  to: beginning.to,
};

const notFields = (line: number, severity: SkillProblem['severity']): SkillProblem => ({
  severity,
  code: 'front-matter-shape',
  message: 'The front matter is not a list of "name: value" lines, so Waymark treats it as text.',
  from: { line, column: 1 },
  to: { line, column: 2 },
});

/**
 * Reports front matter after white space or with more than three dashes. Some tools accept it; others treat the file as
 * text.
 */
function lateBehind(before: string, dashes: string): SkillProblem[] {
  if (before === '' && dashes === '---') return [];
  const span = spanBehind(before, dashes);
  return [
    {
      severity: 'warning',
      code: 'front-matter-late',
      message:
        'The line "---" that opens the front matter must be the first line and have three dashes. Waymark reads it anyway. Other tools may treat the file as text.',
      ...span,
      fix: { title: 'Begin the file with "---"', from: beginning.from, to: span.to, text: '---' },
    },
  ];
}

/** Reports front matter after a comment, which no tool finds. It may have restricted when the file is used. */
function behindComment(source: string): SkillProblem[] {
  const before = source.slice(0, behindComments(source));
  const [opening, dashes = ''] = /^(-{3,})(?!-)[ \t]*\r?\n/.exec(source.slice(before.length)) ?? [];
  if (opening === undefined) return [];
  const rest = source.slice(before.length + opening.length);
  const closing = rest.search(/^-{3,}(?!-)[ \t]*\r?$/m);
  if (closing < 0 || !looksLikeFields(rest.slice(0, closing))) return [];
  return [
    {
      severity: 'error',
      code: 'front-matter-late',
      message:
        'The line "---" that opens the front matter must be the first line of the file, before any comment. The whole file is treated as text.',
      ...spanBehind(before, dashes),
    },
  ];
}

/** Returns where the text after leading white space and comments starts. */
function behindComments(source: string): number {
  for (let at = 0; ;) {
    at += source.slice(at).search(/\S|$/);
    const end = source.startsWith('<!--', at) ? source.indexOf('-->', at + 4) : -1;
    if (end < 0) return at;
    at = end + 3;
  }
}

function spanBehind(before: string, dashes: string): Pick<SkillProblem, 'from' | 'to'> {
  const from = lastPosition(before);
  return { from, to: { line: from.line, column: from.column + dashes.length } };
}

function textAlone(source: string, ...problems: SkillProblem[]): FrontMatter {
  return {
    fields: {},
    written: {},
    rangeOf: () => beginning,
    valueAt: () => beginning,
    present: false,
    firstLine: 1,
    body: withoutBlankEnds(source),
    problems,
  };
}

function unclosedFrontMatter(source: string, opening: number): FrontMatter {
  const fix = {
    title: 'Close the front matter',
    from: lastPosition(source),
    to: lastPosition(source),
    text: `${source.endsWith('\n') ? '' : '\n'}---\n`,
  };
  return {
    ...textAlone(source.slice(opening), {
      severity: 'error',
      code: 'front-matter-open',
      message: 'The front matter has no closing line "---", so the whole file is treated as text.',
      from: { line: 1, column: 1 },
      to: { line: 1, column: 4 },
      fix,
    }),
    present: true,
  };
}

/** Removes empty lines at both ends. The indentation of the first line is kept, because it may be significant. */
const withoutBlankEnds = (text: string): string => text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();

type Fields = Omit<FrontMatter, 'present' | 'firstLine' | 'body'>;

/** Returns undefined if the text is not front matter. */
function fieldsOf(yaml: string): Fields | undefined {
  const plainOnes = plainFields(yaml);
  if (plainOnes) return [...plainOnes.keys()].some(isField) ? readPlain(plainOnes) : undefined;
  const first = parseYaml(yaml);
  const isOdd = first.problems.length > 0 || first.document.warnings.length > 0 || /^\u00A0/m.test(yaml);
  const { yaml: mended, changed } = isOdd ? loosenYaml(yaml) : { yaml, changed: [] };
  const second = changed.length > 0 ? parseYaml(mended) : first;
  if (second.problems.length > 0) return looksLikeFields(yaml) ? readFields(first, first.problems) : undefined;
  if (!areFields(second.value, yaml)) return undefined;
  // Positions of keys are the same in both versions.
  return readFields(
    second,
    changed.map(({ what, from, to, mended: text }) => {
      const [begins, ends] = [
        { line: from.line + 1, column: from.column },
        { line: to.line + 1, column: to.column },
      ];
      return {
        severity: 'warning',
        code: what === 'indent' ? 'yaml-indent' : 'yaml-quotes',
        message: `${loose[what]} Other tools may reject the file.`,
        from: begins,
        to: ends,
        fix: {
          title: what === 'indent' ? 'Indent the line with spaces' : 'Put the value in quotes',
          from: begins,
          to: ends,
          text,
        },
      };
    }),
  );
}

const loose: Readonly<Record<Loosened['what'], string>> = {
  quotes: 'YAML cannot read this value without quotes. Waymark uses it as written.',
  tag: 'Without quotes, YAML reads this as a tag. Waymark uses it as written.',
  indent: 'YAML requires spaces for indentation. Waymark reads the line as if it had spaces.',
};

interface Parsed {
  readonly yaml: string;
  readonly document: Document;
  readonly lines: LineCounter;
  readonly value: unknown;
  readonly written: unknown;
  readonly problems: readonly SkillProblem[];
}

function parseYaml(yaml: string): Parsed {
  const lines = new LineCounter();
  // Otherwise, warnings would be printed to the console.
  const document: Document = parseDocument(yaml, {
    lineCounter: lines,
    prettyErrors: false,
    strict: true,
    uniqueKeys: true,
    merge: true,
    logLevel: 'error',
  });
  const { value, written, error } = yamlValueOf(document);
  // Something missing at the end is reported after the last word, not on a line below.
  const end = yaml.trimEnd().length;
  const problems = document.errors.slice(0, 3).map(({ message, pos }): SkillProblem => ({
    severity: 'error',
    code: 'yaml',
    message: `The front matter is not YAML: ${firstSentence(message)}`,
    ...span({ lines }, Math.min(pos[0], end), Math.min(pos[1], end)),
  }));
  if (problems.length === 0 && error)
    problems.push({
      severity: 'error',
      code: 'yaml-alias',
      message: error.message,
      ...span({ lines }, error.pos[0], error.pos[1]),
    });
  return { yaml, document, lines, value, written, problems };
}

function readFields({ yaml, document, lines, value, written }: Parsed, problems: readonly SkillProblem[]): Fields {
  const pairs = isMap(document.contents) ? document.contents.items.filter(isPair) : [];
  const keyOf = (key: string) => pairs.find((pair) => isScalar(pair.key) && pair.key.value === key);
  const place = (node: unknown) => {
    const range =
      typeof node === 'object' && node !== null && 'range' in node
        ? (node.range as [number, number] | undefined)
        : undefined;
    return range ? span({ lines }, range[0], range[0] + yaml.slice(range[0], range[1]).trimEnd().length) : beginning;
  };
  return {
    fields: areNamed(value),
    written: areNamed(written),
    rangeOf: (key) => place(keyOf(key)?.key),
    valueAt: (key) => (keyOf(key)?.value ? place(keyOf(key)!.value) : place(keyOf(key)?.key)),
    problems,
  };
}

function readPlain(fields: ReadonlyMap<string, PlainField>): Fields {
  const values = Object.fromEntries([...fields].map(([name, { value }]) => [name, value]));
  const place = (key: string, part: (field: PlainField) => { readonly column: number; readonly length: number }) => {
    const field = fields.get(key);
    if (!field) return beginning;
    const line = field.line + 1;
    const { column, length } = part(field);
    return { from: { line, column }, to: { line, column: column + length } };
  };
  return {
    fields: values,
    written: values,
    rangeOf: (key) => place(key, () => ({ column: 1, length: key.length })),
    valueAt: (key) => place(key, (field) => field),
    problems: [],
  };
}

const areNamed = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {};

/** Converts offsets to positions in the file, whose first line is "---". */
function span({ lines }: Pick<Parsed, 'lines'>, from: number, to: number): { from: Position; to: Position } {
  const place = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line) + 1, column: Math.max(1, col) };
  };
  return { from: place(from), to: place(Math.max(from, to)) };
}

const firstSentence = (message: string): string =>
  message
    .split('\n')[0]!
    .trimEnd()
    .replace(/[:.]?$/, '.');

function lastPosition(text: string): Position {
  const lines = text.split('\n');
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}
