const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const everyUnseen = new RegExp(unseen, 'gu');

/**
 * The name of a file as it stands in a result, always on one line. One that holds line breaks, controls or letters that nobody sees is
 * written as JSON, so that it cannot look like two names or like something else; read as JSON it is the name again.
 */
export function shownName(path: string): string {
  if (!unseen.test(path)) return path;
  return JSON.stringify(path).replace(everyUnseen, escaped);
}

/** JSON leaves some of them as they are. Those beyond the first plane are two units. */
function escaped(letter: string): string {
  const units = Array.from({ length: letter.length }, (_, index) => letter.charCodeAt(index));
  return units.map(unit => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
