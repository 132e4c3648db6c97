import { format } from 'node:util';
import { escapeInvisible } from '../../protocol/plain/invisible';
import { stderr } from './output';

/**
 * Escapes text of a model or a program for a terminal: control and invisible characters become visible and have no
 * effect. Line breaks, tabs and the joiners within an emoji stay.
 */
export const escapeForTerminal = escapeInvisible;

/** Prints a line for the user to stderr. */
export const printToStderr = (text: string): void => stderr.write(`${escapeForTerminal(text)}\n`);

/** Prints with `print` what packages print with `console`. Stdout is only for the result of the command. */
export function sendConsole(print: (text: string) => void): void {
  for (const name of ['debug', 'log', 'info', 'warn', 'error'] as const)
    console[name] = (...words: unknown[]) => print(format(...words));
}
