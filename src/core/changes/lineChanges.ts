/** Splits texts into lines and compares them. Lines keep their own endings, so that no byte is lost. */

/** Lines [oldFrom, oldTo) were replaced with [newFrom, newTo). 0-based. */
export interface LineBlock {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly newFrom: number;
  readonly newTo: number;
}

/** Returns the lines of a text with their endings. The last line may have none. */
export function splitKeepingEndings(text: string): string[] {
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
 * Maximum number of moved lines. Texts with more are treated as one block, because the comparison takes quadratic time
 * and blocks the process.
 */
const maxMovedLines = 400;

/**
 * Returns the differences between two texts, in order. If too many lines were moved, returns one block for all of them.
 */
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
  if (removed === 0 || added === 0 || (removed === 1 && added === 1)) return [whole];
  const stayed = await linesThatStayed(old, now, whole);
  return stayed ? blocksBetween(stayed, whole) : [whole];
}

/** Lines of a text as numbers, starting at 1. Equal lines have the same number. */
interface NumberedLines {
  readonly numbers: Int32Array;
  readonly byLine: ReadonlyMap<string, number>;
}

const numberedLinesCache = new WeakMap<readonly string[], NumberedLines>();

/** Cached, because a text is compared several times, such as a file's content without the agent's changes. */
function numberedLines(lines: readonly string[]): NumberedLines {
  const before = numberedLinesCache.get(lines);
  if (before) return before;
  const byLine = new Map<string, number>();
  const numbers = new Int32Array(lines.length);
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    const number = byLine.get(line) ?? byLine.size + 1;
    if (number > byLine.size) byLine.set(line, number);
    numbers[index] = number;
  }
  const numbered = { numbers, byLine };
  numberedLinesCache.set(lines, numbered);
  return numbered;
}

/** Indexes of unchanged lines in both texts, paired in order. */
interface StayedLines {
  readonly oldAt: readonly number[];
  readonly newAt: readonly number[];
}

/**
 * Returns the longest common sequence of lines within a block, or undefined if too many lines were moved. Limited by
 * work, not time: the same texts must yield the same blocks on a busy machine, because hunk ids depend on them.
 */
async function linesThatStayed(
  old: readonly string[],
  now: readonly string[],
  { oldFrom, oldTo, newFrom, newTo }: LineBlock,
): Promise<StayedLines | undefined> {
  const { numbers, byLine } = numberedLines(old);
  // A line that occurs in only one text cannot match, so it is not compared.
  const [isInOld, isInNow] = [new Uint8Array(byLine.size + 1), new Uint8Array(byLine.size + 1)];
  for (let index = oldFrom; index < oldTo; index++) isInOld[numbers[index]!] = 1;
  const newAt: number[] = [];
  const newNumbers: number[] = [];
  for (let index = newFrom; index < newTo; index++) {
    const number = byLine.get(now[index]!) ?? 0;
    if (!isInOld[number]) continue;
    isInNow[number] = 1;
    newAt.push(index);
    newNumbers.push(number);
  }
  const oldAt: number[] = [];
  for (let index = oldFrom; index < oldTo; index++) if (isInNow[numbers[index]!]) oldAt.push(index);
  const oldNumbers = oldAt.map((at) => numbers[at]!);
  // Most edits only remove and add lines that occur nowhere else.
  if (oldNumbers.length === newNumbers.length && oldNumbers.every((number, index) => number === newNumbers[index]))
    return { oldAt, newAt };
  const { diffArrays } = await import('diff');
  const parts = diffArrays(oldNumbers, newNumbers, { maxEditLength: maxMovedLines });
  if (!parts) return undefined;
  const stayed = { oldAt: [] as number[], newAt: [] as number[] };
  let [inOld, inNow] = [0, 0];
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      for (let line = 0; line < value.length; line++) {
        stayed.oldAt.push(oldAt[inOld + line]!);
        stayed.newAt.push(newAt[inNow + line]!);
      }
    }
    if (!added) inOld += value.length;
    if (!removed) inNow += value.length;
  }
  return stayed;
}

