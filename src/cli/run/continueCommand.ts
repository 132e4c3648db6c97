import type { Command, Option } from 'commander';
import { containerOptions } from './designOptions';
import { flags } from '../../core/settings/flags';
import { quoted } from '../../core/text/subshell';

/** Options of `waymark run` that are no settings, and that no log keeps: a run that is continued needs them again. */
const notKept: ReadonlySet<string> = new Set([
  'apiKeyEnv',
  'script',
  'mcp',
  'agree',
  'allowMcp',
  'hooks',
  'trustFolder',
  'json',
  'output',
  // Without these its commands would run on this machine.
  ...containerOptions,
]);

/** Settings that no log keeps. */
const settingNotKept = ({ long, short }: Option): boolean =>
  flags.some(
    ({ name, also, keptInLog }) => !keptInLog && [name, ...also].some((each) => each === long || each === short),
  );

/** Of the words that were typed after `run`, the options that a continued run needs again, as they were typed. */
export function optionsAgain(typed: readonly string[], { options }: Pick<Command, 'options'>): string[] {
  const again: string[] = [];
  for (let at = 0; at < typed.length && typed[at] !== '--'; at++) {
    const word = typed[at]!;
    const [flag] = word.split('=', 1);
    const option = options.find(({ long, short }) => flag === long || flag === short);
    if (!option) continue;
    const isApart = (option.required || option.optional) && !word.includes('=');
    const words = isApart ? typed.slice(at, at + 2) : [word];
    if (isApart) at++;
    if (notKept.has(option.attributeName()) || settingNotKept(option)) again.push(...words);
  }
  return again;
}

/** A command line that goes on with a session, for a person to copy into a POSIX shell. */
export const continueCommand = (log: string, again: readonly string[], more: readonly string[]): string =>
  ['waymark', 'run', ...more, '--log', log, ...again].map(asTyped).join(' ');

/** A word as it is typed into a POSIX shell. */
export const asTyped = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : quoted(word));
