import { stderr } from './output';

/**
 * Text of a model or a program for a terminal: control characters and letters that nobody sees are shown
 * instead of obeyed. Line ends and tabs stay.
 */
export const escapeForTerminal = (text: string): string =>
  text.replace(
    /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu,
    (letter) => `\\u{${letter.codePointAt(0)!.toString(16)}}`,
  );

/** A line for the person, beside what the program prints. */
export const say = (text: string): void => stderr.write(`${escapeForTerminal(text)}\n`);
