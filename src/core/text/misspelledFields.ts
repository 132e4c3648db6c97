import { distance } from 'fastest-levenshtein';

/** A field that nobody reads, and the one that was probably meant. */
interface MisspelledField {
  readonly field: string;
  readonly meant: string;
}

/** The sentence about such a field, for problems of a file. */
export const misspelledInWords = ({ field, meant }: MisspelledField): string =>
  `Waymark does not read the field "${field}". Did you mean "${meant}"?`;

/** Wrong letters in a name: at most two, and one in a name with less than eight letters. */
const wrongLetters = (name: string): number => (name.length < 8 ? 1 : 2);
const shortestName = 3;

/** Returns the fields of an object that look like a known field which the object does not have. */
export function misspelledFields(record: object, known: readonly string[]): MisspelledField[] {
  const plain = (name: string): string => name.toLowerCase().replace(/[-_\s]/g, '');
  const missing = known.filter((name) => name.length >= shortestName && !Object.hasOwn(record, name));
  return Object.keys(record).flatMap((field) => {
    if (field.length < shortestName || field.length > 64 || known.includes(field)) return [];
    const away = (name: string): number => distance(plain(name), plain(field));
    const [meant] = missing.filter((name) => away(name) <= wrongLetters(field)).sort((a, b) => away(a) - away(b));
    return meant === undefined ? [] : [{ field, meant }];
  });
}
