/** Compares two texts by their UTF-16 code units, so that the order is the same in every locale. */
export const compareTexts = (a: string, b: string): number => Number(a > b) - Number(a < b);

/** The same, except that numbers in the texts are compared by value: `a.2` comes before `a.10`. */
export function compareNumbered(a: string, b: string): number {
  const [parts, others] = [partsOf(a), partsOf(b)];
  const at = parts.findIndex((part, index) => part !== others[index]);
  const [part, other] = [parts[at], others[at]];
  if (part === undefined || other === undefined || !isNumber(part) || !isNumber(other)) return compareTexts(a, b);
  return Number(part) - Number(other) || compareTexts(a, b);
}

const partsOf = (text: string): readonly string[] => text.match(/\d+|\D+/g) ?? [];

const isNumber = (part: string): boolean => /^\d/.test(part);

/** Compares two objects by their names. */
export const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  compareTexts(a.name, b.name);

/** A place in a text file. */
interface Place {
  readonly path: string;
  readonly line: number;
  readonly column?: number;
}

/** Compares two places by path, then line, then column. */
export const byPlace = (a: Place, b: Place): number =>
  compareTexts(a.path, b.path) || a.line - b.line || (a.column ?? 0) - (b.column ?? 0);
