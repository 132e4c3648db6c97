import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';
import { addBatchCommands } from './batch/options';
import { stderr, stdout, stdoutUnread } from './output/output';
import { NoRoom, needRoomToStart } from './run/roomToStart';
import { addDesignOptions, withHabits, withHyphens } from './run/designOptions';
import { addSettingFlags, givenSettings } from './run/settingFlags';

// This process mostly waits. The space for young objects stays as small as it starts: measured, 7 MB less after 200
// steps and 25 after 1,000, in the same time. Set later, it would have grown by 8 MB while the program starts.
v8.setFlagsFromString('--semi-space-growth-factor=1');

// Without a listener, SIGUSR1 makes Node open a port through which anybody on
// this machine can run code in this process.
if (process.platform !== 'win32') process.on('SIGUSR1', () => undefined);

const number = (text: string): number => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new InvalidArgumentError('It must be a number of 0 or more.');
  return value;
};

const ordinal = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 on.');
  return Number(text);
};

const names = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

/** Beginnings of hashes, long enough to mean one question. */
const questions = (text: string): string[] => {
  const wanted = names(text.toLowerCase());
  if (wanted.length === 0 || !wanted.every((name) => /^[0-9a-f]{8,64}$/.test(name)))
    throw new InvalidArgumentError(
      'It must be a name that exit code 3 told: 8 or more of the digits 0 to 9 and a to f.',
    );
  return wanted;
};

/** As `ConsentFlags` has them. */
const agreeable = ['skills', 'hooks', 'mcp', 'all'];

const agreedOf = (text: string): string[] => {
  const wanted = names(text);
  const unknown = wanted.find((name) => !agreeable.includes(name));
  if (unknown !== undefined || wanted.length === 0)
    throw new InvalidArgumentError(`It must be one or several of ${agreeable.join(', ')}.`);
  return wanted;
};

const apiKeyVariable = (): Option =>
  new Option(
    '--api-key-env <variable>',
    'environment variable that holds the API key; that of the provider, or OPENAI_API_KEY',
  );

const program = new Command('waymark')
  .configureOutput({ writeOut: (text) => stdout.write(text), writeErr: (text) => stderr.write(text) })
  .version(process.env.WAYMARK_VERSION ?? 'unbuilt', '-v, --version')
  .description('A coding agent whose every step can be seen and approved.');

