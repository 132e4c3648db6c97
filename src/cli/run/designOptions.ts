import { InvalidArgumentError, Option, type Command } from 'commander';
import { defaultContainer, type ContainerSettings } from '../../core/ports/containerSettings';
import type { UserSettings } from '../../core/settings/table';
import { positiveNumber } from '../output/newCommand';

/** Options of `waymark run` that earlier agents have and that are not settings. */
export interface DesignOptions extends ContainerOptions {
  /** Alternative to the words after `run`. */
  readonly task?: string;
  readonly yolo?: boolean;
  /** A settings file of mini-swe-agent; a number is a cost limit. */
  readonly c?: string;
  /** File for the trajectory in the format of mini-swe-agent, written when the run ends. */
  readonly output?: string;
  /** Inputs of the task, by name; "@FILE" means the content of a file. */
  readonly input?: Readonly<Record<string, string>>;
  /** Whether the run pauses before each half of a step, except before the first. */
  readonly step?: boolean;
}

/** Adds them to `waymark run`. */
export const addDesignOptions = (command: Command): Command =>
  addContainerOptions(command)
    .option('-t, --task <text>', 'the task, instead of the words after run')
    .option('-y, --yolo', 'ask about almost nothing (same as --mode auto)')
    .addOption(new Option('-c <value>', 'same as --max-cost').hideHelp())
    .option(
      '-o, --output <file>',
      'when the run ends, write its trajectory to this file, in the format of mini-swe-agent; replaces an existing file',
    )
    .option(
      '--input <name=value>',
      'additional input for the profile, such as user_profile=… or context=@FILE; repeatable',
      namedInput,
    )
    .option('--step', 'pause before each half of a step, except before the first; "waymark control" resumes the run');

function namedInput(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [, name, value] = /^([A-Za-z_]\w{0,63})=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('It must be NAME=VALUE, such as user_profile="A teacher" or context=@notes.md.');
  return { ...before, [name]: value };
}

/**
 * Converts flags with underscores, as other agents have them: `--max_turns` to `--max-turns`. A word that is more than
 * a flag, such as a value of `--container-run-args`, stays unchanged.
 */
export function withHyphens(words: readonly string[]): string[] {
  const end = words.indexOf('--');
  return words.map((word, index) => {
    if (!word.startsWith('--') || (end >= 0 && index > end)) return word;
    const [flag = '', ...value] = word.split('=');
    if (!/^--[\w-]+$/.test(flag)) return word;
    return [flag.replaceAll('_', '-'), ...value].join('=');
  });
}

/**
 * Adds what `-y` and `-c` set to the other flags. Throws an `Error` with a message for people if they contradict each
 * other.
 */
export function withHabits(settings: UserSettings, { yolo, c }: DesignOptions): UserSettings {
  const cost = c === undefined ? undefined : limitOfCost(c);
  if (yolo && settings.mode !== undefined && settings.mode !== 'auto')
    throw new Error('--mode and --yolo contradict each other. Give only one of them.');
  if (cost !== undefined && settings['limits.cost'] !== undefined)
    throw new Error('--max-cost and -c are the same option. Give only one of them.');
  return { ...settings, ...(yolo && { mode: 'auto' }), ...(cost !== undefined && { 'limits.cost': cost }) };
}

function limitOfCost(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value >= 0) return value;
  throw new Error(
    `-c takes a cost limit, and ${text} is not a number. Waymark does not read mini-swe-agent configuration files: choose a profile with --profile, its prompts with --templates, and the rest with options ("waymark run --help").`,
  );
}

/** Command line options for the container that commands run in. */
interface ContainerOptions {
  readonly environment?: 'local' | 'docker' | 'podman';
  /** The name of this option in mini-swe-agent. */
  readonly environmentClass?: 'local' | 'docker' | 'podman';
  readonly image?: string;
  readonly containerCwd?: string;
  readonly containerEnv?: Readonly<Record<string, string>>;
  readonly forwardEnv?: readonly string[];
  readonly containerTimeout?: string;
  readonly pullTimeout?: number;
  readonly containerExecutable?: string;
  readonly containerRunArgs?: string;
  readonly containerShell?: string;
}

const variable = (text: string, before: Record<string, string> = {}): Record<string, string> => {
  const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new InvalidArgumentError('It must be NAME=VALUE, such as PAGER=cat.');
  return { ...before, [name]: value };
};

