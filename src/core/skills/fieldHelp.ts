import { fieldWords, type FieldWords } from './fieldWords';
import { locationOf } from './locations';

/**
 * A file whose front matter is being edited. `path` is relative to the workspace folder, with "/". `line` and `column`
 * of the cursor are 0-based.
 */
export interface CursorInFile {
  readonly path: string;
  readonly lines: readonly string[];
  readonly line: number;
  readonly column: number;
}

/** A range on the cursor's line, in 0-based columns, and its field. `hasColon`: a colon already follows. */
interface FieldThere {
  readonly field: FieldWords;
  readonly from: number;
  readonly to: number;
  readonly hasColon: boolean;
}

/** Returns the fields that can be completed at the cursor: those valid for the file and not present yet. */
export function fieldsOffered(writing: CursorInFile): FieldThere[] {
  const { lines, line, column } = writing;
  const [from, to] = [0, wordAt(lines[line] ?? '').length];
  const hasColon = colonFollows(lines[line] ?? '', to);
  if (!isInFrontMatter(writing) || column > to) return [];
  const taken = new Set(
    lines
      .slice(1, closingLine(lines))
      .flatMap((text, index) => (index + 1 === line ? [] : [/^["']?([\w-]+)["']?\s*:/.exec(text)?.[1]])),
  );
  return fieldsFor(writing)
    .filter(({ name }) => !taken.has(name))
    .map((field) => ({ field, from, to, hasColon }));
}

/** Returns the values that can be completed at the cursor, as written in YAML. */
export function valuesOffered(
  writing: CursorInFile,
): { readonly values: readonly string[]; readonly from: number; readonly to: number } | undefined {
  const [, before = '', value = ''] = /^([\w-]+:\s+)(?:([\w-]+)\s*)?$/.exec(writing.lines[writing.line] ?? '') ?? [];
  const schema =
    before && isInFrontMatter(writing)
      ? fieldsFor(writing).find(({ name }) => before.startsWith(`${name}:`))?.schema
      : undefined;
  const values = schema?.['enum'] ?? (schema?.['type'] === 'boolean' ? [true, false] : undefined);
  return Array.isArray(values) && writing.column >= before.length
    ? { values: values.map(String), from: before.length, to: before.length + value.length }
    : undefined;
}

/** Returns the field whose name is under the cursor. */
export function fieldUnder(writing: CursorInFile): FieldThere | undefined {
  const text = writing.lines[writing.line] ?? '';
  const name = wordAt(text);
  const field =
    colonFollows(text, name.length) && writing.column <= name.length && isInFrontMatter(writing)
      ? fieldsFor(writing).find((each) => each.name === name)
      : undefined;
  return field && { field, from: 0, to: name.length, hasColon: true };
}

const wordAt = (text: string): string => /^[\w-]*/.exec(text)![0];

const colonFollows = (text: string, at: number): boolean => /^\s*:/.test(text.slice(at));

function fieldsFor({ path, lines }: CursorInFile): FieldWords[] {
  const located = locationOf(path);
  const reads =
    located?.location.reads === 'rules' &&
    lines.slice(1, closingLine(lines)).some((text) => /^kind:\s*["']?persona\b/i.test(text))
      ? 'persona'
      : located?.location.reads;
  return reads === undefined ? [] : fieldWords.filter(({ of }) => of.includes(reads));
}

const isInFrontMatter = ({ lines, line }: CursorInFile): boolean =>
  line > 0 && /^---[ \t]*$/.test(lines[0] ?? '') && line < closingLine(lines);

/** Returns the line that closes the front matter, or the number of lines if there is none. */
function closingLine(lines: readonly string[]): number {
  const at = lines.findIndex((text, index) => index > 0 && /^(?:---|\.\.\.)[ \t]*$/.test(text));
  return at < 0 ? lines.length : at;
}
