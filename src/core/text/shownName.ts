const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const everyUnseen = new RegExp(unseen, 'gu');

/** Ways out of a folder, also as addresses write them. */
const traversal = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){2}(?:[/\\]|%2f|%5c|$)/i;

/** What VS Code draws as an icon or as a link that runs a command, in labels and in messages. */
const everyMarkup = /\$(?=\()|(?<=\])\(/g;

/**
 * The name of a file as results show it, always on one line. A name with line breaks, controls or invisible characters
 * is written as JSON, so that it cannot look like two names or like something else; parsed as JSON it is the name
 * again.
 */
export function shownName(path: string): string {
  if (!unseen.test(path)) return path;
  return asJson(path);
}

/**
 * A name or path that others chose, for lists, questions and messages that a person reads.
 * Beyond `shownName`, it escapes what leads out of a folder and what VS Code would draw as an icon or a link.
 */
export function shownToPeople(name: string): string {
  const hasMarkup = name.search(everyMarkup) >= 0;
  if (!unseen.test(name) && !traversal.test(name) && !hasMarkup) return name;
  return asJson(name).replaceAll('../', '..\\/').replace(everyMarkup, escaped);
}

const asJson = (name: string): string => JSON.stringify(name).replace(everyUnseen, escaped);

/** JSON leaves some of them as they are. Those beyond the first plane are two units. */
function escaped(letter: string): string {
  const units = Array.from({ length: letter.length }, (_, index) => letter.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
