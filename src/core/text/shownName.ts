import { hasInvisible, replaceInvisible } from '../../protocol/plain/invisible';

/** `..` as a path segment, also percent-encoded. */
const traversal = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){2}(?:[/\\]|%2f|%5c|$)/i;

/** Markup that VS Code renders in labels and messages: icons, and links that run a command. */
const everyMarkup = /\$(?=\()|(?<=\])\(/g;

/**
 * Returns a file name for use in results, always on one line. A name with line breaks, control or invisible characters
 * is written as JSON, so that it cannot pass for two names or for something else. Parsing the JSON returns the name.
 */
export function shownName(path: string): string {
  if (!hasInvisible(path)) return path;
  return escapedJson(path);
}

/** Returns a pattern or query in quotes, on one line. Its backslashes stay single, unlike in JSON. */
export const inQuotes = (pattern: string): string => (hasInvisible(pattern) ? escapedJson(pattern) : `"${pattern}"`);

/** Writes line breaks as `\n`, so that a name in a sentence or heading cannot pass for further lines of Waymark. */
export const onOneLine = (text: string): string => text.replaceAll('\n', '\\n');

/**
 * Returns a name or path from an untrusted source in a form that is safe in lists, questions and messages. Beyond
 * `shownName`, escapes path traversal and anything that VS Code would render as an icon or a link.
 */
export function shownToPeople(name: string): string {
  const hasMarkup = name.search(everyMarkup) >= 0;
  if (!hasInvisible(name) && !traversal.test(name) && !hasMarkup) return name;
  return escapedJson(name).replaceAll('../', '..\\/').replace(everyMarkup, escaped);
}

const escapedJson = (name: string): string => replaceInvisible(JSON.stringify(name), escaped);

/**
 * JSON leaves some of these characters unescaped. Characters outside the Basic Multilingual Plane are two code units.
 */
function escaped(letter: string): string {
  const units = Array.from({ length: letter.length }, (_, index) => letter.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
