/**
 * A line of Markdown as plain words: without the signs of headings, lists, emphasis and links. For lists, where
 * the signs would only be in the way.
 */
export function withoutMarkup(line: string): string {
  return line
    .replace(/^\s{0,8}(?:#{1,6}|[-*+]|>)\s/, '')
    .replace(/\[([^[\]]{1,200})\]\([^()\s]{1,500}\)/g, '$1')
    .replace(/(\*\*|__)(?=\S)([^*_]{1,500})\1/g, '$2');
}
