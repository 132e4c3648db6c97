import { InvalidArgumentError, Option, type Command } from 'commander';
import { addDesignOptions, withHabits, withHyphens } from './run/designOptions';
import type { RunOptions } from './run/runOptions';
import { addSettingFlags, apiKeyVariable, givenSettings, names, number, ordinal } from './run/settingFlags';
import { exitCodeWords } from './output/exitCodes';

/** Parses hash prefixes that are long enough to be unambiguous. */
const questions = (text: string): string[] => {
  const wanted = names(text.toLowerCase());
  if (wanted.length === 0 || !wanted.every((name) => /^[0-9a-f]{8,64}$/.test(name)))
    throw new InvalidArgumentError(
      'It must be a name that exit code 3 told: 8 or more of the digits 0 to 9 and a to f.',
    );
  return wanted;
};

/** The values of `ConsentFlags`. */
const agreeable = ['skills', 'hooks', 'mcp', 'all'];

const agreedOf = (text: string): string[] => {
  const wanted = names(text);
  const unknown = wanted.find((name) => !agreeable.includes(name));
  if (unknown !== undefined || wanted.length === 0)
    throw new InvalidArgumentError(`It must be one or several of ${agreeable.join(', ')}.`);
  return wanted;
};

/** Options of `run` that are not settings. */
type OwnOptions = Omit<RunOptions, 'settings'> &
  Partial<Pick<import('./batch/bestOf').BestOfOptions, 'bestOf' | 'check' | 'checkSeconds'>>;

/** Adds `waymark run`. */
export function addRunCommand(program: Command): void {
  const runCommand = addSettingFlags(
    program
      .command('run')
      .description(
        `Work on a task in a folder. ${exitCodeWords('run')} A run stops in order when its terminal is closed, nobody reads stdout any more, or the disk behind it is full; without a reader of stderr it goes on quietly.`,
      )
      .argument(
        '[task...]',
        'what should be done; needed unless --task says it, or --approve or --approve-outside lets a session go on',
      )
      .option('--cwd <folder>', 'folder to work in; the one you are in, or that of the session which --log continues')
      .option('--script <file>', 'play this script instead of asking a model')
      .addOption(apiKeyVariable())
      .option('--persona <name>', 'who works: a persona of the folder, which can only narrow what the run may do')
      .option(
        '--mcp <names>',
        'MCP servers that it may use, with commas between, or all; each is asked about before it first starts',
        names,
      )
      .option(
        '--agree <what>',
        `agree without a question, as they are now, to changed files that teach (skills), to the hooks of the folder (hooks), to the servers of --mcp (mcp), or to all; with commas between`,
        agreedOf,
      )
      .option(
        '--trust-folder',
        'without a terminal: work in this folder although nobody trusted it before; for this run only',
      )
      .addOption(new Option('--allow-mcp', 'as --agree mcp').hideHelp())
      .addOption(new Option('--hooks', 'as --agree hooks').hideHelp())
      .option('--no-hooks', 'run no hooks, not even those that were agreed to')
      .option(
        '--approve <names>',
        'with --log: let actions run that wait for consent, by the names that exit code 3 told, with commas between; in the sandbox where there is one',
        questions,
      )
      .option(
        '--approve-outside <names>',
        'the same, once, outside the sandbox with all rights of your account',
        questions,
      )
      .option('--log <file>', 'where the session is logged; a log that exists is continued')
      .option(
        '--fork <file>',
        'go on from another log, or from a session by its id, in a log of its own; files stay as they are without --restore-files',
      )
      .option('--at <event>', 'with --fork: the last event that both have, from 0; its last one when left out', number)
      .option('--after-step <n>', 'with --fork, in place of --at: the last step that both have', ordinal)
      .option('--restore-files', 'with --fork: put files back to how they were at that place first')
      .option(
        '--worktree',
        'work in a worktree of its own, made from the last commit; "waymark bring-back" brings its changes back to the folder',
      )
      .option('--uncommitted', 'with --worktree or --best-of: begin with what is not committed, too')
      .option(
        '--best-of <n>',
        'work on the task n times, each in a worktree and a process of its own, and choose the best result; limits are for each of them',
        ordinal,
      )
      .option(
        '--check <command>',
        'with --best-of: a candidate counts only where this command exits with 0, such as "npm test"',
      )
      .option('--check-seconds <s>', 'with --check: how long it may take; 600 when left out', ordinal)
      .option('--json', 'one event per line instead of a transcript')
      .option('--junit <file>', 'write a report that CI systems read, with one test: it passes where the run is done')
      .option('-i, --interactive', 'stay for another task when one is done'),
  );
  addDesignOptions(runCommand).action(async (words: string[], own: OwnOptions, command: Command) => {
    const { approve = [], approveOutside = [], task: told } = own;
    if (words.length > 0 && told !== undefined)
      command.error('error: the task is given twice; leave --task or the words behind run out');
    const task = told ?? words.join(' ');
    if (words.length === 0 && told === undefined && approve.length + approveOutside.length === 0)
      command.error("error: missing required argument 'task'");
    const [{ run }, { optionsAgain }] = await Promise.all([import('./run/run'), import('./run/continueCommand')]);
    const settings = withHabits(await givenSettings(command), own);
    const again = optionsAgain(withHyphens(process.argv.slice(3)), command);
    const { bestOf: count, check, checkSeconds, ...alone } = own;
    if (count === undefined) {
      if (check !== undefined || checkSeconds !== undefined)
        command.error('error: --check says which of several candidates counts; give --best-of, too');
      process.exitCode = await run(task, { ...alone, settings, again });
      return;
    }
    const { bestOf } = await import('./batch/bestOf');
    const judging = { ...(check !== undefined && { check }), ...(checkSeconds !== undefined && { checkSeconds }) };
    process.exitCode = await bestOf(task, { ...alone, ...judging, settings, again, bestOf: count });
  });
}
