import { InvalidArgumentError, Option, type Command } from 'commander';
import { addDesignOptions, withHabits, withHyphens } from './run/designOptions';
import type { RunOptions } from './run/runOptions';
import { addSettingFlags, apiKeyVariable, settingsFromFlags } from './run/settingFlags';
import { exitCodeWords } from './output/exitCodes';
import { countFrom1, commaSeparated, number, newCommand } from './output/newCommand';

/** Parses the names of waiting questions: hash prefixes that are long enough to be unambiguous. */
const questionNames = (text: string): string[] => {
  const wanted = commaSeparated(text.toLowerCase());
  if (wanted.length === 0 || !wanted.every((name) => /^[0-9a-f]{8,64}$/.test(name)))
    throw new InvalidArgumentError(
      'It must be a name printed with exit code 3: 8 or more of the digits 0 to 9 and a to f.',
    );
  return wanted;
};

/** The values of `--agree`, see `ConsentFlags`. */
const agreeable = ['skills', 'hooks', 'mcp', 'all'];

const agreedKinds = (text: string): string[] => {
  const wanted = commaSeparated(text);
  const unknown = wanted.find((name) => !agreeable.includes(name));
  if (unknown !== undefined || wanted.length === 0)
    throw new InvalidArgumentError(`It must be one or more of ${agreeable.join(', ')}.`);
  return wanted;
};

/** Options of `run` that are not settings. */
type OwnOptions = Omit<RunOptions, 'settings'> &
  Partial<Pick<import('./batch/bestOf').BestOfOptions, 'bestOf' | 'check' | 'checkSeconds'>>;

/** Adds `waymark run`. */
export function addRunCommand(program: Command): void {
  const runCommand = addSettingFlags(
    newCommand(program, 'run', {
      group: 'Tasks',
      summary: 'Work on a task in a folder',
      description:
        'Work on a task in a folder.\n\nThe run stops cleanly if its terminal or standard output is closed, or if the disk with its output is full. If only standard error is closed, it continues silently.',
    })
      .addHelpText('after', exitCodeWords('run --best-of'))
      .argument(
        '[task...]',
        'the task, or - to read it from standard input; required unless --task, --approve, --approve-outside or --refuse is given',
      )
      .option(
        '--cwd <folder>',
        'working folder (default: the current folder, or with --log the folder of that session)',
      )
      .option('--script <file>', 'play this script instead of calling a model')
      .addOption(apiKeyVariable())
      .option('--persona <name>', 'work as this persona of the folder; it can only restrict what the run may do')
      .option(
        '--mcp <names>',
        'MCP servers to use: comma-separated names, or all; Waymark asks before the first start of each',
        commaSeparated,
      )
      .option(
        '--agree <what>',
        'approve without asking, in their current version: changed skills and instructions (skills), hooks of the folder (hooks), servers of --mcp (mcp), or all; comma-separated',
        agreedKinds,
      )
      .option('--trust-folder', 'trust this folder for this run; needed if there is no terminal to ask at')
      .addOption(new Option('--allow-mcp', 'same as --agree mcp').hideHelp())
      .addOption(new Option('--hooks', 'same as --agree hooks').hideHelp())
      .option('--no-hooks', 'run no hooks, not even approved ones')
      .option(
        '--approve <names>',
        'with --log: allow waiting actions, by their comma-separated names printed with exit code 3; they run in the sandbox if there is one',
        questionNames,
      )
      .option(
        '--approve-outside <names>',
        'the same, but once and outside the sandbox, with all rights of your account',
        questionNames,
      )
      .option(
        '--refuse <names>',
        'with --log: refuse waiting actions, by the same names; the task tells the agent why',
        questionNames,
      )
      .option(
        '--log <file>',
        'log file or id of the session, or "last" for the newest one of the folder; an existing log is continued',
      )
      .option(
        '--fork <file>',
        'continue another session (log, id or "last") in a new one; the other session stays as it is, and so do the files unless --restore-files is given',
      )
      .option(
        '--at <event>',
        'with --fork: last event that the new session takes over, counting from 0 (default: the last one)',
        number,
      )
      .option('--after-step <n>', 'with --fork, instead of --at: last step that the new session takes over', countFrom1)
      .option(
        '--restore-files',
        'with --fork: first undo what the other session changed in files after that event or step; your own changes stay',
      )
      .option(
        '--worktree',
        'work in a new worktree of the last commit; "waymark bring-back" brings its changes back to the folder',
      )
      .option('--uncommitted', 'with --worktree or --best-of: include uncommitted changes')
      .option(
        '--best-of <n>',
        'run n candidates, each in its own worktree and process, and choose the best result; limits apply to each one',
        countFrom1,
      )
      .option(
        '--check <command>',
        'with --best-of: a candidate counts only if this command exits with 0, such as "npm test"',
      )
      .option('--check-seconds <s>', 'with --check: time limit of the command, in seconds (default: 600)', countFrom1)
      .option('--json', 'print one event per line instead of a transcript')
      .option('--junit <file>', 'write a JUnit report with one test, which passes if the run is done')
      .option('-i, --interactive', 'ask for another task when one is done'),
  );
  addDesignOptions(runCommand).action(async (words: string[], own: OwnOptions, command: Command) => {
    process.exitCode = await runAsTyped(await taskOf(words, own, command), own, command);
  });
}

/**
 * Returns the task from the words after `run`, from `--task` or, for `-`, from standard input. Empty if only waiting
 * actions are decided.
 */
async function taskOf(words: readonly string[], own: OwnOptions, command: Command): Promise<string> {
  const { approve = [], approveOutside = [], refuse = [], task } = own;
  if (words.length > 0 && task !== undefined)
    command.error('error: the task is given twice; use either --task or the words after run');
  if (words.length === 0 && task === undefined && approve.length + approveOutside.length + refuse.length === 0)
    command.error("error: missing required argument 'task'");
  const written = task ?? words.join(' ');
  if (written !== '-') return written;
  const { taskFromInput } = await import('./run/taskFromInput');
  return taskFromInput();
}

/** Runs the task once, or with `--best-of` several times. Resolves to the exit code. */
async function runAsTyped(task: string, own: OwnOptions, command: Command): Promise<number> {
  const { bestOf: count, check, checkSeconds, ...ofOneRun } = own;
  const [{ run }, { optionsAgain }] = await Promise.all([import('./run/run'), import('./run/continueCommand')]);
  const settings = withHabits(await settingsFromFlags(command), own);
  const again = optionsAgain(withHyphens(process.argv.slice(3)), command);
  const options = { ...ofOneRun, settings, again };
  if (count === undefined) {
    if (check !== undefined || checkSeconds !== undefined)
      command.error('error: --check and --check-seconds require --best-of');
    return run(task, options);
  }
  const { bestOf } = await import('./batch/bestOf');
  const judging = { ...(check !== undefined && { check }), ...(checkSeconds !== undefined && { checkSeconds }) };
  return bestOf(task, { ...options, ...judging, bestOf: count });
}
