import { stderr } from './output';

/**
 * Escapes text of a model or a program for a terminal: control and invisible characters become visible and have no
 * effect. Line breaks and tabs stay.
 */
export const escapeForTerminal = (text: string): string =>
  text.replace(
    /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu,
    (letter) => `\\u{${letter.codePointAt(0)!.toString(16)}}`,
  );

/** Prints a line for the user to stderr. */
export const printToStderr = (text: string): void => stderr.write(`${escapeForTerminal(text)}\n`);
