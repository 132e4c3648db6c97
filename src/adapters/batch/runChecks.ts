import type { ContainerSettings } from '../../core/ports/containerSettings';
import path from 'node:path';
import type { BatchTask, TaskChecks } from '../../core/batch/batchTask';
import { type CheckResult, verdictOnChecks, type TaskVerdict } from '../../core/batch/taskResult';
import type { LimitSettings } from '../sandbox/limits';
import type { SandboxSetting } from '../sandbox/sandbox';
import { git } from '../git/safeGit';
import { commandAlone, inCheckTerminal } from './checkTerminal';
import { cleanCopy, type TaskSources } from './taskPlace';

/** Time limit for applying one patch, in ms. */
const applyTimeoutMs = 60_000;

interface CheckOptions {
  readonly sources: TaskSources;
  readonly sandbox?: SandboxSetting | undefined;
  readonly sandboxLimits?: LimitSettings | undefined;
  /** Time limit of one check, in ms. */
  readonly timeoutMs: number;
  /** The container in which checks run, the same as for the task itself. Checks run on this machine if absent. */
  readonly container?: ContainerSettings | undefined;
  /** Aborted when the verdict is no longer needed. The running check then ends immediately. */
  readonly signal: AbortSignal;
}

type Outcome = CheckResult['before'];

/**
 * Finds out whether a patch solves a task: runs its checks in a copy without the patch and in another with it. Both
 * copies are created here, so that the agent could not modify them. Tests of the task replace changes of the patch to
 * the same files. Throws an `Error` with a message for people, or the reason of `signal`.
 */
export async function runChecks(task: BatchTask, patch: string, options: CheckOptions): Promise<TaskVerdict> {
  const checks = task.checks!;
  const before = await outcomesIn(task, checks, '', options);
  const after = await outcomesIn(task, checks, patch, options);
  const results = testsOf(checks).map(({ test, kind }, index): CheckResult => {
    const without = before.outcomes[index] ?? 'fail';
    return { test, kind, before: without, after: after.outcomes[index] ?? 'fail' };
  });
  return verdictOnChecks(results, after.problem);
}

const testsOf = ({
  failToPass,
  passToPass,
}: TaskChecks): { readonly test: string; readonly kind: CheckResult['kind'] }[] => [
  ...failToPass.map((test) => ({ test, kind: 'fail_to_pass' as const })),
  ...passToPass.map((test) => ({ test, kind: 'pass_to_pass' as const })),
];

interface Outcomes {
  /** One per test; empty if the patch could not be applied. */
  readonly outcomes: readonly Outcome[];
  readonly problem?: string;
}

async function outcomesIn(
  task: BatchTask,
  checks: TaskChecks,
  patch: string,
  options: CheckOptions,
): Promise<Outcomes> {
  const copy = await cleanCopy(task, options.sources, options.container);
  try {
    const tests = checks.patch ?? '';
    const place = { root: copy.root, repository: await emptyRepository(copy.parent) };
    const isApplied = await applyPatchWithGit(place, patch, await pathsIn(place, tests));
    if (!isApplied) return { outcomes: [], problem: 'The patch that the run submitted does not apply to its folder.' };
    if (!(await applyPatchWithGit(place, tests, []))) {
      if (patch === '') throw new Error(`The test_patch of ${task.id} does not apply to its folder.`);
      // The tests fit the original folder, so the patch must be the cause.
      return { outcomes: [], problem: 'The tests of the task do not apply to the files that the run changed.' };
    }
    return { outcomes: await ranIn(copy.root, path.join(copy.parent, 'outputs'), checks, options) };
  } finally {
    await copy.remove();
  }
}

async function ranIn(
  root: string,
  outputFolder: string,
  checks: TaskChecks,
  { sandbox = 'auto', sandboxLimits = {}, timeoutMs, container, signal }: CheckOptions,
): Promise<Outcome[]> {
  const place = { cwd: root, folders: [root], wanted: sandbox, limits: sandboxLimits, outputFolder, container };
  return inCheckTerminal(place, async (terminal) => {
    const outcomes: Outcome[] = [];
    for (const { test } of testsOf(checks)) {
      const command = commandAlone(commandFor(test, checks.command));
      const { end, exitCode } = await terminal.run(command, { timeoutMs, tty: false, signal });
      signal.throwIfAborted();
      if (end !== 'exited') outcomes.push('timeout');
      else outcomes.push(exitCode === 0 ? 'pass' : 'fail');
    }
    return outcomes;
  });
}

const commandFor = (test: string, command: string | undefined): string =>
  command === undefined ? test : command.replaceAll('{test}', () => `'${test.replaceAll("'", `'\\''`)}'`);

/** Where patches are applied. */
interface PatchPlace {
  readonly root: string;
  /**
   * An empty repository, so that programs named by a repository in the copy, such as filters, are not defined and do
   * not run.
   */
  readonly repository: string;
}

async function emptyRepository(parent: string): Promise<string> {
  const repository = path.join(parent, 'apply.git');
  if ((await git(parent, ['init', '--quiet', '--bare', repository])) === undefined)
    throw new Error('The checks cannot start: git init failed.');
  return repository;
}

/** Without `--git-dir`, Git would use an enclosing repository and resolve the names in the patch relative to it. */
function gitApply({ root, repository }: PatchPlace, patch: string, options: string[]): Promise<Buffer | undefined> {
  const args = ['--git-dir', repository, '--work-tree', root, 'apply', '--allow-empty', ...options, '-'];
  return git(root, args, { input: patch.endsWith('\n') ? patch : `${patch}\n`, timeoutMs: applyTimeoutMs });
}

async function applyPatchWithGit(place: PatchPlace, patch: string, except: readonly string[]): Promise<boolean> {
  if (patch.trim() === '') return true;
  // `--exclude` takes patterns, so special characters are escaped.
  const leaveOut = except.map((name) => `--exclude=${name.replaceAll(/[\\*?[]/g, String.raw`\$&`)}`);
  return (await gitApply(place, patch, ['--whitespace=nowarn', ...leaveOut])) !== undefined;
}

/**
 * Lists the files that a test_patch changes, creates or removes. Renamed files are listed with their old and new names.
 * Throws an `Error` with a message for people if Git cannot read the patch.
 */
async function pathsIn(place: PatchPlace, patch: string): Promise<string[]> {
  if (patch.trim() === '') return [];
  const lists = await Promise.all([
    gitApply(place, patch, ['--numstat', '-z']),
    gitApply(place, patch, ['--numstat', '-z', '--reverse']),
  ]);
  const entries = lists.flatMap((text) => {
    if (text === undefined) throw new Error('The test_patch is not a patch that Git can read.');
    return text.toString('utf8').split('\0');
  });
  return [...new Set(entries.filter((entry) => entry !== '').map((entry) => entry.split('\t').slice(2).join('\t')))];
}
