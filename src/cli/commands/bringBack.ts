import fs from 'node:fs';
import { RestoreConflict } from '../../adapters/checkpoints/restoreConflict';
import { checkpointStore } from '../../adapters/checkpoints/checkpointStore';
import { journalOf, readJournal } from '../../adapters/checkpoints/journal';
import { BringBack } from '../../adapters/sessions/bringBack';
import { worktreeAt } from '../../adapters/sessions/worktrees';
import type { BringPlan } from '../../core/changes/bringPlan';
import type { FileRestore, UndoChoice } from '../../core/changes/undoPlan';
import { secrets } from '../../core/secrets/secrets';
import { stdout } from '../output/output';
import { checkpointFolder } from '../run/workplace';
import { openChanges, type OpenedChanges } from './changes';
import type { ExitCode } from '../output/exitCodes';
import { printMasked, printMaskedToStderr } from '../output/masked';

/** Flags of `waymark bring-back`. `hunk`: names as "waymark changes --diff" prints them. */
export interface BringBackOptions {
  readonly file?: readonly string[];
  readonly hunk?: readonly string[];
  readonly dryRun?: boolean;
  readonly undo?: boolean;
  readonly json?: boolean;
}

const done = 0;
const exitNotDone = 1;

/** Brings changes of a run from its worktree back to its workspace. Resolves to the exit code. */
export async function bringBack(named: string, options: BringBackOptions): Promise<ExitCode<'bring-back'>> {
  const opened = await openChanges(named);
  const began = opened.events.find((event) => event.type === 'task_started');
  if (!began?.worktree)
    return report(options, exitNotDone, 'This run worked in the folder itself, so there is nothing to bring back.');
  const { worktree, cwd } = began;
  // A modified log could name any folder. The record of the worktree itself is out of the agent's reach.
  if (!opened.vouched && worktreeAt(cwd)?.of !== worktree.of)
    return report(
      options,
      exitNotDone,
      `This machine cannot verify this log, so it is not certain that its changes belong to the folder ${worktree.of}. Nothing was changed.`,
    );
  if (!fs.existsSync(worktree.of))
    return report(options, exitNotDone, `${worktree.of}, the folder of the worktree, no longer exists.`);
  if (!opened.changes.record.isKept || opened.changes.record.cleaned) {
    const why = opened.changes.record.cleaned ? 'Its copies were cleaned up.' : 'No checkpoints were made for it.';
    return report(
      options,
      exitNotDone,
      `Waymark does not know the changes of this run. ${why} Its files are in ${cwd}.`,
    );
  }
  const journal = readJournal(journalOf(opened.log)).entries.find((entry) => entry.type === 'opened');
  const store = checkpointStore(journal?.type === 'opened' ? journal.store : checkpointFolder());
  const bring = new BringBack({ log: opened.log, root: cwd, worktree, store });
  try {
    return options.undo ? await takeBack(bring, opened, options) : await bringChosen(bring, opened, options);
  } catch (error) {
    if (error instanceof RestoreConflict) return report(options, exitNotDone, error.message);
    throw error;
  }
}

async function bringChosen(
  bring: BringBack,
  opened: OpenedChanges,
  options: BringBackOptions,
): Promise<ExitCode<'bring-back'>> {
  const choice: UndoChoice = {
    ...(options.file && { files: options.file.map(opened.resolveNamed) }),
    ...(options.hunk && { hunks: options.hunk }),
  };
  if (options.dryRun) {
    const plan = await bring.preview(choice);
    return report(options, problemWords(plan, opened) ? exitNotDone : done, problemWords(plan, opened), plan);
  }
  const { status, plan } = await bring.bring(choice);
  if (status === 'refused') return report(options, exitNotDone, problemWords(plan, opened), plan);
  return report(options, done, status === 'nothing' ? 'There is nothing to bring back.' : undefined, plan);
}

async function takeBack(
  bring: BringBack,
  opened: OpenedChanges,
  options: BringBackOptions,
): Promise<ExitCode<'bring-back'>> {
  const undone = await bring.takeBack();
  if (undone.status === 'nothing') return report(options, exitNotDone, 'There is no bring-back to undo.');
  if (undone.status === 'done') return report(options, done, 'The last bring-back was undone.');
  const lines = undone.problems.map(({ path, words }) => `   ${opened.onOneLine(path)}: ${words}`);
  return report(options, exitNotDone, ['Nothing was changed:', ...lines].join('\n'));
}

/** Returns undefined if everything can be brought back. */
function problemWords({ problems, unknown }: BringPlan, { onOneLine }: OpenedChanges): string | undefined {
  if (unknown.length > 0)
    return `No changes of this run wait to be brought back under: ${unknown.map(onOneLine).join(', ')}.`;
  if (problems.length === 0) return undefined;
  const lines = problems.map(({ path, words }) => `   ${onOneLine(path)}: ${words}`);
  return ['Nothing was changed:', ...lines].join('\n');
}

function verbOf({ before, after }: FileRestore): string {
  if (after.state === null) return 'delete';
  return before.state === null ? 'create' : 'change';
}

/** Prints the result, and returns the exit code. */
function report(
  { json, dryRun }: BringBackOptions,
  code: ExitCode<'bring-back'>,
  words?: string,
  plan?: BringPlan,
): ExitCode<'bring-back'> {
  if (json) {
    const statusOfDone = dryRun ? 'preview' : 'done';
    const status = code === done ? statusOfDone : 'refused';
    const result = {
      status,
      ...(words !== undefined && { words }),
      files: (plan?.restores ?? []).map((file) => ({ path: file.path, does: verbOf(file) })),
      hunks: (plan?.hunks ?? []).map(({ id, path }) => ({ id, path })),
      problems: plan?.problems ?? [],
    };
    stdout.write(`${secrets.mask(JSON.stringify(result))}\n`);
    return code;
  }
  if (code !== done) {
    printMaskedToStderr(words ?? '');
    return code;
  }
  const lines = (plan?.restores ?? []).map((file) => `${verbOf(file)}  ${file.path}`);
  for (const each of [...lines, ...(words === undefined ? [] : [words])]) printMasked(each);
  return code;
}
