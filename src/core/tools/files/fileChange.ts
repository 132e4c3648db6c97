import type { FileChange, Hunk } from '../../../protocol/events/details';
import { changedBlocks, type LineBlock } from '../../changes/lineChanges';
import type { FileSnapshot } from '../../ports/environment';
import { isRenumbered } from '../notebook/isRenumbered';

/** Lines of context around a change, and the most changed lines that a card is given. */
const context = 3;
export const mostChangedLines = 1000;
/** A text that does not end with "\n" has another last line than one that does, even where both read alike. */
const noFinalNewline = '\u0000';

/** The result for one file. `null` means no file. `version` is that of the text afterwards. */
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
    kind: before === null ? 'created' : after === null ? 'deleted' : 'modified',
    added: blocks.reduce((sum, { newFrom, newTo }) => sum + newTo - newFrom, 0),
    removed: blocks.reduce((sum, { oldFrom, oldTo }) => sum + oldTo - oldFrom, 0),
    hunks: hunksOf(blocks, old, now),
  };
  return version === undefined ? change : seenAs(change, version, before, after);
}

/**
 * The change with the version of the text afterwards: the model counts as having seen it, but not where it goes by
 * numbers of cells that are other ones now.
 */
export const seenAs = (change: FileChange, version: string, before: string | null, after: string | null): FileChange =>
  isRenumbered(change.path, before, after) ? change : { ...change, version };

/** One line for the model: "src/a.ts: +1 −1 (lines 12-12)". */
export function changeInWords({ path, from, kind, added, removed, hunks }: FileChange): string {
  if (from !== undefined) return `${from} is now ${path}`;
  if (kind === 'deleted') return `${path}: deleted`;
  if (kind === 'created') return `${path}: created, ${added} ${added === 1 ? 'line' : 'lines'}`;
  const places = hunks.slice(0, 8).map(placeOf).join(', ') + (hunks.length > 8 ? ', …' : '');
  return `${path}: +${added} −${removed} (lines ${places})`;
}

/** Notes about a change: whoever marked a file read-only may not have wanted it; a formatter may have changed more. */
export function notesOnWriting({ path, readOnly, wasFormatted }: FileSnapshot): string[] {
  const marked = `${path} is marked read-only. It was replaced all the same, and keeps the mark.`;
  const formatted = `On saving ${path}, the editor changed it further, as a formatter does. Read it before you quote it.`;
  return [...(readOnly ? [marked] : []), ...(wasFormatted ? [formatted] : [])];
}

function placeOf({ newStart, lines }: Hunk): string {
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
 * Blocks whose contexts touch share a hunk. Past the cap the rest is left out; `added` and `removed` still count it.
 */
function hunksOf(blocks: readonly LineBlock[], old: readonly string[], now: readonly string[]): Hunk[] {
  const groups: LineBlock[][] = [];
  for (const block of blocks) {
    const group = groups[groups.length - 1];
    const last = group?.[group.length - 1];
    if (group && last && block.oldFrom - last.oldTo <= 2 * context) group.push(block);
    else groups.push([block]);
  }
  const hunks: Hunk[] = [];
  let room = mostChangedLines;
  for (const group of groups) {
    if (room <= 0) break;
    const hunk = hunkOf(group, old, now, room);
    room -= hunk.lines.length;
    hunks.push(hunk);
  }
  return hunks;
}

function hunkOf(group: readonly LineBlock[], old: readonly string[], now: readonly string[], room: number): Hunk {
  const first = group[0]!;
  const last = group[group.length - 1]!;
  const lead = Math.min(context, first.oldFrom);
  const pieces = [old.slice(first.oldFrom - lead, first.oldFrom).map((line) => ` ${line}`)];
  let at = first.oldFrom;
  for (const block of group) {
    pieces.push(
      old.slice(at, block.oldFrom).map((line) => ` ${line}`),
      old.slice(block.oldFrom, block.oldTo).map((line) => `-${line}`),
      now.slice(block.newFrom, block.newTo).map((line) => `+${line}`),
    );
    at = block.oldTo;
  }
  pieces.push(old.slice(last.oldTo, last.oldTo + context).map((line) => ` ${line}`));
  const kept = pieces
    .flat()
    .slice(0, room)
    .map((line) => (line.endsWith(noFinalNewline) ? line.slice(0, -1) : line));
  const oldLines = kept.filter((line) => !line.startsWith('+')).length;
  const newLines = kept.filter((line) => !line.startsWith('-')).length;
  return {
    oldStart: first.oldFrom - lead + (oldLines ? 1 : 0),
    oldLines,
    newStart: first.newFrom - lead + (newLines ? 1 : 0),
    newLines,
    lines: kept,
  };
}
