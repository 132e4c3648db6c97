import { showInvisibleInLine } from '../../protocol/plain/invisible';

/** Maximum length of a session title in a tab, in characters. */
const maxLength = 40;

/** Returns the title of a session as a tab shows it, cut off if it is long. */
export function tabTitle(title: string): string {
  const characters = [...showInvisibleInLine(title)];
  return characters.length <= maxLength
    ? characters.join('')
    : `${characters
        .slice(0, maxLength - 1)
        .join('')
        .trimEnd()}…`;
}