const runCommand = addSettingFlags(
  program
    .command('run')
    .description(
      'Work on a task in a folder. Exit code: 0 done, 1 failed, 2 limit reached, 3 consent needed, 130 interrupted. A run stops in order when its terminal is closed, nobody reads stdout any more, or the disk behind it is full; without a reader of stderr it goes on quietly.',
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
/** What the options of `run` hold that are no settings. */
type OwnOptions = Omit<import('./run/runOptions').RunOptions, 'settings'> &
  Partial<Pick<import('./batch/bestOf').BestOfOptions, 'bestOf' | 'check' | 'checkSeconds'>>;

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

program
  .command('control')
  .description(
    'Tell a run in another process to pause at its next halt, go on, go one half of a step, or stop. Exit code: 0 it heard that, 1 no run did.',
  )
  .argument('<log>', 'the log of the run, or the id of its session')
  .addArgument(new Argument('<what>', 'pause, resume, step or stop').choices(['pause', 'resume', 'step', 'stop']))
  .action(async (log: string, word: import('../core/session/outsideControl').ControlWord) => {
    const { control } = await import('./commands/control');
    process.exitCode = await control(log, word);
  });

/** A check is of the one model, without those beside it. */
const besideModel: readonly string[] = ['model.fallbacks', 'model.alternates', 'model.alternation', 'model.vision'];

addSettingFlags(
  program
    .command('check-model')
    .description(
      'Make one small call and tell what a model and its server support. Exit code: 0 it answers, 1 it does not.',
    )
    .addOption(apiKeyVariable())
    .option('--images', 'also show it a picture, with one more call')
    .option('--json', 'the report as JSON'),
  ({ group, key }) => group === 'Model' && !besideModel.includes(key),
).action(async (own: Omit<import('./commands/checkModel').CheckOptions, 'settings'>, command: Command) => {
  const { checkModel } = await import('./commands/checkModel');
  process.exitCode = await checkModel({ ...own, settings: await givenSettings(command) });
});

program
  .command('assess')
  .description('Say how a shell command would be judged, and by which rules. Nothing is run.')
  .argument('[command]', 'the command, in quotation marks')
  .option('--cwd <folder>', 'the workspace folder; the one you are in when left out')
  .option('--shell <name>', 'bash, sh, zsh, powershell or cmd')
  .option('--jsonl', 'read {"id","command","shell"} lines, write {"id","level","reasons"} lines')
  .option('--json', 'the explanation as JSON')
  .action(async (command: string | undefined, options: import('./commands/assess').AssessOptions) => {
    const { assess } = await import('./commands/assess');
    process.exitCode = await assess(command, options);
  });

program
  .command('inspect')
  .description('Show a run in the terminal: its steps, or one of them whole. Exit code: 0 shown, 1 not.')
  .argument('<file>', 'a trajectory of any format that can be read, or the id of a session')
  .option('--step <n>', 'one step whole: reasoning, reply, calls and results', ordinal)
  .option('--run <n>', 'which of several runs in one file', ordinal)
  .option('--json', 'as JSON')
  .action(async (file: string, options: import('./commands/inspect').InspectOptions) => {
    const { inspect } = await import('./commands/inspect');
    process.exitCode = await inspect(file, options);
  });

program
  .command('export')
  .description('Write a run in another format. Secrets are masked. Exit code: 0 written, 1 not.')
  .argument('<file>', 'a trajectory of any format that can be read, or the id of a session')
  .requiredOption('--to <format>', 'mini, sharegpt, openhands, atif, openai, html, or waymark')
  .option('--out <path>', 'where to; named after the run in the folder you are in when left out; - prints it')
  .option('--force', 'replace what is there')
  .option('--run <n>', 'which of several runs in one file', ordinal)
  .action(async (file: string, options: import('./commands/export').ExportOptions) => {
    const { exportRun } = await import('./commands/export');
    process.exitCode = await exportRun(file, options);
  });

addSettingFlags(
  program
    .command('replay')
    .description(
      'Do again what a run did, in a copy of a folder, and say where the results differ; no model is asked. Exit code: 0 the same, 1 different, 3 the same but for what needs consent, 130 stopped.',
    )
    .argument('<file>', 'a trajectory of any format that can be read, or the id of a session')
    .requiredOption('--cwd <folder>', 'the workspace of the run; a copy of it is used')
    .option('--in-place', 'use the folder itself and no copy')
    .option('--keep', 'keep the copy')
    .option(
      '--commit <hash>',
      'put the copy back to this commit; the one that the log says the run began with when left out',
    )
    .option('--as-it-is', 'leave the copy as the folder is now')
    .option('--run <n>', 'which of several runs in one file', ordinal)
    .option('--json', 'the result as JSON; nothing is asked then'),
  ({ key }) => key === 'sandbox',
).action(async (file: string, options: import('./commands/replay').ReplayOptions) => {
  const { replay } = await import('./commands/replay');
  process.exitCode = await replay(file, options);
});

program
  .command('changes')
  .description(
    'List what a run changed and what of it waits for review: net for each file, with hunks and the steps that made them. Changes by commands count. Exit code: 0 shown, 1 not.',
  )
  .argument('<log>', 'the log of a run, or the id of a session')
  .option('--from <n>', 'the first step that counts', ordinal)
  .option('--to <n>', 'the last step that counts', ordinal)
  .option('--diff', 'the lines of each hunk')
  .option('--json', 'as JSON')
  .action(async (log: string, options: import('./commands/changes').ChangesOptions) => {
    const { changes } = await import('./commands/changes');
    process.exitCode = await changes(log, options);
  });

const several = (text: string, before: string[] = []): string[] => [...before, text];

program
  .command('undo')
  .description(
    'Undo what a run changed in files; what you changed yourself stays. Exit code: 0 done, 1 conflict or damage and nothing changed, 3 not all can be undone and nobody agreed.',
  )
  .argument('<log>', 'the log of a run, or the id of a session')
  .option('--to-step <n>', 'back to the end of this step; 0 is before the first', number)
  .option('--file <path>', 'the changes of this file alone; may be given several times', several)
  .option('--hunk <id>', 'this hunk alone, as "waymark changes --diff" names it; may be given several times', several)
  .option('--dry-run', 'show what would be done, and do nothing')
  .option('--redo', 'take the latest undo back')
  .option('--agree', 'undo what can be undone, where not all can be')
  .option('--json', 'as JSON')
  .action(async (log: string, options: import('./commands/undo').UndoOptions) => {
    const { undo } = await import('./commands/undo');
    process.exitCode = await undo(log, options);
  });

program
  .command('apply')
  .description(
    'Make the edits in the files that a run held back for review (--apply-edits afterReview), or discard them. Exit code: 0 done, 1 nothing was done.',
  )
  .argument('<log>', 'the log of a run, or the id of a session')
  .option('--file <path>', 'the edits of this file alone; may be given several times', several)
  .option('--hunk <id>', 'this hunk alone, as "waymark changes --diff" names it; may be given several times', several)
  .option('--discard', 'forget the edits; the files stay as they are')
  .option('--json', 'as JSON')
  .action(async (log: string, options: import('./commands/apply').ApplyOptions) => {
    const { apply } = await import('./commands/apply');
    process.exitCode = await apply(log, options);
  });

program
  .command('bring-back')
  .description(
    'Bring what a run changed in its worktree back to the folder that it was made from. Where both changed, a three-way merge decides. Exit code: 0 done, 1 conflict or damage and nothing changed.',
  )
  .argument('<log>', 'the log of a run in a worktree, or the id of a session')
  .option('--file <path>', 'the changes of this file alone; may be given several times', several)
  .option('--hunk <id>', 'this hunk alone, as "waymark changes --diff" names it; may be given several times', several)
  .option('--dry-run', 'show what would be written, and write nothing')
  .option('--undo', 'take what was brought last out of the folder again')
  .option('--json', 'as JSON')
  .action(async (log: string, options: import('./commands/bringBack').BringBackOptions) => {
    const { bringBack } = await import('./commands/bringBack');
    process.exitCode = await bringBack(log, options);
  });

program
  .command('worktrees')
  .description(
    'List the worktrees of runs and how many changes in them wait to be brought back, or remove some. Exit code: 0 done, 1 not, 3 changes would be lost and nobody agreed.',
  )
  .option('--remove <id>', 'remove this one; may be given several times', several)
  .option('--clean', 'remove those in which nothing waits and no run works')
  .option('--agree', 'remove it although changes wait in it')
  .option('--json', 'as JSON')
  .action(async (options: import('./commands/worktrees').WorktreesOptions) => {
    const { worktrees } = await import('./commands/worktrees');
    process.exitCode = await worktrees(options);
  });

program
  .command('skills')
  .description(
    'List what a folder and your home folder teach the agent: instruction files, skills, personas. Exit code: 0, or 3 where what was to be reviewed still waits.',
  )
  .option('--cwd <folder>', 'the workspace folder; the one you are in when left out')
  .option('--model <name>', 'the model that it would be for: some files are for one family only')
  .option(
    '--review',
    'show what changed since it was last used, and ask at a terminal whether the agent is to go by it',
  )
  .option('--agree', 'agree to what changed without a question')
  .option('--json', 'as JSON')
  .action(async (options: import('./commands/skills').SkillsOptions) => {
    const { skills } = await import('./commands/skills');
    process.exitCode = await skills(options);
  });

program
  .command('hooks')
  .description(
    'List the hooks of a folder and of your home folder, what they run, and whether you agreed to them. Exit code: 0, or 3 where what was to be reviewed still waits.',
  )
  .option('--cwd <folder>', 'the workspace folder; the one you are in when left out')
  .option('--review', 'show what nobody agreed to and what changed, and ask at a terminal whether it is to run')
  .option('--agree', 'agree to it without a question')
  .option('--revoke', 'take back what was agreed to')
  .option('--json', 'as JSON')
  .action(async (options: import('./commands/hooks').HooksOptions) => {
    const { hooks } = await import('./commands/hooks');
    process.exitCode = await hooks(options);
  });

program
  .command('mcp')
  .description(
    'List the MCP servers that a folder names, without starting them; or start one and list what it offers. Exit code: 0 listed, 1 not started, 3 not started because nobody agreed to it.',
  )
  .option('--cwd <folder>', 'the workspace folder; the one you are in when left out')
  .option('--start <name>', 'start this one, after a question, and list its tools')
  .option('--agree', 'start it without a question')
  .addOption(new Option('--allow-mcp', 'as --agree').hideHelp())
  .option('--revoke <name>', 'take back what was agreed to for this one')
  .option('--json', 'as JSON')
  .action(async (options: import('./commands/mcp').McpOptions) => {
    const { mcp } = await import('./commands/mcp');
    process.exitCode = await mcp(options);
  });

addBatchCommands(program);

/**
 * What ended the command, in words. A part of the program that cannot be loaded is told of without loading another one.
 */
async function tellFailure(error: Error): Promise<void> {
  process.exitCode = 1;
  const told = error instanceof NoRoom ? error.message : whyNotLoaded(error);
  if (told !== undefined) return stderr.write(`${told}\n`);
  try {
    const [{ secrets }, { ConsentNeeded }] = await Promise.all([
      import('../core/secrets/secrets'),
      import('./consent/ask'),
    ]);
    if (error instanceof ConsentNeeded) process.exitCode = 3;
    stderr.write(`${secrets.mask(error.message)}\n`);
  } catch (another) {
    stderr.write(`${whyNotLoaded(another as Error) ?? (another as Error).message}\n`);
  }
}

/** The folder of what was built: this module is part of it. */
const ownFolder = path.dirname(fileURLToPath(import.meta.url));

/** Why a part of Waymark could not be loaded, and what to do; undefined for errors of other kinds. */
function whyNotLoaded(error: Error): string | undefined {
  const { code, path: file = '' } = error as NodeJS.ErrnoException;
  if (code === 'EMFILE' || code === 'ENFILE')
    return `Too many files are open (${code}), so that Waymark could not load or read all that it needs. Raise the limit, for example with "ulimit -n 1024", and try again.`;
  // Whoever loads parts stands in the stack; not so where text that a person gave is wrong.
  const isCutOff = error instanceof SyntaxError && /\bnode:internal\/modules\/esm\//.test(error.stack ?? '');
  const isOwnPart = file.startsWith(ownFolder) || code === 'ERR_MODULE_NOT_FOUND' || isCutOff;
  if (!isOwnPart) return undefined;
  return `A part of Waymark could not be loaded (${error.message.split('\n')[0]}). Install Waymark again, and try again.`;
}

// Not for help or the version: those need little.
program.hook('preAction', needRoomToStart);

await program.parseAsync(withHyphens(process.argv)).catch(tellFailure);

const unread = stdoutUnread();
if (unread && !unread.left) {
  stderr.write(`${unread.words}\n`);
  process.exitCode ||= unread.exitCode;
}

// Whatever a command left open does not keep the program: it ended when all that it printed is written.
const end = (): void => {
  if (!stdout.pending && !stderr.pending) process.exit();
};
setInterval(end, 500).unref();
