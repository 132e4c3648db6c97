import type { Command } from 'commander';
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
