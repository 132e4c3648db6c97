import { InvalidArgumentError, Option, type Command } from 'commander';
import type { GivenSettings } from '../../core/settings/table';

/** Options of `waymark run` that agents before Waymark have and that are no settings. */
export interface DesignOptions {
  /** In place of the words behind `run`. */
  readonly task?: string;
  readonly yolo?: boolean;
  /** mini-swe-agent's file of settings; a number is a limit of cost. */
  readonly c?: string;
  /** Where the trajectory is written in the format of mini-swe-agent when the run ends. */
  readonly output?: string;
  /** What is given beside the task, by name; "@FILE" stands for what a file holds. */
  readonly input?: Readonly<Record<string, string>>;
  /** Whether it halts before each half of a step. */
  readonly step?: boolean;
}

/** Adds them to `waymark run`. */
export const addDesignOptions = (command: Command): Command =>
  command
    .option('-t, --task <text>', 'what should be done, in place of the words behind run')
    .option('-y, --yolo', 'ask nothing: as --mode auto')
    .addOption(new Option('-c <value>', 'as --max-cost').hideHelp())
    .option('-o, --output <file>', 'write the trajectory here when the run ends, in the format of mini-swe-agent')
    .option(
      '--input <name=value>',
      'something beside the task, such as user_profile=… or context=@FILE; may be given again',
      namedInput,
    )
    .option('--step', 'halt before each half of a step; "waymark control" lets it go on');

function namedInput(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [, name, value] = /^([A-Za-z_]\w{0,63})=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('It must be a name, "=" and a value: user_profile="A teacher", context=@notes.md.');
  return { ...before, [name]: value };
}

/** Flags of other agents are written with underscores: `--max_turns` is `--max-turns`. */
export function withHyphens(words: readonly string[]): string[] {
  const end = words.indexOf('--');
  return words.map((word, at) => {
    if (!word.startsWith('--') || (end >= 0 && at > end)) return word;
    const [flag = '', ...value] = word.split('=');
    return [flag.replaceAll('_', '-'), ...value].join('=');
  });
}

/** What `-y` and `-c` set, beside what other flags did. Throws an `Error` in words where two say different things. */
export function withHabits(settings: GivenSettings, { yolo, c }: DesignOptions): GivenSettings {
  const cost = c === undefined ? undefined : limitOfCost(c);
  if (yolo && settings.mode !== undefined && settings.mode !== 'auto')
    throw new Error('--mode and --yolo say different things. Give one of them.');
  if (cost !== undefined && settings['limits.cost'] !== undefined)
    throw new Error('--max-cost and -c say the same. Give one of them.');
  return { ...settings, ...(yolo && { mode: 'auto' }), ...(cost !== undefined && { 'limits.cost': cost }) };
}

function limitOfCost(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value >= 0) return value;
  throw new Error(
    `-c takes a limit of cost here, and ${text} is no number. Waymark reads no files of settings of mini-swe-agent: choose a way of working with --profile, its words with --templates, and the rest with options ("waymark run --help").`,
  );
}