const variableName = (text: string, before: readonly string[] = []): string[] => {
  if (!/^[A-Za-z_]\w*$/.test(text)) throw new InvalidArgumentError('It must be the name of a variable.');
  return [...before, text];
};

const lifetime = (text: string): string => {
  if (!/^\d+(\.\d+)?[smhd]?$/.test(text))
    throw new InvalidArgumentError('It must be a number of seconds, or a number with m, h or d, such as 2h.');
  return text;
};

/** Adds the container settings of mini-swe-agent. */
function addContainerOptions(command: Command): Command {
  const group = 'Containers:';
  const options = [
    new Option('--environment <kind>', 'where commands run: on this machine (local) or in their own container')
      .choices(['local', 'docker', 'podman'])
      .env('WAYMARK_ENVIRONMENT'),
    new Option('--image <name>', 'container image; in a batch, for tasks that name none'),
    new Option(
      '--container-cwd <folder>',
      'path of the folder in the container, such as /testbed; tasks of a batch work on a copy of this folder of the image',
    ),
    new Option('--container-env <name=value>', 'environment variable for commands; repeatable').argParser(variable),
    new Option('--forward-env <name>', 'environment variable to pass on to commands; repeatable').argParser(
      variableName,
    ),
    new Option(
      '--container-timeout <time>',
      `maximum lifetime of the container (default: ${defaultContainer.lifetime})`,
    ).argParser(lifetime),
    new Option(
      '--pull-timeout <s>',
      `maximum seconds to pull an image (default: ${defaultContainer.pullSeconds})`,
    ).argParser(positiveNumber),
    new Option('--container-executable <program>', 'program of the container engine').env('MSWEA_DOCKER_EXECUTABLE'),
    new Option(
      '--container-run-args <words>',
      `arguments for "run" of the engine (default: "${defaultContainer.runArgs.join(' ')}")`,
    ),
    new Option('--container-shell <words>', `shell in the container (default: "${defaultContainer.shell.join(' ')}")`),
  ];
  for (const option of options) command.addOption(option.helpGroup(group));
  return command.addOption(new Option('--environment-class <kind>').choices(['local', 'docker', 'podman']).hideHelp());
}

/** Flags that have no effect if commands run on this machine. */
const onlyInContainers = [
  'image',
  'containerCwd',
  'containerEnv',
  'forwardEnv',
  'containerTimeout',
  'pullTimeout',
  'containerRunArgs',
  'containerShell',
] as const;

/** Names of all options that determine where commands run. */
export const containerOptions = [
  'environment',
  'environmentClass',
  'containerExecutable',
  ...onlyInContainers,
] as const satisfies readonly (keyof ContainerOptions)[];

const splitAtBlanks = (text: string): string[] => text.split(/\s+/).filter(Boolean);

export const containerKind = ({ environment, environmentClass }: ContainerOptions): 'local' | 'docker' | 'podman' =>
  environment ?? environmentClass ?? 'local';

/**
 * Returns the requested container, or undefined if commands run on this machine. `ofTask`: the image that a task names.
 * Throws an `Error` with a message for people.
 */
export function containerFor(options: ContainerOptions, ofTask?: string): ContainerSettings | undefined {
  const environment = containerKind(options);
  if (environment === 'local') {
    const option = onlyInContainers.find((flag) => options[flag] !== undefined);
    if (option === undefined) return undefined;
    const flag = option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new Error(`--${flag} requires a container. Choose an engine with --environment docker or podman.`);
  }
  const image = ofTask ?? options.image;
  if (image === undefined) throw new Error(`--environment ${environment} needs an image. Name one with --image.`);
  return {
    executable: options.containerExecutable ?? environment,
    image,
    ...(options.containerCwd !== undefined && { cwd: options.containerCwd }),
    env: options.containerEnv ?? defaultContainer.env,
    forwardEnv: options.forwardEnv ?? defaultContainer.forwardEnv,
    runArgs:
      options.containerRunArgs === undefined ? defaultContainer.runArgs : splitAtBlanks(options.containerRunArgs),
    shell: options.containerShell === undefined ? defaultContainer.shell : splitAtBlanks(options.containerShell),
    lifetime: options.containerTimeout ?? defaultContainer.lifetime,
    pullSeconds: options.pullTimeout ?? defaultContainer.pullSeconds,
  };
}
