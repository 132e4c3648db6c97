import { fieldWords } from './fieldWords';

/** Fields that are known, in any case: people write "Tools:" as well. */
const known = new Set([...fieldWords.map(({ name }) => name), 'type', 'kind']);
/** How front matter calls its fields; a sentence of a text begins otherwise: "Note: …", "Build it first: …". */
const isField = (name: string): boolean => /^[a-z_][\w.-]*$/.test(name) || known.has(name.trim().toLowerCase());

/** Whether what was read is front matter; nothing at all is an empty one, but comments alone are the headings of a text. */
export function areFields(value: unknown, yaml: string): boolean {
  if (value === null) return yaml.trim() === '';
  if (typeof value !== 'object' || Array.isArray(value)) return false;
  const names = Object.keys(value);
  return names.length === 0 || names.some(isField);
}

/** Whether what YAML refuses was meant for front matter: it begins with a field, or has one that is known. */
export function looksLikeFields(yaml: string): boolean {
  const lines = yaml.split('\n').filter((line) => !/^\s*(?:#.*)?$/.test(line));
  return (
    /^\s*\{/.test(lines[0] ?? '') ||
    lines.some((line, index) => {
      const [, name, blank] = /^\s*(?:- +)?["']?([^\s:"']+)["']?\s*:(\s|$)?/.exec(line) ?? [];
      return (
        name !== undefined && (known.has(name.toLowerCase()) || (index === 0 && blank !== undefined && isField(name)))
      );
    })
  );
}
