import { isMap, isPair, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import { valueOf } from './aliases';
import { areFields, looksLikeFields } from './fieldShape';
import { quoteLoose } from './looseYaml';
import type { Position, SkillProblem } from './skill';

export interface FrontMatter {
  /** Empty where there is none or it cannot be read. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Where a key stands; the beginning of the file for one that is missing. */
  at(key: string): { readonly from: Position; readonly to: Position };
  /** Where the value of a key stands. */
  valueAt(key: string): { readonly from: Position; readonly to: Position };
  /** Whether there is one at all. */
  readonly present: boolean;
  readonly body: string;
  readonly problems: readonly SkillProblem[];
}

const beginning = { from: { line: 1, column: 1 }, to: { line: 1, column: 1 } };

/**
 * Reads the YAML between the first two lines of "---". Never throws: what cannot be read is a problem, and the rest is used. Where nothing
 * between them is a field, as in a text that begins with a line across the page, all of the file is text.
 */
export function readFrontMatter(text: string): FrontMatter {
  const source = text.replace(/^\uFEFF/, '');
  const opening = /^---[ \t]*(?:\r?\n|$)/.exec(source)?.[0].length;
  if (opening === undefined) return textAlone(source);
  const closing = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m.exec(source.slice(opening));
  const yaml = source.slice(opening, opening + (closing?.index ?? source.length));
  if (!closing) return looksLikeFields(yaml) ? unclosed(source, opening) : textAlone(source);
  const read = fieldsOf(yaml);
  if (!read) return textAlone(source, looksLikeFields(yaml) ? { ...notFields, severity: 'error' } : notFields);
  return { ...read, present: true, body: withoutBlankEnds(source.slice(opening + yaml.length + closing[0].length)) };
}

const notFields: SkillProblem = { severity: 'warning', code: 'front-matter-shape', message: 'What stands between the two lines of "---" is not a list of "name: value" lines, so it is taken for text.', from: { line: 2, column: 1 }, to: { line: 2, column: 2 } };

function textAlone(source: string, ...problems: SkillProblem[]): FrontMatter {
  return { fields: {}, at: () => beginning, valueAt: () => beginning, present: false, body: withoutBlankEnds(source), problems };
}

function unclosed(source: string, opening: number): FrontMatter {
  const fix = { title: 'Close the front matter', from: endOf(source), to: endOf(source), text: `${source.endsWith('\n') ? '' : '\n'}---\n` };
  return { ...textAlone(source.slice(opening), { severity: 'error', code: 'front-matter-open', message: 'The front matter has no second line "---", so all of the file is taken for text.', from: { line: 1, column: 1 }, to: { line: 1, column: 4 }, fix }), present: true };
}

/** What stands there, but for empty lines before and behind: the blanks before a first line may mean something. */
const withoutBlankEnds = (text: string): string => text.replace(/^(?:[^\S\n]*\n)+/, '').trimEnd();

type Fields = Omit<FrontMatter, 'present' | 'body'>;

/** Undefined where it is none. */
function fieldsOf(yaml: string): Fields | undefined {
  const first = parsed(yaml);
  const hasTags = first.document.warnings.length > 0;
  const quoted = first.problems.length > 0 || hasTags ? quoteLoose(yaml) : { yaml, changed: [] };
  const second = quoted.changed.length > 0 ? parsed(quoted.yaml) : first;
  if (second.problems.length > 0) return looksLikeFields(yaml) ? read(first, first.problems) : undefined;
  if (!areFields(second.value, yaml)) return undefined;
  // Positions of keys are the same in both: only what follows them on a line was quoted.
  return read(second, quoted.changed.map(({ line, column, value }) => {
    const [from, to] = [{ line: line + 1, column }, { line: line + 1, column: column + value.length }];
    return { severity: 'warning', code: 'yaml-quotes', message: `${value.startsWith('!') ? 'YAML takes this for a tag' : 'YAML cannot read this value'} without quotes. It is taken as it stands; other tools may refuse the file.`, from, to, fix: { title: 'Put the value in quotes', from, to, text: JSON.stringify(value) } };
  }));
}

interface Parsed { readonly document: Document; readonly lines: LineCounter; readonly value: unknown; readonly problems: readonly SkillProblem[] }

function parsed(yaml: string): Parsed {
  const lines = new LineCounter();
  // Warnings would be printed, to whom nobody knows.
  const document: Document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false, strict: true, uniqueKeys: true, logLevel: 'error' });
  const { value, error } = valueOf(document);
  // What is missing at the end is missing behind the last word, not below it.
  const end = yaml.trimEnd().length;
  const problems = document.errors.slice(0, 3).map(({ message, pos }): SkillProblem => ({ severity: 'error', code: 'yaml', message: `The front matter is not YAML: ${plain(message)}`, ...span({ lines }, Math.min(pos[0], end), Math.min(pos[1], end)) }));
  if (problems.length === 0 && error) problems.push({ severity: 'error', code: 'yaml-alias', message: error.message, ...span({ lines }, error.pos[0], error.pos[1]) });
  return { document, lines, value, problems };
}

function read({ document, lines, value: fields }: Parsed, problems: readonly SkillProblem[]): Fields {
  const pairs = isMap(document.contents) ? document.contents.items.filter(isPair) : [];
  const keyOf = (key: string) => pairs.find(pair => isScalar(pair.key) && pair.key.value === key);
  const place = (node: unknown) => {
    const range = typeof node === 'object' && node !== null && 'range' in node ? node.range as [number, number] | undefined : undefined;
    return range ? span({ lines }, range[0], range[1]) : beginning;
  };
  return {
    fields: typeof fields === 'object' && fields !== null && !Array.isArray(fields) ? Object.fromEntries(Object.entries(fields)) : {},
    at: key => place(keyOf(key)?.key),
    valueAt: key => (keyOf(key)?.value ? place(keyOf(key)!.value) : place(keyOf(key)?.key)),
    problems,
  };
}

/** Positions in the file: its first line is "---". */
function span({ lines }: Pick<Parsed, 'lines'>, from: number, to: number): { from: Position; to: Position } {
  const place = (offset: number): Position => { const { line, col } = lines.linePos(offset); return { line: Math.max(1, line) + 1, column: Math.max(1, col) }; };
  return { from: place(from), to: place(Math.max(from, to)) };
}

const plain = (message: string): string => message.split('\n')[0]!.replace(/[:.]?\s*$/, '.');

function endOf(text: string): Position {
  const lines = text.split('\n');
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}
