import { stderr } from './output';

/**
 * Escapes text of a model or a program for a terminal: control and invisible characters become visible and have no
 * effect. Line breaks, tabs and the joiners within an emoji stay.
 */
export const escapeForTerminal = (text: string): string =>
  text.replace(
    /(?![\t\n]|(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d\p{Extended_Pictographic})[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu,
    (letter) => `\\u{${letter.codePointAt(0)!.toString(16)}}`,
  );

/** Prints a line for the user to stderr. */
export const printToStderr = (text: string): void => stderr.write(`${escapeForTerminal(text)}\n`);
