import fs from 'node:fs';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { flagOf, settingFlags, settingsFromFlagValues, type Flag } from '../../core/settings/flags';
import type { UserSettings } from '../../core/settings/table';

/** Adds the flags of the settings to a command, in the groups of the settings editor. */
export function addSettingFlags(command: Command, isWanted: (flag: Flag) => boolean = () => true): Command {
  for (const flag of settingFlags.filter(isWanted)) {
    command.addOption(optionFor(flag, flag.name).helpGroup(`${flag.group}:`));
    for (const other of flag.also) command.addOption(optionFor(flag, other).hideHelp());
  }
  return command;
}

function optionFor(flag: Flag, name: string): Option {
  const option = new Option(flag.argument === undefined ? name : `${name} ${flag.argument}`, flag.words);
  if (flag.variable !== undefined && name === flag.name) option.env(flag.variable);
  if (flag.choices) return option.choices(flag.choices);
  if (flag.argument === undefined) return option;
  return option.argParser((text, before: unknown) => {
    try {
      return flag.read(text, before);
    } catch (problem) {
      throw new InvalidArgumentError((problem as Error).message);
    }
  });
}

/**
 * Returns the settings from the flags of a command. Throws an `Error` with a message for people if an object has
 * invalid fields.
 */
export async function settingsFromFlags(command: Command): Promise<UserSettings> {
  const settings = settingsFromFlagValues((name) => {
    const option = command.options.find(({ long, short }) => long === name || short === name);
    return option && (command.getOptionValue(option.attributeName()) as unknown);
  });
  const objects = Object.entries(settings).filter(([, value]) => typeof value === 'object' && !Array.isArray(value));
  if (objects.length > 0) await checkFields(Object.fromEntries(objects));
  return settings;
}

/**
 * Reads settings from a file, in which a window passes them to a separate process: name → value. Throws an `Error` with
 * a message for people.
 */
export async function settingsInFile(file: string): Promise<UserSettings> {
  let value: unknown;
  try {
    value = JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  const { firstUnknown, firstProblem } = await import('../../core/settings/check');
  const unknown = firstUnknown(value);
  if (unknown !== undefined) throw new Error(`${file} contains an unknown setting: ${unknown}.`);
  const settings = value as UserSettings;
  const wrong = firstProblem(settings);
  if (wrong) throw new Error(`${file}: ${wrong.key} is invalid. ${wrong.problem}`);
  return settings;
}

/** Loads the schemas only for objects: all other values were validated when they were parsed. */
async function checkFields(objects: UserSettings): Promise<void> {
  const { firstProblem } = await import('../../core/settings/check');
  const wrong = firstProblem(objects);
  if (wrong) throw new Error(`${flagOf(wrong.key)} is invalid. ${wrong.problem}`);
}

/** The option for the environment variable with the key of the model server. */
export const apiKeyVariable = (): Option =>
  new Option(
    '--api-key-env <variable>',
    'environment variable with the API key (default: the variable of the provider, or OPENAI_API_KEY)',
  );
