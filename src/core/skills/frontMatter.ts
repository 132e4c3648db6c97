import { isMap, isPair, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import { valueOf } from './aliases';
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

/** Reads the YAML between the first two lines of "---". Never throws: what cannot be read is a problem, and the rest is used. */
export function readFrontMatter(text: string): FrontMatter {
  const source = text.replace(/^\uFEFF/, '');
  const opening = /^---[ \t]*(?:\r?\n|$)/.exec(source);
  if (!opening) return { fields: {}, at: () => beginning, valueAt: () => beginning, present: false, body: source.trim(), problems: [] };
  const closing = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m.exec(source.slice(opening[0].length));
  if (!closing) {
    const fix = { title: 'Close the front matter', from: endOf(source), to: endOf(source), text: `${source.endsWith('\n') ? '' : '\n'}---\n` };
    return { fields: {}, at: () => beginning, valueAt: () => beginning, present: true, body: source.slice(opening[0].length).trim(), problems: [{ severity: 'error', code: 'front-matter-open', message: 'The front matter has no second line "---", so all of the file is taken for text.', from: { line: 1, column: 1 }, to: { line: 1, column: 4 }, fix }] };
  }
  const yaml = source.slice(opening[0].length, opening[0].length + closing.index);
  return { ...fieldsOf(yaml), present: true, body: source.slice(opening[0].length + closing.index + closing[0].length).trim() };
}

type Fields = Omit<FrontMatter, 'present' | 'body'>;

function fieldsOf(yaml: string): Fields {
  const first = parsed(yaml);
  if (first.problems.length === 0) return read(first, []);
  const quoted = quoteLoose(yaml);
  const second = quoted.changed.length > 0 ? parsed(quoted.yaml) : first;
  if (second.problems.length > 0) return read(first, first.problems);
  // Positions of keys are the same in both: only what follows them on a line was quoted.
  return read(second, quoted.changed.map(({ line, column, value }) => {
    const [from, to] = [{ line: line + 1, column }, { line: line + 1, column: column + value.length }];
    return { severity: 'warning', code: 'yaml-quotes', message: 'YAML cannot read this value without quotes. It is taken as it stands; other tools may refuse the file.', from, to, fix: { title: 'Put the value in quotes', from, to, text: JSON.stringify(value) } };
  }));
}

interface Parsed { readonly document: Document; readonly lines: LineCounter; readonly value: unknown; readonly problems: readonly SkillProblem[] }

function parsed(yaml: string): Parsed {
  const lines = new LineCounter();
  // Warnings would be printed, to whom nobody knows.
  const document: Document = parseDocument(yaml, { lineCounter: lines, prettyErrors: false, strict: true, uniqueKeys: true, logLevel: 'error' });
  const { value, error } = valueOf(document);
  const problems = document.errors.slice(0, 3).map(({ message, pos }): SkillProblem => ({ severity: 'error', code: 'yaml', message: `The front matter is not YAML: ${plain(message)}`, ...span({ lines }, pos[0], pos[1]) }));
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
  const isFields = typeof fields === 'object' && fields !== null && !Array.isArray(fields);
  const notFields: SkillProblem[] = isFields || fields === null || problems.length > 0 ? [] : [{ severity: 'error', code: 'front-matter-shape', message: 'The front matter is not a list of "name: value" lines.', from: { line: 2, column: 1 }, to: { line: 2, column: 2 } }];
  return {
    fields: isFields ? Object.fromEntries(Object.entries(fields)) : {},
    at: key => place(keyOf(key)?.key),
    valueAt: key => (keyOf(key)?.value ? place(keyOf(key)!.value) : place(keyOf(key)?.key)),
    problems: [...problems, ...notFields],
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