/** Returns the blocks between unchanged lines. */
function blocksBetween({ oldAt, newAt }: StayedLines, whole: LineBlock): LineBlock[] {
  const blocks: LineBlock[] = [];
  let { oldFrom, newFrom } = whole;
  for (let index = 0; index <= oldAt.length; index++) {
    const [oldTo, newTo] = [oldAt[index] ?? whole.oldTo, newAt[index] ?? whole.newTo];
    if (oldTo > oldFrom || newTo > newFrom) blocks.push({ oldFrom, oldTo, newFrom, newTo });
    oldFrom = oldTo + 1;
    newFrom = newTo + 1;
  }
  return blocks;
}

/** Applies some blocks to the old lines. The blocks must be in order. */
export function withBlocks(old: readonly string[], now: readonly string[], blocks: readonly LineBlock[]): string[] {
  const pieces: (readonly string[])[] = [];
  let at = 0;
  for (const { oldFrom, oldTo, newFrom, newTo } of blocks) {
    pieces.push(old.slice(at, oldFrom), now.slice(newFrom, newTo));
    at = oldTo;
  }
  return [...pieces, old.slice(at)].flat();
}

/** Reverts some blocks in the new lines. The blocks must be in order. */
export const withoutBlocks = (old: readonly string[], now: readonly string[], blocks: readonly LineBlock[]): string[] =>
  withBlocks(now, old, blocks.map(inverseBlock));

/** Returns the inverse of a block. */
export const inverseBlock = ({ oldFrom, oldTo, newFrom, newTo }: LineBlock): LineBlock => ({
  oldFrom: newFrom,
  oldTo: newTo,
  newFrom: oldFrom,
  newTo: oldTo,
});

/** Lines with another party's changes applied. `left`: changes that could not be applied, as lines of `after`. */
interface TransferredLines {
  readonly lines: string[];
  readonly untransferred: readonly { readonly from: number; readonly to: number }[];
}

/**
 * Applies the changes from `before` to `after` to `text`. Where `text` differs from `before` in the same or adjacent
 * lines, it stays unchanged. `applyAdjacent`: lines that are only next to each other are both changed. If both sides only
 * add lines at one place, nothing is changed there, because their order would be a guess.
 */
export async function transferChanges(
  text: readonly string[],
  before: readonly string[],
  after: readonly string[],
  { applyAdjacent = false }: { readonly applyAdjacent?: boolean } = {},
): Promise<TransferredLines> {
  const isApart = (first: LineBlock, second: LineBlock): boolean =>
    first.oldTo < second.oldFrom ||
    (applyAdjacent && first.oldTo === second.oldFrom && (first.oldFrom < first.oldTo || second.oldFrom < second.oldTo));
  const own = await changedBlocks(before, text);
  const theirs = await changedBlocks(before, after);
  const pieces: (readonly string[])[] = [];
  const untransferred: { from: number; to: number }[] = [];
  let shift = 0;
  let at = 0;
  let next = 0;
  for (const block of theirs) {
    while (next < own.length && isApart(own[next]!, block)) {
      shift = own[next]!.newTo - own[next]!.oldTo;
      next++;
    }
    const meeting = own[next];
    if (meeting && !isApart(block, meeting)) {
      if (!isSameChange(meeting, text, block, after)) untransferred.push({ from: block.newFrom, to: block.newTo });
      continue;
    }
    pieces.push(text.slice(at, block.oldFrom + shift), after.slice(block.newFrom, block.newTo));
    at = block.oldTo + shift;
  }
  return { lines: [...pieces, text.slice(at)].flat(), untransferred };
}

function isSameChange(a: LineBlock, aLines: readonly string[], b: LineBlock, bLines: readonly string[]): boolean {
  const isSamePlace = a.oldFrom === b.oldFrom && a.oldTo === b.oldTo && a.newTo - a.newFrom === b.newTo - b.newFrom;
  if (!isSamePlace) return false;
  for (let index = 0; index < a.newTo - a.newFrom; index++)
    if (aLines[a.newFrom + index] !== bLines[b.newFrom + index]) return false;
  return true;
}
