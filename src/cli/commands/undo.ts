import path from 'node:path';
import { isSpecial } from '../../core/changes/snapshot';
import { openEventLog } from '../../adapters/log/eventLog';
import { RestoreConflict } from '../../adapters/checkpoints/restoreConflict';
import { sharedChanges, type SharedChanges } from '../../adapters/sessions/sharedChanges';
import { isLocked } from '../../adapters/storage/fileLock';
import { namesIn } from '../../adapters/storage/lenientReads';
import type { Undone } from '../../adapters/checkpoints/restoring/runChanges';
import type { UncoveredAction } from '../../adapters/checkpoints/restoring/runRecord';
import { wholeRun, type FileChanges } from '../../core/changes/changesOf';
import type { Move } from '../../core/changes/journalEntry';
import { lastingEffectsOf } from '../../core/changes/lastingEffects';
import {
  isLeft,
  type FileRestore,
  type UndoChoice,
  type UndoPlan,
  type UndoProblem,
} from '../../core/changes/undoPlan';
import { secrets } from '../../core/secrets/secrets';
import { isAttended, Questions } from '../consent/ask';
import { betweenLines, ledgerLines, openChanges, stepsScope, unrecordedWords, type OpenedChanges } from './changes';
import { commandFor } from '../run/continueCommand';
import { stdout } from '../output/output';
import type { ExitCode } from '../output/exitCodes';
import { printMasked, printMaskedToStderr } from '../output/masked';

/** Flags of `waymark undo`. `hunk`: names as "waymark changes --diff" prints them. */
export interface UndoOptions {
  /** Undo everything after this step; 0 undoes all steps. */
  readonly toStep?: number;
  readonly file?: readonly string[];
  readonly hunk?: readonly string[];
  readonly dryRun?: boolean;
  readonly json?: boolean;
  /** Undo as much as possible, even if not everything can be undone. */
  readonly agree?: boolean;
  /** Revert the latest undo. */
  readonly redo?: boolean;
}

/** Exit codes. */
const done = 0;
const exitNotDone = 1;
const needsConsent = 3;

/**
 * Undoes changes of a run. Resolves to the exit code: 0 done, 1 nothing changed, 3 consent needed.
 */
export async function undo(named: string, options: UndoOptions): Promise<ExitCode<'undo'>> {
  const opened = await openChanges(named);
  const { changes } = opened;
  const { toStep } = options;
  const shared =
    toStep === undefined || changes.record.isKept ? [] : sharedLines(sharedChanges(opened.log, toStep), toStep, opened);
  if (!changes.record.isKept || changes.record.cleaned) {
    const words = changes.record.cleaned
      ? 'This run cannot be undone. Its copies were cleaned up.'
      : [`Nothing can be undone. ${unrecordedWords(opened.own)}`, ...shared].join('\n');
    return report(opened, options, exitNotDone, { words });
  }
  if (changes.record.problems.length > 0 && !options.agree)
    return report(opened, options, exitNotDone, {
      words: `The record of the changes is damaged. Nothing was changed; --agree undoes what is still readable. ${changes.record.problems.join(' ')}`,
    });
  try {
    return options.redo ? await takeUndoBack(opened, options) : await undoChosen(opened, options);
  } catch (error) {
    if (error instanceof RestoreConflict) return report(opened, options, exitNotDone, { words: error.message });
    throw error;
  }
}

async function takeUndoBack(opened: OpenedChanges, options: UndoOptions): Promise<ExitCode<'undo'>> {
  const { changes } = opened;
  const undone = changes.record.lastUndone?.files ?? [];
  const namesOf = (files: typeof undone): string => files.map(({ path }) => opened.onOneLine(path)).join(', ');
  const special = undone.filter(({ before }) => isSpecial(before));
  const files = namesOf(undone.filter((file) => !special.includes(file)));
  const left = special.length === 0 ? '' : `\nNot created again: ${namesOf(special)} (named pipes, sockets or devices)`;
  if (undone.length === 0) return report(opened, options, exitNotDone, { words: 'There is nothing to redo.' });
  if (options.dryRun) return report(opened, options, done, { words: `Would be redone: ${files}${left}` });
  await changes.redo();
  return report(opened, options, done, { words: `Redone: ${files}${left}` });
}

