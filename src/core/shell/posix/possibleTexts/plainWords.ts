import type { CommandArgument, Word, WordPart } from 'unbash';

/** Returns the texts of a word in which the shell expands nothing but braces; undefined for other words. */
export function wordTexts(word: Word): string[] | undefined {
  if (!word.parts) return [word.value];
  let texts = [''];
  for (const part of word.parts) {
    const choices = plainPart(part);
    if (!choices || texts.length * choices.length > 32) return undefined;
    texts = texts.flatMap((before) => choices.map((text) => before + text));
  }
  return texts;
}

/** Returns the only text of a word; undefined if it is not plain or stands for several. */
export function wordText(word: Word | undefined): string | undefined {
  const texts = word && wordTexts(word);
  return texts?.length === 1 ? texts[0] : undefined;
}

/** What stands in a list for a word that is not known. */
const unknownText = 'unknown';

/** Returns the words of a call; undefined if one of them is not plain. */
export function plainArguments(words: readonly CommandArgument[]): string[] | undefined {
  const texts = words.map(argumentTexts);
  return texts.every((each) => each !== undefined) ? texts.flat() : undefined;
}

/** Returns the words of a call, with a stand-in for those that are not plain. */
export const knownArguments = (words: readonly CommandArgument[]): string[] =>
  words.flatMap((word) => argumentTexts(word) ?? [unknownText]);

function argumentTexts(word: CommandArgument): string[] | undefined {
  if (word.type === 'Word') return wordTexts(word);
  if (word.value.type !== 'Word') return undefined;
  return wordTexts(word.value)?.map((text) => `${word.name}${word.append ? '+' : ''}=${text}`);
}

function plainPart(part: WordPart): string[] | undefined {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [part.value];
    case 'Glob':
      return [part.text];
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.every(({ type }) => type === 'Literal')
        ? [part.parts.map((each) => (each.type === 'Literal' ? each.value : '')).join('')]
        : undefined;
    case 'BraceExpansion':
      return bracedTexts(part.text);
    default:
      return undefined;
  }
}

function bracedTexts(text: string): string[] | undefined {
  const inside = text.slice(1, -1);
  return inside.includes(',') && !/[{}$`'"\\]/.test(inside) ? inside.split(',') : undefined;
}

/** Quotes a text as one word, as it would be after expansion: patterns and a leading `~` keep their meaning. */
export const asWord = (text: string): string =>
  text.replace(/[^\w@%+=:,./~*?[\]-]/g, (sign) => (sign === '\n' ? "'\n'" : `\\${sign}`));

/** Quotes a text as one word in which nothing has a meaning. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

export const insideQuotes = (text: string): string => text.replace(/[\\"$`]/g, '\\$&');

/** A path without `./` before it. */
export const withoutDotSlash = (file: string): string => file.replace(/^(?:\.\/)+/, '');
