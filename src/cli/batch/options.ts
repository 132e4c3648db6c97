import { InvalidArgumentError, Option, type Command } from 'commander';
import type { GivenSettings } from '../../core/settings/table';
import { givenSettings, settingsFrom } from '../run/settingFlags';
import type { BatchOptions } from './batchOptions';
import { exitCodeWords } from '../output/exitCodes';

/** Options of the batch runner of Hermes Agent that have other names in Waymark. */
interface HermesOptions {
  readonly datasetFile?: string;
}

const wholeNumber = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of 0 or more.');
  return Number(text);
};

const countFrom1 = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 on.');
  return Number(text);
};

const amount = (text: string): number => {
  const value = Number(text);
  if (text.trim() === '' || !(value > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
};

/** Node.js timers accept little more, and fire at once for larger values. */
const mostSeconds = 2_000_000;

const seconds = (text: string): number => {
  const value = amount(text);
  if (value <= mostSeconds) return value;
  throw new InvalidArgumentError(`It must be at most ${mostSeconds}, which is 23 days.`);
};

const requestWords = 'requests to one address of a model in a minute';

/** Options of `run` that apply to a single session. A batch leaves them out or has its own version. */
const onlyForOneRun: ReadonlySet<string> = new Set([
  'cwd',
  'log',
  'fork',
  'at',
  'afterStep',
  'restoreFiles',
  'json',
  'step',
  'task',
  'interactive',
  'approve',
  'approveOutside',
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
  const batch = program
    .command('batch')
    .description(
      `Work on every task of a dataset, each in a process and a copy of its own. Takes all options of waymark run that are about the work. ${exitCodeWords('batch')}`,
    )
    .argument(
      '[dataset]',
      'a file with a JSON object on each line: {"prompt": …, "id"?, "cwd"?, "repo"?, "commit"?, "files"?}',
    )
    // The name in Hermes Agent.
    .addOption(new Option('--dataset-file <file>').hideHelp());
  addBatchOptions(batch);
  const ofBatchRuns = addRunOptions(batch, program);
  batch.action(async (named: string | undefined, given: HermesOptions & Omit<BatchOptions, 'settings'>) => {
    const { datasetFile, ...own } = given;
    if (named !== undefined && datasetFile !== undefined)
      batch.error('error: the dataset is given twice; leave --dataset-file out');
    const { batch: runBatch } = await import('./batch');
    const unused = unusedInQueue(batch, ofBatchRuns);
    const options = { ...own, settings: await settingsOf(batch), unusedInQueue: unused };
    process.exitCode = await runBatch(named ?? datasetFile, options);
  });
  const evaluate = program
    .command('eval')
    .description(
      `Work on tasks that have checks, and tell how many were solved: as waymark batch, with the checks run before and after in clean copies. ${exitCodeWords('eval')}`,
    )
    .argument(
      '[dataset]',
      'as for waymark batch, with "check", "fail_to_pass" and "pass_to_pass", or instances of SWE-bench',
    );
  addBatchOptions(evaluate)
    .option('--check-seconds <s>', 'how long one check may take', seconds, 300)
    .option('--compare <folders...>', 'compare two folders of results, task by task; --out names a page for it');
  const ofEvaluatedRuns = addRunOptions(evaluate, program);
  evaluate.action(async (dataset: string | undefined, own: Omit<import('./evaluate').EvaluateOptions, 'settings'>) => {
    const { evaluate: runEvaluation } = await import('./evaluate');
    const unused = unusedInQueue(evaluate, ofEvaluatedRuns);
    const options = { ...own, settings: await settingsOf(evaluate), unusedInQueue: unused };
    process.exitCode = await runEvaluation(dataset, options);
  });
  const worker = addQueueOptions(program.command('worker'))
    .description(
      `Work on tasks that waymark batch --queue put into a queue, on this machine or another one. It ends in order at Ctrl-C. What lies in the queue is not trusted: model, sandbox and consent are as said here. ${exitCodeWords('worker')}`,
    )
    .requiredOption('--run-name <name>', 'name of the batch')
    .requiredOption('--root <folder>', 'folder with the projects of the tasks; nothing outside of it is copied')
    .option('--concurrency <n>', 'tasks at the same time', countFrom1, 1)
    .option('--checks', 'run the checks of tasks: commands that come from the queue, in the sandbox or in containers')
    .option(
      '--task-images <patterns...>',
      'images that tasks may name, such as docker.io/swebench/*; with --environment docker or podman',
    )
    .option('--tasks-per-minute <n>', 'tasks that all workers of the queue begin together in a minute', countFrom1)
    .option('--lease <s>', 'after so many seconds another worker takes over the tasks of one that is gone', seconds, 30)
    .option('--requests-per-minute <n>', `${requestWords}, of all workers that use this Redis`, countFrom1)
    .option('--task-timeout <s>', 'end a task after so many seconds', seconds, 3600)
    .option('--task-memory <mb>', 'memory for the process of a task', countFrom1, 2048);
  addRunOptions(worker, program);
  worker.action(async (own: Omit<import('./worker').WorkerCommandOptions, 'settings'>) => {
    const { worker: runWorker } = await import('./worker');
    process.exitCode = await runWorker({ ...own, settings: await givenSettings(worker) });
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

/** The settings from flags; the others come from the file of `--settings-from`. */
async function settingsOf(command: Command): Promise<GivenSettings> {
  const { settingsFrom: file } = command.opts<{ settingsFrom?: string }>();
  const beneath = file === undefined ? {} : await settingsFrom(file);
  return { ...beneath, ...(await givenSettings(command)) };
}

/**
 * Adds the options for the address of the queue. In a variable, its password does not show up in the list of processes.
 */
const addQueueOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--queue <address>', 'a Redis where tasks wait for workers: redis://… or rediss://…').env(
        'WAYMARK_QUEUE',
      ),
    )
    .addOption(
      new Option(
        '--queue-ca <file>',
        'with rediss://: the CA that signed the certificate of Redis (PEM); the public ones when left out',
      ).env('WAYMARK_QUEUE_CA'),
    )
    .addOption(
      new Option('--queue-cert <file>', 'with rediss://: the certificate that is shown to Redis (PEM)').env(
        'WAYMARK_QUEUE_CERT',
      ),
    )
    .addOption(
      new Option('--queue-key <file>', 'with rediss://: the key of that certificate (PEM)').env('WAYMARK_QUEUE_KEY'),
    );

function addBatchOptions(command: Command): Command {
  return addQueueOptions(command)
    .option('--cwd <folder>', 'the folder that is copied for each task which names none; an empty one when left out')
    .option('--run-name <name>', 'name of the batch; that of the dataset when left out')
    .option('-o, --out <folder>', 'folder for the results; data/NAME when left out')
    .option('-w, --num-workers <n>', 'tasks at the same time', countFrom1, 4)
    .option('--batch-size <n>', 'tasks in one batch file', countFrom1, 10)
    .option('--resume', 'go on with a batch: tasks that are done are skipped')
    .option('--retry-failed', 'with --resume: do failed tasks again')
    .option('--redo-existing', 'remove earlier results of this batch, and begin again')
    .option('--max-samples <n>', 'only the first tasks of the dataset', countFrom1)
    .option('--slice <a:b>', 'only a part of the tasks, as Python slices a list: 0:5, 10:, ::2')
    .option('--filter <regex>', 'only tasks with an id that begins so')
    .option('--shuffle', 'in random order, the same each time')
    .option('--seed <n>', 'for --shuffle and --distribution', wholeNumber, 42)
    .option('--distribution <name>', 'offer each task toolsets that are drawn by the likelihoods of this distribution')
    .option('--list-distributions', 'list the distributions and end')
    .option('--root <folder>', 'folder that tasks use folders and scripts below; that of the dataset when left out')
    .option('--repos <folder>', 'folder with the repositories that tasks name as owner/name')
    .option('--batch-max-cost <usd>', 'stop the batch when all its tasks have cost so much', amount)
    .option('--requests-per-minute <n>', `${requestWords}, of all tasks together`, countFrom1)
    .option('--task-timeout <s>', 'end a task after so many seconds', seconds, 3600)
    .option(
      '--task-memory <mb>',
      'memory for the process of a task, without the commands that it runs',
      countFrom1,
      2048,
    )
    .option('--ephemeral-system-prompt <text>', 'added to the system prompt of every request; no log keeps it')
    .option(
      '--prefill-messages-file <file>',
      'a JSON list of {"role", "content"} that is sent before the task; no log keeps it',
    )
    .option('--keep-without-reasoning', 'also keep conversations in which the model told no reasoning')
    .addOption(new Option('--settings-from <file>', 'settings that no flag sets, as JSON').hideHelp())
    .option('--junit <file>', 'write a report that CI systems read')
    .option('--json', 'a JSON object for each task that ended, in place of progress');
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