async function undoChosen(opened: OpenedChanges, options: UndoOptions): Promise<ExitCode<'undo'>> {
  const { changes, steps, resolveNamed } = opened;
  const choice: UndoChoice = {
    ...(options.file && { files: options.file.map(resolveNamed) }),
    ...(options.hunk && { hunks: options.hunk }),
  };
  const scope = options.toStep === undefined ? wholeRun : stepsScope(steps, options.toStep + 1, Infinity);
  const files = await changes.changes(scope);
  const plan = changes.planOf(files, choice, scope);
  const ledger = lastingEffectsOf(opened.events, scope.includes);
  const preview = { plan, ledger };
  if (plan.unknown.length > 0)
    return report(opened, options, exitNotDone, {
      words: `No changes of this run wait for review under: ${plan.unknown.map(opened.onOneLine).join(', ')}.`,
      preview,
    });
  const standing = plan.problems.filter((each) => !isLeft(each));
  if (standing.length > 0)
    return report(opened, options, exitNotDone, { words: problemWords(standing, opened), preview });
  const isNamed = options.file !== undefined || options.hunk !== undefined;
  const uncovered = changes.record.uncovered.filter(
    (each) => scope.includes(each.action) && !(isNamed && isElsewhere(plan, each)),
  );
  const elsewhere = isNamed || options.toStep === undefined ? [] : sharedChanges(opened.log, options.toStep);
  const doubts = [...doubtsOf(plan, uncovered, opened), ...sharedLines(elsewhere, options.toStep, opened)];
  const foreign = isNamed ? [] : betweenLines(files.filter(isRestoredBy(plan)), opened);
  const doubted = new Set(uncovered.flatMap(({ files: some = [] }) => some));
  const caches = problemLines(plan, 'cache', opened);
  if (!options.json) showPlan(plan, opened, doubted, [...doubts, ...foreign, ...caches, ...ledgerLines(ledger)]);
  if (options.dryRun) return report(opened, options, done, { preview });
  const isPartial =
    elsewhere.length > 0 ||
    plan.problems.some(({ kind }) => kind !== 'cache') ||
    uncovered.some((each) => each.files === undefined || isElsewhere(plan, each));
  const { question, refusal } = isPartial ? askUncertain : askForeign;
  const isClear = doubts.length === 0 && foreign.length === 0;
  const isAgreed = isClear || options.agree || (isAttended() && (await new Questions().agrees(question)));
  if (!isAgreed) return report(opened, options, needsConsent, { words: refusal, preview });
  const undone = await changes.undo(choice, { scope, leaveUnkept: true });
  tellModel(undone, opened.log);
  const isAllKept = !isNamed && options.toStep === undefined && changes.record.keptHunks > 0;
  const why = isAllKept ? ': the remaining changes were kept or applied. --to-step 0 undoes these, too.' : '.';
  const words = undone.status === 'nothing' ? `There is nothing to undo${why}` : undefined;
  return report(opened, options, undone.status === 'refused' ? exitNotDone : done, { words, preview, undone });
}

/** Questions to ask if not everything can be undone, or if some changes may not be the agent's. */
const askUncertain = {
  question: 'Undo what can be undone?',
  refusal: 'Not all of this can be undone. Nothing was changed; --agree undoes what can be.',
};
const askForeign = {
  question: 'Undo these changes too?',
  refusal:
    "Some of these changes may be another program's or your own. Nothing was changed; --agree undoes them too, --file one by one.",
};

const isRestoredBy =
  ({ hunks }: UndoPlan) =>
  (file: FileChanges): boolean =>
    hunks.some((hunk) => file.hunks.includes(hunk));

/** Returns why less than everything will be undone, as a message. */
function doubtsOf(plan: UndoPlan, uncovered: readonly UncoveredAction[], opened: OpenedChanges): string[] {
  const { steps } = opened;
  return [
    ...problemLines(plan, 'no_copy', opened),
    ...uncovered.map(({ action, words }) => `Step ${steps.get(action)?.step ?? '?'}: ${words}`),
  ];
}

const sharedLines = (
  shared: readonly SharedChanges[],
  step: number | undefined,
  { onOneLine }: OpenedChanges,
): string[] =>
  shared.map(({ log, files, state }) =>
    state === 'missing'
      ? `What the steps of the session changed from which this one was forked is not known: its log ${log} is missing or was changed.`
      : `Steps of another session, from which this one was forked, changed ${files.map(onOneLine).join(', ')}. To undo them: ${commandFor(log, 'undo')} --to-step ${step}`,
  );

const problemLines = ({ problems }: UndoPlan, wanted: UndoProblem['kind'], { onOneLine }: OpenedChanges): string[] =>
  problems.filter(({ kind }) => kind === wanted).map(({ path, words }) => `${onOneLine(path)}: ${words}`);

/** Returns whether a doubt is only about files that the plan does not touch. */
const isElsewhere = ({ restores }: UndoPlan, { files }: UncoveredAction): boolean =>
  files !== undefined && !restores.some(({ path }) => files.includes(path));

