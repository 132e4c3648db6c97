import { styleText } from 'node:util';
import { escapeForTerminal } from './escapeForTerminal';
import type { Printer } from './output';

type Style = Parameters<typeof styleText>[0];

/** Escapes a text of a model, a file or a server, and styles it if it goes to a terminal. */
export type Paint = (style: Style, text: string) => string;

/** A line of output with a style. */
export interface StyledLine {
  readonly style: Style;
  readonly text: string;
}

export const paintFor =
  (out: Pick<Printer, 'isTTY'>): Paint =>
  (style, text) =>
    out.isTTY ? styleText(style, escapeForTerminal(text)) : escapeForTerminal(text);
