import fs from 'node:fs';
import path from 'node:path';
import { checkpointStore, type CheckpointStore } from '../../adapters/checkpoints/checkpointStore';
import { HeldEdits, writingWith, type WriteAs } from '../../adapters/checkpoints/heldEdits/heldEdits';
import { heldEditsOf } from '../../adapters/checkpoints/heldEdits/heldEditsFile';
import { readJournal, journalOf } from '../../adapters/checkpoints/journal';
import { RunChanges } from '../../adapters/checkpoints/restoring/runChanges';
import { SessionCheckpoints } from '../../adapters/checkpoints/recording/sessionCheckpoints';
import { readHeader } from '../../adapters/log/eventLog';
import { sharedChanges } from '../../adapters/sessions/sharedChanges';
import { diskFiles } from '../../adapters/files/diskFiles';
import { createWorkspacePaths } from '../../adapters/files/workspacePaths';
import { betweenWords, shownChanges, wholeRun, type ChangeScope, type FileChanges } from '../../core/changes/changesOf';
import type { ReviewedHunk } from '../../core/changes/fileReview';
import { lastingEffectLines, lastingEffectsOf, type LastingEffect } from '../../core/changes/lastingEffects';
import { stepsOfActions, type ActionPlace } from '../../core/changes/stepsOfActions';
import type { History } from '../../core/log/projection';
import type { Action } from '../../protocol/events/event';
import { mayChangeFiles } from '../../protocol/plain/mayChangeFiles';
import { shownName } from '../../core/text/shownName';
import { secrets } from '../../core/secrets/secrets';
import { openRun } from './openRun';
import { stdout } from '../output/output';
import { commandFor } from '../run/continueCommand';
import { checkpointFolder } from '../run/workplace';
import type { ExitCode } from '../output/exitCodes';
import { escapeForTerminal } from '../output/escapeForTerminal';
import { paintFor, type StyledLine } from '../output/paint';
import { printMaskedToStderr } from '../output/masked';
import { withSlashes } from '../../adapters/storage/diskPaths';

/** Flags of `waymark changes`. */
export interface ChangesOptions {
  readonly json?: boolean;
  /** The first and the last step, from 1. */
  readonly from?: number;
  readonly to?: number;
  readonly diff?: boolean;
}

/** A run with the changes from its journal. */
export interface OpenedChanges {
  readonly changes: RunChanges;
  /** Edits that are pending review. */
  readonly heldEdits: HeldEdits | undefined;
  readonly events: History;
  /** The events of this session itself, without those that a fork shares with another one. */
  readonly own: History;
  /** True if this machine wrote the log and it is unchanged. */
  readonly vouched: boolean;
  readonly steps: ReadonlyMap<string, ActionPlace>;
  readonly log: string;
  /** Returns the display form of a path: relative to the folder of the run. */
  displayPath(absolute: string): string;
  /** Returns the display form on one line, whatever characters the name contains. */
  onOneLine(absolute: string): string;
  /** Resolves a path that the user named. */
  resolveNamed(spelled: string): string;
}

/** Opens the changes of a run. Throws an `Error` with a message for people if none were recorded. */
export async function openChanges(named: string): Promise<OpenedChanges> {
  const { events, place, vouched, problems } = await openRun(named);
  for (const { where, words } of problems) printMaskedToStderr(`${where}: ${words}`);
  const cwd = events.find((event) => event.type === 'task_started')?.cwd ?? process.cwd();
  const opened = readJournal(journalOf(place)).entries.find((entry) => entry.type === 'opened');
  const shown = (absolute: string): string => {
    const relative = path.relative(cwd, absolute);
    const isOutside = relative.startsWith('..') || path.isAbsolute(relative);
    return isOutside ? absolute : withSlashes(relative);
  };
  const store = checkpointStore(opened?.type === 'opened' ? opened.store : checkpointFolder());
  const changes = new RunChanges(place, store, shown);
  for (const words of [...(await changes.refresh()), ...changes.record.problems]) printMaskedToStderr(words);
  const heldEdits = heldEditsIn(place, [cwd, ...(opened?.type === 'opened' ? opened.folders : [])], store);
  if (heldEdits?.problem !== undefined) printMaskedToStderr(heldEdits.problem);
  return {
    changes,
    heldEdits,
    events,
    own: events.filter(({ seq }) => seq > (readHeader(place)?.parent?.seq ?? -1)),
    vouched,
    log: place,
    displayPath: shown,
    onOneLine: (absolute) => shownName(shown(absolute)),
    steps: stepsOfActions(events),
    resolveNamed: (each) => path.resolve(cwd, each),
  };
}

