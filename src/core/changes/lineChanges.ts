/** Texts as lines, and where they differ. A line keeps its own ending, so that no byte is lost. */

/** Lines [oldFrom, oldTo) became [newFrom, newTo); counted from 0. */
export interface LineBlock {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** The lines of a text with their endings; the last one has none where the text does not end with a line break. */
export function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end + 1;
    lines.push(text.slice(from, to));
    from = to;
  }
  return lines;
}

/**
 * Texts with more lines removed and added than this are one block. Comparing takes time in proportion to its square.
 */
const mostEdits = 1500;

/** Where two texts differ, in order. Texts that differ nearly everywhere give one block for all of it. */
export async function changedBlocks(old: readonly string[], now: readonly string[]): Promise<LineBlock[]> {
  const shortest = Math.min(old.length, now.length);
  let start = 0;
  while (start < shortest && old[start] === now[start]) start++;
  let tail = 0;
  while (tail < shortest - start && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const whole: LineBlock = { oldFrom: start, oldTo: old.length - tail, newFrom: start, newTo: now.length - tail };
  const removed = whole.oldTo - whole.oldFrom;
  const added = whole.newTo - whole.newFrom;
  if (removed === 0 && added === 0) return [];
  if (removed === 0 || added === 0) return [whole];
  const { diffArrays } = await import('diff');
  // Bounded by work and not by a clock: the same texts give the same blocks on a busy
  // machine, since hunks are named after them.
  const parts = diffArrays(old.slice(whole.oldFrom, whole.oldTo), now.slice(whole.newFrom, whole.newTo), {
    maxEditLength: mostEdits,
  });
  return parts ? blocksOf(parts, start) : [whole];
}

interface DiffPart {
  readonly added?: boolean;
  readonly removed?: boolean;
  readonly value: readonly string[];
}

function blocksOf(parts: readonly DiffPart[], start: number): LineBlock[] {
  const blocks: LineBlock[] = [];
  let oldAt = start;
  let newAt = start;
  let open: LineBlock | undefined;
  for (const { added, removed, value } of parts) {
    const from: LineBlock = open ?? { oldFrom: oldAt, oldTo: oldAt, newFrom: newAt, newTo: newAt };
    if (!added) oldAt += value.length;
    if (!removed) newAt += value.length;
    if (added || removed) open = { ...from, oldTo: oldAt, newTo: newAt };
    else if (open) {
      blocks.push(open);
      open = undefined;
    }
  }
  return open ? [...blocks, open] : blocks;
}

/** The old lines with some blocks of changes made in them. The blocks are in order. */
export function withBlocks(old: readonly string[], now: readonly string[], blocks: readonly LineBlock[]): string[] {
  const lines: string[] = [];
  let at = 0;
  for (const { oldFrom, oldTo, newFrom, newTo } of blocks) {
    lines.push(...old.slice(at, oldFrom), ...now.slice(newFrom, newTo));
    at = oldTo;
  }
  return [...lines, ...old.slice(at)];
}

/** The new lines with some blocks of changes taken back. The blocks are in order. */
export const withoutBlocks = (old: readonly string[], now: readonly string[], blocks: readonly LineBlock[]): string[] =>
  withBlocks(now, old, blocks.map(reversed));

/** The change that takes a change back. */
export const reversed = ({ oldFrom, oldTo, newFrom, newTo }: LineBlock): LineBlock => ({
  oldFrom: newFrom,
  oldTo: newTo,
  newFrom: oldFrom,
  newTo: oldTo,
});

/**
 * Lines with the changes of somebody else made in them. `left`: changes, as lines of `after`, that could not be made.
 */
export interface CarriedOver {
  readonly lines: string[];
  readonly left: readonly { readonly from: number; readonly to: number }[];
}

/**
 * Makes in `text` the changes that lead from `before` to `after`. Where `text` differs from `before` at the same lines,
 * or right beside them, it stays as it is.
 */
export async function carriedOver(
  text: readonly string[],
  before: readonly string[],
  after: readonly string[],
): Promise<CarriedOver> {
  const own = await changedBlocks(before, text);
  const theirs = await changedBlocks(before, after);
  const lines: string[] = [];
  const left: { from: number; to: number }[] = [];
  let shift = 0;
  let at = 0;
  let next = 0;
  for (const block of theirs) {
    while (next < own.length && own[next]!.oldTo < block.oldFrom) {
      shift = own[next]!.newTo - own[next]!.oldTo;
      next++;
    }
    const meeting = own[next];
    if (meeting && meeting.oldFrom <= block.oldTo) {
      if (!isSameChange(meeting, text, block, after)) left.push({ from: block.newFrom, to: block.newTo });
      continue;
    }
    lines.push(...text.slice(at, block.oldFrom + shift), ...after.slice(block.newFrom, block.newTo));
    at = block.oldTo + shift;
  }
  return { lines: [...lines, ...text.slice(at)], left };
}

function isSameChange(a: LineBlock, aLines: readonly string[], b: LineBlock, bLines: readonly string[]): boolean {
  const isSamePlace = a.oldFrom === b.oldFrom && a.oldTo === b.oldTo && a.newTo - a.newFrom === b.newTo - b.newFrom;
  if (!isSamePlace) return false;
  for (let at = 0; at < a.newTo - a.newFrom; at++) if (aLines[a.newFrom + at] !== bLines[b.newFrom + at]) return false;
  return true;
}
