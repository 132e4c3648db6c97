import { truncate } from './truncate';

/** Converts a line of Markdown to plain text: removes the markup of headings, lists, emphasis and links. */
export function withoutMarkup(line: string): string {
  return line
    .replace(/^\s{0,8}(?:#{1,6}|[-*+]|>)\s/, '')
    .replace(/\[([^[\]]{1,200})\]\([^()\s]{1,500}\)/g, '$1')
    .replace(/(\*\*|__)(?=\S)([^*_]{1,500})\1/g, '$2');
}

/** Returns the beginning of a Markdown text as one line to be spoken, of at most `most` characters. */
export const spokenLine = (text: string, most: number): string =>
  truncate(
    text
      .slice(0, 4 * most)
      .split('\n')
      .map(withoutMarkup)
      .join(' ')
      .replaceAll('`', '')
      .replace(/\s+/g, ' ')
      .trim(),
    most,
  );
