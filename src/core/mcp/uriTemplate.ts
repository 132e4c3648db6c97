/**
 * A piece of a URI template (RFC 6570): literal text or a variable. `reserved`: its value may contain "/" and similar
 * characters.
 */
type Piece = { readonly literal: string } | { readonly name: string; readonly reserved: boolean };

/** The variable at the end of a URI that is being typed after a template. */
export interface AtVariable {
  readonly name: string;
  /** The part of its value typed so far, decoded. */
  readonly value: string;
  /** Values of earlier variables. */
  readonly values: Readonly<Record<string, string>>;
  /** Returns the URI with another value, up to the start of the next variable. */
  filled(value: string): string;
  /** True if the URI is complete after that. */
  readonly last: boolean;
}

/** Text before the first variable. */
export const beginningOf = (template: string): string => {
  const [first] = parseTemplate(template);
  return first && 'literal' in first ? first.literal : '';
};

/** Returns undefined if `typed` does not match the template, or ends in literal text. */
export function variableAt(template: string, typed: string): AtVariable | undefined {
  const pieces = parseTemplate(template);
  const values: Record<string, string> = {};
  let [rest, before] = [typed, ''];
  for (const [index, piece] of pieces.entries()) {
    if ('literal' in piece) {
      if (!rest.startsWith(piece.literal)) return undefined;
      rest = rest.slice(piece.literal.length);
      before += piece.literal;
      continue;
    }
    const next = pieces[index + 1];
    const literal = next && 'literal' in next ? next.literal : '';
    const end = literal === '' ? -1 : rest.indexOf(literal);
    if (end < 0)
      return {
        name: piece.name,
        value: decodeValue(rest),
        values,
        last: !pieces.slice(index + 1).some((later) => 'name' in later),
        filled: (value) => before + encodeValue(value, piece.reserved) + literal,
      };
    values[piece.name] = decodeValue(rest.slice(0, end));
    before += rest.slice(0, end);
    rest = rest.slice(end);
  }
  return undefined;
}

/** For each kind of expression: its prefix, the separator of its variables, and whether it names them. */
const kinds: Readonly<Record<string, readonly [begins: string, between: string, named: boolean]>> = {
  '': ['', ',', false],
  '+': ['', ',', false],
  '#': ['#', ',', false],
  '.': ['.', '.', false],
  '/': ['/', '/', false],
  ';': [';', ';', true],
  '?': ['?', '&', true],
  '&': ['&', '&', true],
};

function parseTemplate(template: string): Piece[] {
  const all = template.split(/(\{[^{}]*\})/).flatMap((part): Piece[] => {
    const [, operator, list] = /^\{([+#./;?&]?)([^{}]*)\}$/.exec(part) ?? [];
    if (operator === undefined) return [{ literal: part }];
    const [begins, between, named] = kinds[operator]!;
    return list!
      .split(',')
      .map((name) => name.replace(/[*]$|:\d+$/, '').trim())
      .filter(Boolean)
      .flatMap((name, index): Piece[] => [
        { literal: (index === 0 ? begins : between) + (named ? `${name}=` : '') },
        { name, reserved: operator === '+' || operator === '#' },
      ]);
  });
  const joined: Piece[] = [];
  for (const piece of all) {
    const last = joined.at(-1);
    if ('literal' in piece && last && 'literal' in last)
      joined[joined.length - 1] = { literal: last.literal + piece.literal };
    else joined.push(piece);
  }
  return joined.filter((piece) => !('literal' in piece) || piece.literal !== '');
}

const encodeValue = (value: string, reserved: boolean): string =>
  reserved ? encodeURI(value) : encodeURIComponent(value);
function decodeValue(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
