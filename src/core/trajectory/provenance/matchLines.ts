import { isTelling } from './fingerprints';
import { shortestEdit } from './shortestEdit';

/** How often gaps between lines that stand once are searched for lines that stand once in the gap. */
const deepest = 12;

/**
 * Where each new line was before: its index in `old`, or -1 for a line that was not there. Each old line is one new line at most. Lines
 * that stand once hold the rest in place; what was moved as it is counts as the same lines, where it says enough to be known again.
 */
export function matchLines(old: readonly number[], now: readonly number[]): Int32Array {
  const was = new Int32Array(now.length).fill(-1);
  inOrder(old, 0, old.length, now, 0, now.length, was, 0);
  moved(old, now, was);
  return was;
}

function inOrder(
  old: readonly number[],
  oldFrom: number,
  oldTo: number,
  now: readonly number[],
  nowFrom: number,
  nowTo: number,
  was: Int32Array,
  depth: number,
): void {
  while (oldFrom < oldTo && nowFrom < nowTo && old[oldFrom] === now[nowFrom]) was[nowFrom++] = oldFrom++;
  while (oldFrom < oldTo && nowFrom < nowTo && old[oldTo - 1] === now[nowTo - 1]) was[--nowTo] = --oldTo;
  if (oldFrom === oldTo || nowFrom === nowTo) return;
  const anchors = depth < deepest ? longestRising(standingOnce(old, oldFrom, oldTo, now, nowFrom, nowTo)) : [];
  if (anchors.length === 0)
    return shortestEdit(old, oldFrom, oldTo, now, nowFrom, nowTo, (atOld, atNow) => {
      was[atNow] = atOld;
    });
  for (const { atOld, atNow } of anchors) {
    inOrder(old, oldFrom, atOld, now, nowFrom, atNow, was, depth + 1);
    was[atNow] = atOld;
    oldFrom = atOld + 1;
    nowFrom = atNow + 1;
  }
  inOrder(old, oldFrom, oldTo, now, nowFrom, nowTo, was, depth + 1);
}

interface Pair {
  readonly atOld: number;
  readonly atNow: number;
}

/** Lines that stand once before and once afterwards, in the order of afterwards. */
function standingOnce(
  old: readonly number[],
  oldFrom: number,
  oldTo: number,
  now: readonly number[],
  nowFrom: number,
  nowTo: number,
): Pair[] {
  const places = new Map<number, number>(); // -1: several
  for (let at = oldFrom; at < oldTo; at++) places.set(old[at]!, places.has(old[at]!) ? -1 : at);
  const pairs = new Map<number, Pair | undefined>();
  for (let at = nowFrom; at < nowTo; at++) {
    const atOld = places.get(now[at]!);
    if (atOld !== undefined && atOld >= 0) pairs.set(now[at]!, pairs.has(now[at]!) ? undefined : { atOld, atNow: at });
  }
  return [...pairs.values()].filter((pair) => pair !== undefined);
}

/** As many of the pairs as can be without two of them crossing. */
function longestRising(pairs: readonly Pair[]): Pair[] {
  const ends: number[] = []; // the pair with the smallest `atOld` that ends a row of this length
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

/** What is left over on both sides and stands once there was moved; so were the equal lines beside it. */
function moved(old: readonly number[], now: readonly number[], was: Int32Array): void {
  const taken = new Uint8Array(old.length);
  for (const at of was) if (at >= 0) taken[at] = 1;
  const places = new Map<number, number>();
  for (let at = 0; at < old.length; at++)
    if (!taken[at] && isTelling(old[at]!)) places.set(old[at]!, places.has(old[at]!) ? -1 : at);
  if (places.size === 0) return;
  const pairs = new Map<number, Pair | undefined>();
  for (let at = 0; at < now.length; at++) {
    const atOld = was[at] === -1 ? places.get(now[at]!) : undefined;
    if (atOld !== undefined && atOld >= 0) pairs.set(now[at]!, pairs.has(now[at]!) ? undefined : { atOld, atNow: at });
  }
  const free = (atOld: number, atNow: number): boolean =>
    old[atOld] !== undefined && old[atOld] === now[atNow] && !taken[atOld] && was[atNow] === -1;
  for (const pair of pairs.values()) {
    if (!pair || !free(pair.atOld, pair.atNow)) continue;
    for (const step of [1, -1]) {
      for (let by = step === 1 ? 0 : -1; free(pair.atOld + by, pair.atNow + by); by += step) {
        was[pair.atNow + by] = pair.atOld + by;
        taken[pair.atOld + by] = 1;
      }
    }
  }
}
