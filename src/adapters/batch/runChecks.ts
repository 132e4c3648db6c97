import path from 'node:path';
import type { BatchTask, TaskChecks } from '../../core/batch/batchTask';
import { type CheckResult, verdictOf, type Verdict } from '../../core/batch/taskResult';
import type { ContainerSettings } from '../../core/ports/containerSettings';
import type { LimitsWanted } from '../sandbox/limits';
import type { SandboxWanted } from '../sandbox/sandbox';
import { git } from '../git/safeGit';
import { commandAlone, inCheckTerminal } from './checkTerminal';
import { cleanCopy, type TaskSources } from './taskPlace';

/** For one patch. Milliseconds. */
const patienceMs = 60_000;

export interface CheckOptions {
  readonly sources: TaskSources;
  readonly sandbox?: SandboxWanted | undefined;
  readonly sandboxLimits?: LimitsWanted | undefined;
  /** Of one check. */
  readonly timeoutMs: number;
  /** Where checks run, as the task itself did; on this machine when absent. */
  readonly container?: ContainerSettings | undefined;
  /** Aborted where nobody wants the verdict any more: then the running check ends at once. */
  readonly signal: AbortSignal;
}

type Outcome = CheckResult['before'];

/**
 * Finds out whether a patch solves a task: runs its checks in a copy without the patch, and in another one with
 * it. Both are made now, so that the agent could not touch them. Tests of the task replace what the patch did to
 * the same files. Throws an `Error` in words, or the reason of `signal`.
 */
export async function runChecks(task: BatchTask, patch: string, options: CheckOptions): Promise<Verdict> {
  const checks = task.checks!;
  const before = await outcomesIn(task, checks, '', options);
  const after = await outcomesIn(task, checks, patch, options);
  const results = testsOf(checks).map(({ test, kind }, index): CheckResult => {
    const without = before.outcomes[index] ?? 'fail';
    return { test, kind, before: without, after: after.outcomes[index] ?? 'fail' };
  });
  return verdictOf(results, after.problem);
}

const testsOf = ({
  failToPass,
  passToPass,
}: TaskChecks): { readonly test: string; readonly kind: CheckResult['kind'] }[] => [
  ...failToPass.map((test) => ({ test, kind: 'fail_to_pass' as const })),
  ...passToPass.map((test) => ({ test, kind: 'pass_to_pass' as const })),
];

interface Outcomes {
  /** Of each test; none where the patch could not be applied. */
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
    const isApplied = await applied(copy, patch, await pathsIn(copy, tests));
    if (!isApplied) return { outcomes: [], problem: 'What the run handed in is no patch that fits its folder.' };
    if (!(await applied(copy, tests, []))) {
      if (patch === '') throw new Error(`The test_patch of ${task.id} does not fit its folder.`);
      // It fits the folder without the work.
      return { outcomes: [], problem: 'The tests of the task do not fit what the run changed.' };
    }
    return { outcomes: await ranIn(copy.root, path.join(copy.beside, 'outputs'), checks, options) };
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
      outcomes.push(end !== 'exited' ? 'timeout' : exitCode === 0 ? 'pass' : 'fail');
    }
    return outcomes;
  });
}

const commandFor = (test: string, command: string | undefined): string =>
  command === undefined ? test : command.replaceAll('{test}', () => `'${test.replaceAll("'", `'\\''`)}'`);

/**
 * Applies a patch by an empty repository beside the copy: filters and other programs that a repository in the copy
 * names have no definition there, so that none of them runs.
 */
async function applied(
  { root, beside }: { readonly root: string; readonly beside: string },
  patch: string,
  except: readonly string[],
): Promise<boolean> {
  if (patch.trim() === '') return true;
  const own = path.join(beside, 'apply.git');
  if ((await git(beside, ['init', '--quiet', '--bare', own])) === undefined) return false;
  // Git takes what it leaves out as patterns.
  const leaveOut = except.map((name) => `--exclude=${name.replaceAll(/[\\*?[]/g, String.raw`\$&`)}`);
  const place = ['--git-dir', own, '--work-tree', root];
  const args = [...place, 'apply', '--whitespace=nowarn', '--allow-empty', ...leaveOut, '-'];
  return (await git(root, args, { input: ended(patch), timeoutMs: patienceMs })) !== undefined;
}

/** The files that a patch changes, makes or removes, also those that it renames: by their old and their new names. */
async function pathsIn({ beside }: { readonly beside: string }, patch: string): Promise<string[]> {
  if (patch.trim() === '') return [];
  const options = { input: ended(patch), timeoutMs: patienceMs };
  const told = await Promise.all([
    git(beside, ['apply', '--numstat', '-z', '-'], options),
    git(beside, ['apply', '--reverse', '--numstat', '-z', '-'], options),
  ]);
  const entries = told.flatMap((text) => text?.toString('utf8').split('\0') ?? []);
  return [...new Set(entries.filter((entry) => entry !== '').map((entry) => entry.split('\t').slice(2).join('\t')))];
}

const ended = (patch: string): string => (patch.endsWith('\n') ? patch : `${patch}\n`);