/** Returns the held edits of a run, or undefined if there are none. */
function heldEditsIn(log: string, named: readonly string[], store: CheckpointStore): HeldEdits | undefined {
  if (!fs.existsSync(heldEditsOf(log))) return undefined;
  const folders = [...new Set(named)];
  const paths = createWorkspacePaths(folders);
  const files = diskFiles({ folders });
  const writeAs: WriteAs = async (action, written, work) => {
    const resolve = (spelled: string): string => paths.resolve(spelled, 'write').absolute;
    const checkpoints = new SessionCheckpoints({ log, folders, store, resolve, onNotice: printMaskedToStderr });
    try {
      await writingWith(checkpoints, () => files)(action, written, work);
    } finally {
      await checkpoints.dispose();
    }
  };
  return new HeldEdits({ log, paths, files, writeAs, isOn: () => false });
}

/** The requested steps, from 1. Changes after the last one count as made by somebody else. */
export function stepsScope(steps: OpenedChanges['steps'], from: number, to: number): ChangeScope {
  const includes = (action: string): boolean => {
    // An action that is not in the log came after all others: the end of the log was lost.
    const step = steps.get(action)?.step ?? Infinity;
    return step >= from && step <= to;
  };
  return { includes, respectsKept: false, untilNow: to === Infinity };
}

/** Prints what a run changed. Resolves to the exit code. */
export async function changes(named: string, { json, from, to, diff }: ChangesOptions): Promise<ExitCode<'changes'>> {
  const opened = await openChanges(named);
  const isPart = from !== undefined || to !== undefined;
  const scope = isPart ? stepsScope(opened.steps, from ?? 1, to ?? Infinity) : wholeRun;
  const isCounted = (action: string): boolean => (opened.steps.get(action)?.step ?? Infinity) <= (to ?? Infinity);
  const found = to === undefined ? opened.changes.changes(scope) : opened.changes.changesUntil(isCounted, scope);
  const held = isPart ? [] : shownChanges((await opened.heldEdits?.changes()) ?? []);
  const files = shownChanges(await found);
  const ledger = lastingEffectsOf(opened.events, scope.includes);
  if (json) {
    stdout.write(`${secrets.mask(JSON.stringify(changesAsJson(files, held, ledger, opened)))}\n`);
    return 0;
  }
  const lines = [
    ...heldLines(held, opened, diff ?? false),
    ...(files.length > 0 || held.length === 0 ? formatChanges(files, opened, diff ?? false) : []),
    ...betweenLines(files, opened),
    ...uncoveredLines(opened),
    ...ledgerLines(ledger),
    ...(isPart ? [] : sharedLines(opened)),
    ...(isPart ? [] : ['', copiesLine(opened.changes.copiesBytes)]),
  ];
  const paint = paintFor(stdout);
  const formatted = (line: string | StyledLine): string =>
    typeof line === 'string' ? escapeForTerminal(secrets.mask(line)) : paint(line.style, secrets.mask(line.text));
  stdout.write(lines.map((line) => `${formatted(line)}\n`).join(''));
  return 0;
}

const kindMarks: Record<FileChanges['kind'], string> = {
  created: 'A',
  modified: 'M',
  deleted: 'D',
  renamed: 'R',
  mode: 'M',
};

