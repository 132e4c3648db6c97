import { secrets } from '../../core/secrets/secrets';
import { escapeForTerminal } from './escapeForTerminal';
import { stderr, stdout } from './output';

const maskedLine = (line: string): string => `${escapeForTerminal(secrets.mask(line))}\n`;

/** Prints a line with text of a model or a program to stdout, without its secrets. */
export const printMasked = (line: string): void => stdout.write(maskedLine(line));

/** Prints a line with text of a model or a program to stderr, without its secrets. */
export const printMaskedToStderr = (line: string): void => stderr.write(maskedLine(line));
