import type { Command, Option } from 'commander';
import { containerOptions } from './designOptions';
import { settingFlags } from '../../core/settings/flags';
import { quoteForShell } from '../../core/text/shellText';
import { storedSessions } from './workplace';

/** Options of `waymark run` that are not settings and not stored in the log: a continued run needs them again. */
const notStoredOptions: ReadonlySet<string> = new Set([
  'apiKeyEnv',
  'script',
  'mcp',
  'agree',
  'allowMcp',
  'hooks',
  'trustFolder',
  'json',
  'output',
  // Without these, its commands would run on this machine.
  ...containerOptions,
]);

/** Returns whether an option is a setting that is not stored in the log. */
const isNotStored = ({ long, short }: Option): boolean =>
  settingFlags.some(
    ({ name, also, keptInLog }) => !keptInLog && [name, ...also].some((each) => each === long || each === short),
  );

/** Returns the options among the words after `run` that a continued run needs again, as typed. */
export function optionsAgain(typed: readonly string[], { options }: Pick<Command, 'options'>): string[] {
  const again: string[] = [];
  for (let index = 0; index < typed.length && typed[index] !== '--'; index++) {
    const word = typed[index]!;
    const [flag] = word.split('=', 1);
    const option = options.find(({ long, short }) => flag === long || flag === short);
    if (!option) continue;
    const isApart = (option.required || option.optional) && !word.includes('=');
    const words = isApart ? typed.slice(index, index + 2) : [word];
    if (isApart) index++;
    if (notStoredOptions.has(option.attributeName()) || isNotStored(option)) again.push(...words);
  }
  return again;
}

/** A command line that continues a session, to be copied into a POSIX shell. */
export const continueCommand = (log: string, again: readonly string[], more: readonly string[]): string =>
  ['waymark', 'run', ...more, '--log', log, ...again].map(quotedWord).join(' ');

/** A command about a session, to be copied into a POSIX shell. */
export const commandFor = (log: string, verb: string): string =>
  `waymark ${verb} ${quotedWord(storedSessions().idOf(log) ?? log)}`;

/** Quotes a word for a POSIX shell if necessary. */
export const quotedWord = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoteForShell(word));
