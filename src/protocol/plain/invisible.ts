/**
 * Characters that people do not see, or that change the order of others: control and format characters, fillers,
 * unpaired surrogates, private use, line separators. In a command or a name, nothing needs them. Line breaks and tabs do
 * not count.
 */
export const invisibleInCode =
  /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * Returns whether the character at `at` is part of an emoji: a selector that shows another character as one, or a joiner
 * between two.
 */
function belongsToEmoji(text: string, at: number): boolean {
  const isJoiner = text[at] === '\u200d';
  if (!isJoiner && !/[\ufe0e\ufe0f]/.test(text[at]!)) return false;
  if (!isJoiner && text[at + 1] === '\u20e3') return true;
  const follows = /\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?$/u.test(text.slice(Math.max(0, at - 4), at));
  return follows && (!isJoiner || /^\p{Extended_Pictographic}/u.test(text.slice(at + 1, at + 3)));
}

const onlyAscii = /^[\x20-\x7e]*$/;

/** Returns whether a text contains invisible characters; line breaks and tabs count. */
export const hasInvisible = (text: string): boolean =>
  !onlyAscii.test(text) && [...text.matchAll(invisible)].some(({ index }) => !belongsToEmoji(text, index));

/** Returns the first character that people do not see in code, or undefined. Selectors and joiners of emoji are seen. */
export const hiddenCharacter = (text: string): string | undefined =>
  onlyAscii.test(text)
    ? undefined
    : [...text.matchAll(invisibleInCode)].find(({ index }) => !belongsToEmoji(text, index))?.[0];

/** Replaces every invisible character; line breaks and tabs are among them. */
export const replaceInvisible = (text: string, write: (character: string) => string): string =>
  onlyAscii.test(text)
    ? text
    : text.replace(invisible, (character: string, at: number) =>
        belongsToEmoji(text, at) ? character : write(character),
      );

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
