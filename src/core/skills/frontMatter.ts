import { isMap, isPair, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import { valueOf } from './aliases';
import { areFields, looksLikeFields } from './fieldShape';
import { loosened, type Loosened } from './looseYaml';
import type { Position, SkillProblem } from './skill';

export interface FrontMatter {
  /** Empty where there is none or it cannot be read. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The same with every number and truth value as it was written: "1.10", which is 1.1, may be a version. */
  readonly written: Readonly<Record<string, unknown>>;
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
  if (opening === undefined) return textAlone(source, ...lateIn(source));
  const closing = /^(?:---|\.\.\.)[ \t]*(?:[ \t]#.*)?(?:\r?\n|$)/m.exec(source.slice(opening));
  const yaml = source.slice(opening, opening + (closing?.index ?? source.length));
  if (!closing) return looksLikeFields(yaml) ? unclosed(source, opening) : textAlone(source);
  const read = fieldsOf(yaml);
  if (!read) return textAlone(source, looksLikeFields(yaml) ? { ...notFields, severity: 'error' } : notFields);
  return { ...read, present: true, body: withoutBlankEnds(source.slice(opening + yaml.length + closing[0].length)) };
}

const notFields: SkillProblem = { severity: 'warning', code: 'front-matter-shape', message: 'What stands between the two lines of "---" is not a list of "name: value" lines, so it is taken for text.', from: { line: 2, column: 1 }, to: { line: 2, column: 2 } };

/** Front matter that no tool finds: behind empty lines or a comment, or with too many dashes. It may have said when the file is meant to be used. */
function lateIn(source: string): SkillProblem[] {
  const [found, before = '', dashes = ''] = /^((?:\s|<!--[^]*?-->)*)(-{3,})[ \t]*\r?\n/.exec(source) ?? [];
  const closing = found === undefined ? -1 : source.slice(found.length).search(/^-{3,}[ \t]*\r?$/m);
  if (found === undefined || closing < 0 || !looksLikeFields(source.slice(found.length, found.length + closing))) return [];
  const lines = before.split('\n');
  const from = { line: lines.length, column: lines.at(-1)!.length + 1 };
  const to = { line: from.line, column: from.column + dashes.length };
  const fix = { title: 'Begin the file with "---"', from: { line: 1, column: 1 }, to, text: '---' };
  return [{ severity: 'error', code: 'front-matter-late', message: 'The line "---" that opens front matter has to be the first of the file, with three dashes. All of the file is taken for text.', from, to, ...(before.trim() === '' && { fix }) }];
}

function textAlone(source: string, ...problems: SkillProblem[]): FrontMatter {
  return { fields: {}, written: {}, at: () => beginning, valueAt: () => beginning, present: false, body: withoutBlankEnds(source), problems };
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
  const isOdd = first.problems.length > 0 || first.document.warnings.length > 0 || /^\u00A0/m.test(yaml);
  const { yaml: mended, changed } = isOdd ? loosened(yaml) : { yaml, changed: [] };
  const second = changed.length > 0 ? parsed(mended) : first;
  if (second.problems.length > 0) return looksLikeFields(yaml) ? read(first, first.problems) : undefined;
  if (!areFields(second.value, yaml)) return undefined;
  // Positions of keys are the same in both.
  return read(second, changed.map(({ what, from, to, mended: text }) => {
    const [begins, ends] = [{ line: from.line + 1, column: from.column }, { line: to.line + 1, column: to.column }];
    return { severity: 'warning', code: what === 'indent' ? 'yaml-indent' : 'yaml-quotes', message: `${loose[what]} Other tools may refuse the file.`, from: begins, to: ends, fix: { title: what === 'indent' ? 'Indent the line with spaces' : 'Put the value in quotes', from: begins, to: ends, text } };
  }));
}

const loose: Readonly<Record<Loosened['what'], string>> = {
  quotes: 'YAML cannot read this value without quotes. It is taken as it stands.',
  tag: 'YAML takes this for a tag without quotes. It is taken as it stands.',
  indent: 'YAML wants lines to be indented with spaces. The line is taken as if it were.',
};

interface Parsed { readonly yaml: string; readonly document: Document; readonly lines: LineCounter; readonly value: unknown; readonly written: unknown; readonly problems: readonly SkillProblem[] }

function parsed(yaml: string): Parsed {
  const lines = new LineCounter();
  // Warnings would be printed, to whom nobody knows.
  const document: Document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false, strict: true, uniqueKeys: true, merge: true, logLevel: 'error' });
  const { value, written, error } = valueOf(document);
  // What is missing at the end is missing behind the last word, not below it.
  const end = yaml.trimEnd().length;
  const problems = document.errors.slice(0, 3).map(({ message, pos }): SkillProblem => ({ severity: 'error', code: 'yaml', message: `The front matter is not YAML: ${plain(message)}`, ...span({ lines }, Math.min(pos[0], end), Math.min(pos[1], end)) }));
  if (problems.length === 0 && error) problems.push({ severity: 'error', code: 'yaml-alias', message: error.message, ...span({ lines }, error.pos[0], error.pos[1]) });
  return { yaml, document, lines, value, written, problems };
}

function read({ yaml, document, lines, value, written }: Parsed, problems: readonly SkillProblem[]): Fields {
  const pairs = isMap(document.contents) ? document.contents.items.filter(isPair) : [];
  const keyOf = (key: string) => pairs.find(pair => isScalar(pair.key) && pair.key.value === key);
  const place = (node: unknown) => {
    const range = typeof node === 'object' && node !== null && 'range' in node ? node.range as [number, number] | undefined : undefined;
    return range ? span({ lines }, range[0], range[0] + yaml.slice(range[0], range[1]).trimEnd().length) : beginning;
  };
  return {
    fields: areNamed(value), written: areNamed(written),
    at: key => place(keyOf(key)?.key),
    valueAt: key => (keyOf(key)?.value ? place(keyOf(key)!.value) : place(keyOf(key)?.key)),
    problems,
  };
}

const areNamed = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {});

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
