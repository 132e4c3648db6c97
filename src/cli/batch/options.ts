import { InvalidArgumentError, Option, type Command } from 'commander';
import type { UserSettings } from '../../core/settings/table';
import { withHabits, type DesignOptions } from '../run/designOptions';
import { settingsFromFlags, settingsInFile } from '../run/settingFlags';
import type { BatchOptions } from './batchOptions';
import { newCommand, countFrom1, positiveNumber, wholeNumber } from '../output/newCommand';

/** Options of the batch runner of Hermes Agent that have other names in Waymark. */
interface HermesOptions {
  readonly datasetFile?: string;
}

/** Node.js timers accept little more, and fire at once for larger values. */
const maxSeconds = 2_000_000;

const seconds = (text: string): number => {
  const value = positiveNumber(text);
  if (value <= maxSeconds) return value;
  throw new InvalidArgumentError(`It must be at most ${maxSeconds}, which is 23 days.`);
};

const requestWords = 'maximum requests per minute to one model address';

/** Options of `run` that apply to a single session. A batch leaves them out or has its own version. */
const onlyForOneRun: ReadonlySet<string> = new Set([
  'cwd',
  'log',
  'fork',
  'at',
  'afterStep',
  'restoreFiles',
  'json',
  'output',
  'step',
  'task',
  'interactive',
  'approve',
  'approveOutside',
  'refuse',
  'junit',
  'worktree',
  'uncommitted',
  'bestOf',
  'trustFolder',
  'check',
  'checkSeconds',
]);

/** Options of a batch that apply to this machine. Workers of a queue have their own. */
const onlyOnThisMachine = ['cwd', 'numWorkers', 'root', 'repos', 'requestsPerMinute', 'taskMemory'] as const;

/** Adds the commands for batches. Printing help loads nothing else. */
export function addBatchCommands(program: Command): void {
  const batch = newCommand(program, 'batch', {
    group: 'Tasks',
    summary: 'Work on all tasks of a dataset',
    description:
      'Work on all tasks of a dataset. Each task has its own process and its own copy of the folder.\n\nAccepts all options of "waymark run" that are about the work.',
  })
    .argument(
      '[dataset]',
      'file with one JSON object per line: {"prompt": …, "id"?, "cwd"?, "repo"?, "commit"?, "files"?}',
    )
    // The name in Hermes Agent.
    .addOption(new Option('--dataset-file <file>').hideHelp());
  addBatchOptions(batch);
  const ofBatchRuns = addRunOptions(batch, program);
  batch.action(async (named: string | undefined, typed: HermesOptions & Omit<BatchOptions, 'settings'>) => {
    const { datasetFile, ...own } = typed;
    if (named !== undefined && datasetFile !== undefined)
      batch.error('error: the dataset is given twice; remove --dataset-file');
    const { batch: runBatch } = await import('./batch');
    const unused = unusedInQueue(batch, ofBatchRuns);
    const options = { ...own, settings: await settingsOf(batch), unusedInQueue: unused };
    process.exitCode = await runBatch(named ?? datasetFile, options);
  });
  const evaluate = newCommand(program, 'eval', {
    group: 'Tasks',
    summary: 'Work on tasks and check the results',
    description:
      'Work on tasks that have checks, and report how many were solved. Works like "waymark batch"; the checks run in clean copies, without and with the work.',
  }).argument(
    '[dataset]',
    'as for "waymark batch", with "check", "fail_to_pass" and "pass_to_pass"; or SWE-bench instances',
  );
  addBatchOptions(evaluate)
    .option('--check-seconds <s>', 'time limit of one check, in seconds', seconds, 300)
    .option('--compare <folders...>', 'compare two results folders task by task; --out names the report page');
  const ofEvaluatedRuns = addRunOptions(evaluate, program);
  evaluate.action(async (dataset: string | undefined, own: Omit<import('./evaluate').EvaluateOptions, 'settings'>) => {
    const { evaluate: runEvaluation } = await import('./evaluate');
    const unused = unusedInQueue(evaluate, ofEvaluatedRuns);
    const options = { ...own, settings: await settingsOf(evaluate), unusedInQueue: unused };
    process.exitCode = await runEvaluation(dataset, options);
  });
  const worker = addQueueOptions(
    newCommand(program, 'worker', {
      group: 'Tasks',
      summary: 'Work on tasks from a queue',
      description:
        'Work on tasks that "waymark batch --queue" put into a queue, on this machine or another one. Ctrl-C lets running tasks finish.\n\nTasks from the queue are not trusted: model, sandbox and approvals are set here.',
    }),
  )
    .requiredOption('--run-name <name>', 'name of the batch; required')
    .requiredOption('--root <folder>', 'folder with the projects of the tasks, required; nothing outside it is copied')
    .option('--concurrency <n>', 'number of tasks to run in parallel', countFrom1, 1)
    .option('--checks', 'run the checks of tasks, which are commands from the queue, in the sandbox or in containers')
    .option(
      '--task-images <patterns...>',
      'images that tasks may use, such as docker.io/swebench/*; requires --environment docker or podman',
    )
    .option(
      '--tasks-per-minute <n>',
      'maximum tasks that all workers of the queue together start per minute',
      countFrom1,
    )
    .option('--lease <s>', 'seconds after which another worker takes over the tasks of a lost one', seconds, 30)
    .option('--requests-per-minute <n>', `${requestWords}, for all workers that use this Redis`, countFrom1)
    .option('--task-timeout <s>', 'time limit of a task, in seconds', seconds, 3600)
    .option('--task-memory <mb>', 'memory limit for the process of a task, in megabytes', countFrom1, 2048);
  addRunOptions(worker, program);
  worker.action(async (own: Omit<import('./worker').WorkerCommandOptions, 'settings'>) => {
    const { worker: runWorker } = await import('./worker');
    process.exitCode = await runWorker({ ...own, settings: await flagsOf(worker) });
  });
  program.command('batch-task', { hidden: true }).action(async () => {
    const { workOnTask } = await import('./workOnTask');
    // Its stdin stays open, and open handles of a run must not keep the process alive.
    process.exit(await workOnTask());
  });
  program.command('best-of-candidate', { hidden: true }).action(async () => {
    const { workOnCandidate } = await import('./workOnCandidate');
    process.exitCode = await workOnCandidate();
  });
}

