import { isDistinctive } from './fingerprints';

/** Maximum recursion depth of the search for lines that are unique within a gap. */
const maxRecursion = 12;

/**
 * Returns the previous index of each new line in `old`, or -1 if it is new. Each old line maps to at most one new line.
 * Unique lines are anchors; a block that was moved unchanged keeps its identity if it is long enough to be recognized.
 */
export function matchLines(old: readonly number[], now: readonly number[]): Int32Array {
  const was = new Int32Array(now.length).fill(-1);
  inOrder({ lines: old, from: 0, to: old.length }, { lines: now, from: 0, to: now.length }, was, 0);
  matchMoved(old, now, was);
  return was;
}

/** The lines from `from` up to, but not including, `to`. */
export interface LineSpan {
  readonly lines: readonly number[];
  readonly from: number;
  readonly to: number;
}

function inOrder(oldSpan: LineSpan, nowSpan: LineSpan, was: Int32Array, depth: number): void {
  const [old, now] = [oldSpan.lines, nowSpan.lines];
  let { from: oldFrom, to: oldTo } = oldSpan;
  let { from: nowFrom, to: nowTo } = nowSpan;
  while (oldFrom < oldTo && nowFrom < nowTo && old[oldFrom] === now[nowFrom]) was[nowFrom++] = oldFrom++;
  while (oldFrom < oldTo && nowFrom < nowTo && old[oldTo - 1] === now[nowTo - 1]) was[--nowTo] = --oldTo;
  if (oldFrom === oldTo || nowFrom === nowTo) return;
  const rest = { lines: old, from: oldFrom, to: oldTo };
  const restNow = { lines: now, from: nowFrom, to: nowTo };
  const anchors = depth < maxRecursion ? longestRising(uniqueLines(rest, restNow)) : [];
  if (anchors.length === 0)
    return shortestEdit(rest, restNow, (atOld, atNow) => {
      was[atNow] = atOld;
    });
  for (const { atOld, atNow } of anchors) {
    inOrder({ lines: old, from: oldFrom, to: atOld }, { lines: now, from: nowFrom, to: atNow }, was, depth + 1);
    was[atNow] = atOld;
    oldFrom = atOld + 1;
    nowFrom = atNow + 1;
  }
  inOrder({ lines: old, from: oldFrom, to: oldTo }, { lines: now, from: nowFrom, to: nowTo }, was, depth + 1);
}

/** Maximum number of edits to search for. Larger changes among repeated lines are not worth the time. */
const maxEdits = 250;

/**
 * Reports the longest sequence of equal line pairs, in order, with Myers' greedy algorithm. Reports nothing if more than
 * `maxEdits` lines would have to be removed or added.
 */
export function shortestEdit(a: LineSpan, b: LineSpan, pair: (atA: number, atB: number) => void): void {
  const lengthA = a.to - a.from;
  const lengthB = b.to - b.from;
  const most = Math.min(maxEdits, lengthA + lengthB);
  const middle = most + 1;
  const reached = new Int32Array(2 * most + 3);
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    trace.push(reached.slice(middle - edits - 1, middle + edits + 2));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down =
        diagonal === -edits ||
        (diagonal !== edits && reached[middle + diagonal - 1]! < reached[middle + diagonal + 1]!);
      let atA = down ? reached[middle + diagonal + 1]! : reached[middle + diagonal - 1]! + 1;
      while (atA < lengthA && atA - diagonal < lengthB && a.lines[a.from + atA] === b.lines[b.from + atA - diagonal])
        atA++;
      reached[middle + diagonal] = atA;
      if (atA >= lengthA && atA - diagonal >= lengthB)
        return walkBack(trace, edits, { atA: lengthA, atB: lengthB }, (atA, atB) => pair(a.from + atA, b.from + atB));
    }
  }
}

function walkBack(
  trace: readonly Int32Array[],
  edits: number,
  end: { readonly atA: number; readonly atB: number },
  pair: (atA: number, atB: number) => void,
): void {
  let { atA, atB } = end;
  for (; edits >= 0; edits--) {
    const before = trace[edits]!; // diagonals -edits-1 … edits+1
    const furthestOn = (diagonal: number): number => before[diagonal + edits + 1]!;
    const diagonal = atA - atB;
    const down = diagonal === -edits || (diagonal !== edits && furthestOn(diagonal - 1) < furthestOn(diagonal + 1));
    const fromA = down ? furthestOn(diagonal + 1) : furthestOn(diagonal - 1) + 1;
    while (atA > fromA) pair(--atA, --atB);
    if (down) atB--;
    else atA--;
  }
}

interface Pair {
  readonly atOld: number;
  readonly atNow: number;
}

/** Which lines of a side count. */
type Counts = (at: number) => boolean;
const every: Counts = () => true;

/** Returns lines that occur exactly once among those that count before, and after, in their new order. */
function uniqueLines(old: LineSpan, now: LineSpan, countsOld = every, countsNow = every): Pair[] {
  const places = new Map<number, number>(); // -1: several
  for (let at = old.from; at < old.to; at++) {
    const line = old.lines[at]!;
    if (countsOld(at)) places.set(line, places.has(line) ? -1 : at);
  }
  const pairs = new Map<number, Pair | undefined>();
  for (let at = now.from; at < now.to; at++) {
    const line = now.lines[at]!;
    const atOld = countsNow(at) ? places.get(line) : undefined;
    if (atOld !== undefined && atOld >= 0) pairs.set(line, pairs.has(line) ? undefined : { atOld, atNow: at });
  }
  return [...pairs.values()].filter((pair) => pair !== undefined);
}

/** Returns the longest subset of the pairs in which none cross. */
function longestRising(pairs: readonly Pair[]): Pair[] {
  const ends: number[] = []; // the pair with the smallest `atOld` that ends a sequence of this length
  const before = new Int32Array(pairs.length);
  pairs.forEach(({ atOld }, index) => {
    let low = 0;
    for (let high = ends.length; low < high;) {
      const half = (low + high) >>> 1;
      if (pairs[ends[half]!]!.atOld < atOld) low = half + 1;
      else high = half;
    }
    before[index] = low > 0 ? ends[low - 1]! : -1;
    ends[low] = index;
  });
  const chosen: Pair[] = [];
  for (let index = ends[ends.length - 1] ?? -1; index >= 0; index = before[index]!) chosen.push(pairs[index]!);
  return chosen.reverse();
}

/** A line left over and unique on both sides was moved, together with equal lines next to it. */
function matchMoved(old: readonly number[], now: readonly number[], was: Int32Array): void {
  const taken = new Uint8Array(old.length);
  for (const at of was) if (at >= 0) taken[at] = 1;
  const pairs = uniqueLines(
    { lines: old, from: 0, to: old.length },
    { lines: now, from: 0, to: now.length },
    (at) => !taken[at] && isDistinctive(old[at]!),
    (at) => was[at] === -1,
  );
  const areUnmatched = (atOld: number, atNow: number): boolean =>
    old[atOld] !== undefined && old[atOld] === now[atNow] && !taken[atOld] && was[atNow] === -1;
  const match = (atOld: number, atNow: number): void => {
    was[atNow] = atOld;
    taken[atOld] = 1;
  };
  for (const { atOld, atNow } of pairs) {
    // An earlier pair may have matched it together with its neighbours.
    if (!areUnmatched(atOld, atNow)) continue;
    for (let by = 0; areUnmatched(atOld + by, atNow + by); by++) match(atOld + by, atNow + by);
    for (let by = -1; areUnmatched(atOld + by, atNow + by); by--) match(atOld + by, atNow + by);
  }
}