/** One line for a file: "M  src/a.ts  +3 −1  (2 hunks, steps 3, 5)". */
function fileLine(file: FileChanges, opened: Pick<OpenedChanges, 'onOneLine' | 'steps'>): string {
  const { onOneLine, steps: places } = opened;
  const name = file.from === undefined ? onOneLine(file.path) : `${onOneLine(file.from)} → ${onOneLine(file.path)}`;
  const numbers = [...new Set(file.actions.flatMap((action) => places.get(action)?.step ?? []))];
  const counts = file.isText ? `  +${file.added} −${file.removed}` : '';
  const steps = numbers.length === 0 ? '' : `, ${numbers.length === 1 ? 'step' : 'steps'} ${numbers.join(', ')}`;
  const where = `${steps}${file.isBetween ? ', between steps' : ''}`;
  const hunks = `${file.hunks.length} ${file.hunks.length === 1 ? 'hunk' : 'hunks'}`;
  const folder = file.isFolder ? '/' : '';
  const note = file.missing === undefined ? '' : '  no copy kept';
  return `${kindMarks[file.kind]}  ${name}${folder}${counts}  (${hunks}${where})${note}`;
}

/** The lines for edits that are pending review. */
function heldLines(held: readonly FileChanges[], opened: OpenedChanges, withDiff: boolean): (string | StyledLine)[] {
  if (held.length === 0) return [];
  const files = held.flatMap((file) => [fileLine(file, opened), ...(withDiff ? file.hunks.flatMap(hunkLines) : [])]);
  return ['Held back, not applied yet ("waymark apply" applies or discards them):', ...files, ''];
}

function formatChanges(
  files: readonly FileChanges[],
  opened: OpenedChanges,
  withDiff: boolean,
): (string | StyledLine)[] {
  if (!opened.changes.record.isKept) return [unrecordedWords(opened.own)];
  if (opened.changes.record.cleaned)
    return ['The copies of this run were cleaned up, so its changes cannot be shown or undone.'];
  if (files.length === 0 && opened.changes.record.keptHunks > 0)
    return ['Nothing to review: the remaining changes of this run were kept.'];
  if (files.length === 0 && opened.changes.record.uncovered.length > 0)
    return ['Nothing to review is recorded, but not all changes are known:'];
  if (files.length === 0) return ['Nothing to review: the files are as they would be without this run.'];
  return files.flatMap((file) => [fileLine(file, opened), ...(withDiff ? file.hunks.flatMap(hunkLines) : [])]);
}

/** Says where a fork's changes of shared steps are. */
const sharedLines = ({ log }: OpenedChanges): string[] =>
  sharedChanges(log, 0).map((shared) =>
    shared.state === 'missing'
      ? `Earlier steps belong to another session, whose log ${shared.log} is missing or was changed. Their changes are not known.`
      : `Earlier steps belong to another session. See their changes: ${commandFor(shared.log, 'changes')}`,
  );

/** Says why no changes of a run are recorded. */
export function unrecordedWords(events: History): string {
  const begun = new Set(events.flatMap((event) => (event.type === 'action_started' ? [event.actionId] : [])));
  const mayHaveChanged = ({ id, effect }: Action): boolean => begun.has(id) && mayChangeFiles(effect);
  const isKnown = !events.some((event) => event.type === 'agent_response' && event.actions.some(mayHaveChanged));
  return isKnown
    ? 'No step of this run that can change files has run.'
    : 'No changes of this run are recorded: its commands only read, or no checkpoints were made for it.';
}

