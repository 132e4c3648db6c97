/** Edits that are looked for at most; a greater change of lines that all stand several times is not worth more time. */
const mostEdits = 250;

/**
 * Pairs of equal lines, in order, as many as there can be: Myers' greedy search, from [fromA, toA) of `a` to [fromB, toB) of `b`.
 * Calls nothing when more than 250 lines would have to go or come.
 */
export function shortestEdit(
  a: readonly number[],
  fromA: number,
  toA: number,
  b: readonly number[],
  fromB: number,
  toB: number,
  pair: (atA: number, atB: number) => void,
): void {
  const lengthA = toA - fromA;
  const lengthB = toB - fromB;
  const most = Math.min(mostEdits, lengthA + lengthB);
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
      while (atA < lengthA && atA - diagonal < lengthB && a[fromA + atA] === b[fromB + atA - diagonal]) atA++;
      reached[middle + diagonal] = atA;
      if (atA >= lengthA && atA - diagonal >= lengthB)
        return walkBack(trace, edits, lengthA, lengthB, (atA, atB) => pair(fromA + atA, fromB + atB));
    }
  }
}

function walkBack(
  trace: readonly Int32Array[],
  edits: number,
  endA: number,
  endB: number,
  pair: (atA: number, atB: number) => void,
): void {
  let atA = endA;
  let atB = endB;
  for (; edits >= 0; edits--) {
    const before = trace[edits]!; // of the diagonals -edits-1 … edits+1
    const at = (diagonal: number): number => before[diagonal + edits + 1]!;
    const diagonal = atA - atB;
    const down = diagonal === -edits || (diagonal !== edits && at(diagonal - 1) < at(diagonal + 1));
    const fromA = edits === 0 ? 0 : down ? at(diagonal + 1) : at(diagonal - 1) + 1;
    while (atA > fromA) pair(--atA, --atB);
    if (down) atB--;
    else atA--;
  }
}
