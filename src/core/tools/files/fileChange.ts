import type { FileChange, Hunk } from '../../../protocol/events/details';
import { changedBlocks, type LineBlock } from '../../changes/lineChanges';
import type { FileSnapshot } from '../../ports/files';
import { readNotebook } from '../notebook/notebookCells';

/** Number of unchanged lines shown before and after a change. */
const contextLines = 3;
/** Maximum number of lines of all hunks of a file. */
export const maxChangedLines = 1000;
/** Marks the last line of a text without a final "\n", so that it differs from the same line with one. */
const noFinalNewline = '\u0000';

/** Returns the result for one file. `null` means that the file does not exist. `version` is that of the new text. */
export async function fileChange(
  path: string,
  before: string | null,
  after: string | null,
  version?: string,
): Promise<FileChange> {
  const old = markedLines(before ?? '');
  const now = markedLines(after ?? '');
  const blocks = await changedBlocks(old, now);
  const change: FileChange = {
    path,
    kind: kindOf(before, after),
    added: blocks.reduce((sum, { newFrom, newTo }) => sum + newTo - newFrom, 0),
    removed: blocks.reduce((sum, { oldFrom, oldTo }) => sum + oldTo - oldFrom, 0),
    hunks: hunksOf(blocks, old, now),
  };
  return version === undefined ? change : withSeenVersion(change, version, before, after);
}

function kindOf(before: string | null, after: string | null): FileChange['kind'] {
  if (before === null) return 'created';
  return after === null ? 'deleted' : 'modified';
}

/**
 * Adds the version of the new text, so that the model counts as having seen it. Omitted if notebook cells were
 * renumbered, because the model's cell numbers are then outdated.
 */
export const withSeenVersion = (
  change: FileChange,
  version: string,
  before: string | null,
  after: string | null,
): FileChange => (isRenumbered(change.path, before, after) ? change : { ...change, version });

/**
 * True if a change renumbered the cells of a notebook, so that cell numbers that the model read are outdated. False for
 * any other file.
 */
function isRenumbered(path: string, before: string | null, after: string | null): boolean {
  if (!path.endsWith('.ipynb') || before === null || after === null) return false;
  const [old, now] = [sourcesIn(before), sourcesIn(after)];
  // A text that is not a notebook before or after has no cell numbers.
  if (!old || !now || old.length !== now.length) return true;
  const sourcesNow = new Set(now);
  return old.some((source, index) => source !== now[index] && sourcesNow.has(source));
}

const sourcesIn = (text: string): string[] | undefined => readNotebook(text)?.cells.map(({ source }) => source);

/** Formats a change as one line for the model: "src/a.ts: +1 −1 (lines 12-12)". */
export function changeInWords({ path, from, kind, added, removed, hunks }: FileChange): string {
  if (from !== undefined) return `${from} is now ${path}`;
  if (kind === 'deleted') return `${path}: deleted`;
  if (kind === 'created') return `${path}: created, ${added} ${added === 1 ? 'line' : 'lines'}`;
  const places = hunks.slice(0, 8).map(describeHunk).join(', ') + (hunks.length > 8 ? ', …' : '');
  return `${path}: +${added} −${removed} (lines ${places})`;
}

/** Notes about a change: the file was read-only, or a formatter may have changed more. */
export function notesOnWriting({ path, readOnly, wasFormatted }: FileSnapshot): string[] {
  const replaced = `${path} is read-only. It was replaced anyway and stays read-only.`;
  const formatted = `The editor changed ${path} further on saving, as a formatter does. Read it before you quote it.`;
  return [...(readOnly ? [replaced] : []), ...(wasFormatted ? [formatted] : [])];
}

function describeHunk({ newStart, lines }: Hunk): string {
  const first = lines.findIndex((line) => !line.startsWith(' '));
  const afterwards = lines.filter((line, index) => index >= first && !line.startsWith('-'));
  const tail = [...lines].reverse().findIndex((line) => !line.startsWith(' '));
  const from = newStart + first;
  return `${from}-${Math.max(from, from + afterwards.length - tail - 1)}`;
}

function markedLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines[lines.length - 1] === '') lines.pop();
  else lines.push(lines.pop()! + noFinalNewline);
  return lines;
}

/**
 * Groups blocks into hunks; blocks with touching contexts share one. Lines beyond the limit are omitted, but `added`
 * and `removed` still count them.
 */
function hunksOf(blocks: readonly LineBlock[], old: readonly string[], now: readonly string[]): Hunk[] {
  const groups: LineBlock[][] = [];
  for (const block of blocks) {
    const group = groups[groups.length - 1];
    const last = group?.[group.length - 1];
    if (group && last && block.oldFrom - last.oldTo <= 2 * contextLines) group.push(block);
    else groups.push([block]);
  }
  const hunks: Hunk[] = [];
  let room = maxChangedLines;
  for (const group of groups) {
    if (room <= 0) break;
    const hunk = hunkOf(group, old, now, room);
    room -= hunk.lines.length;
    hunks.push(hunk);
  }
  return hunks;
}

/** Writes neighboring blocks as one hunk, with at most `room` lines. */
function hunkOf(group: readonly LineBlock[], old: readonly string[], now: readonly string[], room: number): Hunk {
  const first = group[0]!;
  const last = group[group.length - 1]!;
  const lead = Math.min(contextLines, first.oldFrom);
  const pieces = [old.slice(first.oldFrom - lead, first.oldFrom).map((line) => ` ${line}`)];
  let writtenTo = first.oldFrom;
  for (const block of group) {
    pieces.push(
      old.slice(writtenTo, block.oldFrom).map((line) => ` ${line}`),
      old.slice(block.oldFrom, block.oldTo).map((line) => `-${line}`),
      now.slice(block.newFrom, block.newTo).map((line) => `+${line}`),
    );
    writtenTo = block.oldTo;
  }
  pieces.push(old.slice(last.oldTo, last.oldTo + contextLines).map((line) => ` ${line}`));
  const shown = pieces
    .flat()
    .slice(0, room)
    .map((line) => (line.endsWith(noFinalNewline) ? line.slice(0, -1) : line));
  const oldLines = shown.filter((line) => !line.startsWith('+')).length;
  const newLines = shown.filter((line) => !line.startsWith('-')).length;
  return {
    oldStart: first.oldFrom - lead + (oldLines ? 1 : 0),
    oldLines,
    newStart: first.newFrom - lead + (newLines ? 1 : 0),
    newLines,
    lines: shown,
  };
}
