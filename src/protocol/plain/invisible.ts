/**
 * Characters that people do not see, or that change the order of others: control and format characters, fillers,
 * unpaired surrogates, private use, line separators. In a command or a name, nothing needs them. Line breaks and tabs do
 * not count.
 */
export const invisibleInCode =
  /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** Returns whether the character at `at` is a selector that shows another one as an emoji: it is part of that. */
const showsEmoji = (text: string, at: number): boolean =>
  /[\ufe0e\ufe0f]/.test(text[at]!) &&
  (text[at + 1] === '\u20e3' || /\p{Extended_Pictographic}$/u.test(text.slice(Math.max(0, at - 2), at)));

const onlyAscii = /^[\x20-\x7e]*$/;

/** Returns whether a text contains invisible characters; line breaks and tabs count. */
export const hasInvisible = (text: string): boolean =>
  !onlyAscii.test(text) && [...text.matchAll(invisible)].some(({ index }) => !showsEmoji(text, index));

/** Replaces every invisible character; line breaks and tabs are among them. */
export const replaceInvisible = (text: string, write: (character: string) => string): string =>
  onlyAscii.test(text)
    ? text
    : text.replace(invisible, (character: string, at: number) => (showsEmoji(text, at) ? character : write(character)));

/** Escapes invisible characters as in a JavaScript string: `\u{202e}`. Line breaks and tabs stay. */
export const escapeInvisible = (text: string): string =>
  replaceInvisible(text, (character) =>
    /[\t\n]/.test(character) ? character : `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );

/** Replaces invisible characters and unusual line breaks with their code points. */
export const showInvisible = (text: string): string =>
  replaceInvisible(text, (sign) => (/[\t\n]/.test(sign) ? sign : namedCodePoint(sign)));

/** Like `showInvisible`, for a text on one line. */
export const showInvisibleInLine = (text: string): string => showInvisible(text).replace(/[\t\n]/g, namedCodePoint);

const namedCodePoint = (sign: string): string =>
  `⟨U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`;
