/** A field of one line, with the line and the column, from 1, at which its value begins. */
export interface PlainField {
  readonly value: string | readonly string[];
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

const word = '[A-Za-z][\\w-]{0,99}';
/** A text that YAML takes as it stands: it begins with a letter, and holds no sign that means something there. */
const text =
  '[A-Za-z][^\\s\\x00-\\x1f\\x7f-\\x9f\\ufeff\\ud800-\\udfff]*(?: [^\\s#\\x00-\\x1f\\x7f-\\x9f\\ufeff\\ud800-\\udfff][^\\s\\x00-\\x1f\\x7f-\\x9f\\ufeff\\ud800-\\udfff]*)*';
const line = new RegExp(`^(${word}): (?:(${text})|\\[(${word}(?:, ?${word})*)\\])$`);
/** What YAML takes for something else than a text. */
const special = /^(?:null|true|false)$/i;

/**
 * The fields of front matter in which each line is a field and its text, or words in brackets: so is nearly all there is,
 * and it is read in a small part of the time that YAML takes. Undefined where anything is otherwise.
 */
export function plainFields(yaml: string): ReadonlyMap<string, PlainField> | undefined {
  const fields = new Map<string, PlainField>();
  for (const [index, written] of yaml.split('\n').entries()) {
    if (written === '') continue;
    const [, name, value, words] = line.exec(written) ?? [];
    if (name === undefined || special.test(name) || fields.has(name)) return undefined;
    const list = words?.split(/, ?/);
    const isPlain = list ? !list.some((each) => special.test(each)) : isPlainText(value!);
    if (!isPlain) return undefined;
    const column = name.length + 3;
    fields.set(name, { value: list ?? value!, line: index + 1, column, length: written.length - column + 1 });
  }
  return fields.size > 0 ? fields : undefined;
}

const isPlainText = (value: string): boolean => !special.test(value) && !/:(?: |$)/.test(value);