/** A hunk with its id, in unified diff notation. */
function hunkLines({ id, kind, block, removed, added, isContested }: ReviewedHunk): StyledLine[] {
  const place = `-${block.oldFrom + 1},${block.oldTo - block.oldFrom} +${block.newFrom + 1},${block.newTo - block.newFrom}`;
  const note = isContested ? '  changed since' : '';
  const words = kind === 'lines' ? `@@ ${place} @@` : `@@ ${kind} @@`;
  // Carriage returns are shown only if the change is about them.
  const isCrlf = areCrlf(removed) && areCrlf(added);
  const shown = (line: string): string => (isCrlf ? line.replace(/\r$/, '') : line);
  return [
    { style: 'cyan', text: `   ${words} ${id}${note}` },
    ...removed.map((line): StyledLine => ({ style: 'red', text: `   -${shown(line)}` })),
    ...added.map((line): StyledLine => ({ style: 'green', text: `   +${shown(line)}` })),
  ];
}

/** True if each line ends with a carriage return; the last one of a file may lack it. */
const areCrlf = (lines: readonly string[]): boolean =>
  lines.every((line, index) => line.endsWith('\r') || (index > 0 && index === lines.length - 1));

/** Lists files that changed between steps, and who may have changed them. */
export function betweenLines(files: readonly FileChanges[], { onOneLine }: Pick<OpenedChanges, 'onOneLine'>): string[] {
  const names = files.filter(({ isBetween }) => isBetween).map(({ path: file }) => onOneLine(file));
  return names.length === 0 ? [] : [`${betweenWords}: ${names.join(', ')}`];
}

function uncoveredLines({ changes: { record }, steps }: OpenedChanges): string[] {
  return record.uncovered.map(({ action, words }) => `Step ${steps.get(action)?.step ?? '?'}: ${words}`);
}

/** Returns lines about effects that undoing files does not undo; none if there are no such effects. */
export function ledgerLines(ledger: readonly LastingEffect[]): string[] {
  if (ledger.length === 0) return [];
  return ['', 'Undoing files does not undo:', ...lastingEffectLines(ledger).map((line) => `   ${line}`)];
}

/** The size of the copies for undo, of all runs on this machine. */
const copiesLine = (bytes: number): string =>
  `Copies for undo use ${(bytes / megabyte).toFixed(1)} MB on this machine, for all runs together.`;

const megabyte = 1024 * 1024;

/** The output of `--json`. */
function changesAsJson(
  files: readonly FileChanges[],
  held: readonly FileChanges[],
  ledger: readonly LastingEffect[],
  opened: OpenedChanges,
) {
  const { steps, displayPath, changes: run } = opened;
  const stepsOf = (actions: readonly string[]) =>
    actions.map((action) => {
      const place = steps.get(action);
      return { action, step: place?.step ?? null, summary: place?.summary ?? '', reason: place?.reason ?? '' };
    });
  const fileAsJson = (file: FileChanges) => ({
    path: displayPath(file.path),
    ...(file.from !== undefined && { from: displayPath(file.from) }),
    kind: file.kind,
    folder: file.isFolder,
    text: file.isText,
    added: file.added,
    removed: file.removed,
    between_steps: file.isBetween,
    steps: stepsOf(file.actions),
    ...(file.missing !== undefined && { missing: file.missing }),
    hunks: file.hunks.map((hunk) => ({
      id: hunk.id,
      kind: hunk.kind,
      oldStart: hunk.block.oldFrom + 1,
      newStart: hunk.block.newFrom + 1,
      removed: hunk.removed,
      added: hunk.added,
      between_steps: hunk.isBetween,
      state: hunk.isContested ? 'changed_since' : 'pending',
      steps: stepsOf(hunk.actions),
    })),
  });
  return {
    kept: run.record.isKept,
    cleaned: run.record.cleaned,
    copies_bytes: run.copiesBytes,
    files: files.map(fileAsJson),
    held_back: held.map(fileAsJson),
    kept_hunks: run.record.keptHunks,
    undone: run.record.undone.map(({ id, files: undoneFiles }) => ({
      id,
      files: undoneFiles.map((each) => displayPath(each.path)),
    })),
    uncovered: run.record.uncovered.map(({ action, words }) => ({
      action,
      step: steps.get(action)?.step ?? null,
      words,
    })),
    ledger,
  };
}