function problemWords(problems: readonly UndoProblem[], { onOneLine }: OpenedChanges): string {
  const lines = problems.map(
    ({ path, hunk, words }) => `   ${onOneLine(path)}${hunk === undefined ? '' : ` ${hunk}`}: ${words}`,
  );
  const others = 'Other changes can be undone with --file or --hunk; "waymark changes --diff" names them.';
  return ['Nothing was changed:', ...lines, others].join('\n');
}

function showPlan(
  { restores, moves }: UndoPlan,
  { onOneLine }: OpenedChanges,
  doubted: ReadonlySet<string>,
  notes: readonly string[],
): void {
  const stay = foldersThatStay(restores, moves);
  for (const restore of restores) {
    const kept = stay.has(restore.path) ? ' (contains other files)' : '';
    const doubt = doubted.has(restore.path) ? " (may not be the agent's)" : '';
    printMasked(`${restoreVerb(restore, stay)}  ${onOneLine(restore.path)}${kept}${doubt}`);
  }
  for (const { from, to } of moves) printMasked(`move     ${onOneLine(to)} (from ${onOneLine(from)})`);
  for (const line of notes) printMasked(line);
}

function restoreVerb({ path, before, after }: FileRestore, stay: ReadonlySet<string>): string {
  if (stay.has(path)) return 'keep   ';
  if (after.state === null) return 'delete ';
  return before.state === null ? 'create ' : 'restore';
}

/** Returns the folders of the run that an undo cannot delete, because others put something into them. */
function foldersThatStay(restores: readonly FileRestore[], moves: readonly Move[]): ReadonlySet<string> {
  const deleted = restores.filter(({ after }) => after.state === null).map((each) => each.path);
  const gone = new Set([...deleted, ...moves.map(({ from }) => from)]);
  const folders = restores.filter(({ path, before }) => gone.has(path) && before.state?.kind === 'folder');
  const stay = new Set<string>();
  // The deepest first: a folder stays if one in it does.
  for (const { path: folder } of folders.toSorted((a, b) => b.path.length - a.path.length))
    if (namesIn(folder).some((name) => !gone.has(path.join(folder, name)) || stay.has(path.join(folder, name))))
      stay.add(folder);
  return stay;
}

/**
 * Adds a message for the model to the next request of the run. If another process has the log open, that process does
 * it.
 */
function tellModel(undone: Undone, log: string): void {
  if (undone.status !== 'done') return;
  const { events, store, problem } = openEventLog(log);
  if (!store) {
    const whoTellsModel = isLocked(`${log}.lock`)
      ? 'A window with this session open tells the model; a run in a terminal does not.'
      : `The model will not be told. ${problem}`;
    printMaskedToStderr(`The changes are undone. ${whoTellsModel}`);
    return;
  }
  store.append(
    { type: 'feedback', cause: 'changes_undone', text: undone.words, seq: events.length, at: Date.now() },
    () => undefined,
  );
  void store.close();
}

interface Preview {
  readonly plan: UndoPlan;
  readonly ledger: ReturnType<typeof lastingEffectsOf>;
}

/** Prints the result, and returns the exit code. */
function report(
  { displayPath }: OpenedChanges,
  { json, dryRun }: UndoOptions,
  code: ExitCode<'undo'>,
  {
    words,
    preview,
    undone,
  }: {
    readonly words?: string | undefined;
    readonly preview?: Preview | undefined;
    readonly undone?: Undone | undefined;
  } = {},
): ExitCode<'undo'> {
  if (!json) {
    if (words !== undefined) (code === done ? printMasked : printMaskedToStderr)(words);
    return code;
  }
  const { restores = [], moves = [] } = preview?.plan ?? {};
  const stay = foldersThatStay(restores, moves);
  const statusOfDone = dryRun ? 'preview' : 'done';
  const statusOfOther = code === needsConsent ? 'needs_consent' : 'refused';
  const status = code === done ? statusOfDone : statusOfOther;
  const result = {
    status,
    ...(words !== undefined && { words }),
    ...(undone?.status === 'done' && { id: undone.id }),
    files: [
      ...restores.map((restore) => ({ path: displayPath(restore.path), does: restoreVerb(restore, stay).trim() })),
      ...moves.map(({ from, to }) => ({ path: displayPath(to), does: 'move', from: displayPath(from) })),
    ],
    hunks: (preview?.plan.hunks ?? []).map(({ id, path }) => ({ id, path: displayPath(path) })),
    problems: (preview?.plan.problems ?? []).map((problem) => ({ ...problem, path: displayPath(problem.path) })),
    ledger: preview?.ledger ?? [],
  };
  stdout.write(`${secrets.mask(JSON.stringify(result))}\n`);
  return code;
}
