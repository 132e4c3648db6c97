import { type Command, InvalidArgumentError } from 'commander';
import { exitCodeWords, type CommandName } from './exitCodes';

interface CommandHelp {
  /** Heading of the command in the help of `waymark`. */
  readonly group: 'Tasks' | 'Setup' | 'Logs' | 'Changes';
  /** The line about the command in that help. */
  readonly summary: string;
  /** The first paragraphs of the command's own help, which ends with its exit codes. */
  readonly description: string;
}

/** Adds a command to the command line. */
export const newCommand = (
  program: Command,
  name: CommandName,
  { group, summary, description }: CommandHelp,
): Command =>
  program
    .command(name)
    .helpGroup(`${group}:`)
    .summary(summary)
    .description(description)
    .showHelpAfterError(`Run "waymark ${name} --help" for its arguments and options.`)
    .addHelpText('after', exitCodeWords(name));

/** Parses a number of 0 or more. */
export const number = (text: string): number => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new InvalidArgumentError('It must be a number of 0 or more.');
  return value;
};

/** Parses a number above 0. */
export const positiveNumber = (text: string): number => {
  const value = Number(text);
  if (text.trim() === '' || !(value > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
};

/** Parses a whole number of 0 or more. */
export const wholeNumber = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of 0 or more.');
  return Number(text);
};

/** Parses a whole number of 1 or more. */
export const countFrom1 = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of 1 or more.');
  return Number(text);
};

/** Parses words separated by commas. */
export const commaSeparated = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
