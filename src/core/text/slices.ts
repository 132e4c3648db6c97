/** Duration of a slice, in ms. Extensions share one thread: longer work makes all of them wait. */
const sliceMs = 10;

/**
 * Divides long work into slices, between which other work runs:
 *
 *     const slices = new Slices();
 *     for (const file of files) {
 *       await slices.rest();
 *       change(file);
 *     }
 */
export class Slices {
  private ends = performance.now() + sliceMs;

  /** True if other work should run now. */
  get isOver(): boolean {
    return performance.now() >= this.ends;
  }

  /** Resolves at once, or after other work ran if the slice is over. Rejects with the signal's reason once it is aborted. */
  async rest(signal?: AbortSignal): Promise<void> {
    if (!this.isOver) return;
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    this.ends = performance.now() + sliceMs;
  }
}

/** Number of items that are processed before each look at the clock. */
const itemsPerLook = 64;

/** Calls `work` for each of many items, each of which takes little time, in slices. Rejects once the signal is aborted. */
export async function inSlices<Item>(
  items: Iterable<Item>,
  work: (item: Item) => void,
  signal?: AbortSignal,
): Promise<void> {
  const slices = new Slices();
  let count = 0;
  for (const item of items) {
    work(item);
    if (++count % itemsPerLook === 0) await slices.rest(signal);
  }
}

/** Work in pieces: it yields where other work may run, and returns its result. */
export type InPieces<Result> = Generator<undefined, Result>;

/** Does work in pieces at once. */
export function runToEnd<Result>(pieces: InPieces<Result>): Result {
  let piece = pieces.next();
  while (!piece.done) piece = pieces.next();
  return piece.value;
}

/** Does work in pieces, and lets other work run in between. `slices`: shared by several such works, one after another. */
export async function runInSlices<Result>(pieces: InPieces<Result>, slices = new Slices()): Promise<Result> {
  let piece = pieces.next();
  while (!piece.done) {
    await slices.rest();
    piece = pieces.next();
  }
  return piece.value;
}