/** The settings from flags, with those that `-y` sets. */
const flagsOf = async (command: Command): Promise<UserSettings> =>
  withHabits(await settingsFromFlags(command), command.opts<DesignOptions>());

/** The settings from flags; the others come from the file of `--settings-from`. */
async function settingsOf(command: Command): Promise<UserSettings> {
  const { settingsFrom: file } = command.opts<{ settingsFrom?: string }>();
  const beneath = file === undefined ? {} : await settingsInFile(file);
  return { ...beneath, ...(await flagsOf(command)) };
}

/**
 * Adds the options for the address of the queue. In a variable, its password does not show up in the list of processes.
 */
const addQueueOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--queue <address>', 'Redis server with the task queue: redis://… or rediss://…').env('WAYMARK_QUEUE'),
    )
    .addOption(
      new Option(
        '--queue-ca <file>',
        'with rediss://: PEM file of the CA that signed the Redis certificate (default: public CAs)',
      ).env('WAYMARK_QUEUE_CA'),
    )
    .addOption(
      new Option('--queue-cert <file>', 'with rediss://: PEM file of the client certificate').env('WAYMARK_QUEUE_CERT'),
    )
    .addOption(
      new Option('--queue-key <file>', 'with rediss://: PEM file of the key for the client certificate').env(
        'WAYMARK_QUEUE_KEY',
      ),
    );

function addBatchOptions(command: Command): Command {
  return addQueueOptions(command)
    .option('--cwd <folder>', 'folder to copy for tasks that name none (default: an empty folder)')
    .option('--run-name <name>', 'name of the batch (default: the name of the dataset)')
    .option('-o, --out <folder>', 'results folder (default: data/NAME)')
    .option('-w, --num-workers <n>', 'number of tasks to run in parallel', countFrom1, 4)
    .option('--batch-size <n>', 'number of tasks in one batch file', countFrom1, 10)
    .option('--resume', 'continue a batch; completed tasks are skipped')
    .option('--retry-failed', 'with --resume: repeat failed tasks')
    .option('--redo-existing', 'delete earlier results of this batch and start over')
    .option('--max-samples <n>', 'use only the first n tasks of the dataset', countFrom1)
    .option('--slice <a:b>', 'use only a slice of the tasks, in Python syntax: 0:5, 10:, ::2')
    .option('--filter <regex>', 'use only tasks whose id matches from its beginning')
    .option('--shuffle', 'use a random order, the same for the same --seed')
    .option('--seed <n>', 'seed of --shuffle and --distribution', wholeNumber, 42)
    .option('--distribution <name>', 'draw the toolsets of each task from this distribution')
    .option('--list-distributions', 'list the distributions and exit')
    .option(
      '--root <folder>',
      'folder that contains the folders and scripts of tasks (default: the folder of the dataset)',
    )
    .option('--repos <folder>', 'folder with the repositories that tasks name as owner/name')
    .option('--batch-max-cost <usd>', 'stop the batch when its tasks have cost this many US dollars', positiveNumber)
    .option('--requests-per-minute <n>', `${requestWords}, for all tasks together`, countFrom1)
    .option('--task-timeout <s>', 'time limit of a task, in seconds', seconds, 3600)
    .option(
      '--task-memory <mb>',
      'memory limit for the process of a task, without its commands, in megabytes',
      countFrom1,
      2048,
    )
    .option('--ephemeral-system-prompt <text>', 'text to add to the system prompt of every request; not logged')
    .option(
      '--prefill-messages-file <file>',
      'JSON list of {"role", "content"} messages to send before the task; not logged',
    )
    .option('--keep-without-reasoning', 'also keep conversations without reasoning of the model')
    .addOption(new Option('--settings-from <file>', 'JSON file with the settings that no flag sets').hideHelp())
    .option('--junit <file>', 'write a JUnit report for CI systems')
    .option('--json', 'print one JSON object per finished task instead of progress');
}

/** Returns the flags of a command line that have no effect on tasks in a queue. */
function unusedInQueue(command: Command, ofRuns: readonly string[]): string[] {
  const names = new Set<string>([...ofRuns, ...onlyOnThisMachine]);
  const isGiven = (name: string): boolean => command.getOptionValueSource(name) === 'cli';
  return command.options
    .filter((option) => names.has(option.attributeName()) && isGiven(option.attributeName()))
    .map(({ long }) => long ?? '');
}

/** Adds the options of `waymark run` that make sense for many tasks. Returns their names. */
function addRunOptions(command: Command, program: Command): string[] {
  const names: string[] = [];
  const run = program.commands.find((each) => each.name() === 'run');
  const taken = new Set(command.options.flatMap(({ long, short }) => [long, short]));
  for (const option of run?.options ?? []) {
    const isTaken = taken.has(option.long) || (option.short !== undefined && taken.has(option.short));
    if (isTaken || onlyForOneRun.has(option.attributeName())) continue;
    command.addOption(option);
    names.push(option.attributeName());
  }
  return names;
}
