/** Duration of a slice, in ms. Extensions share one thread: longer work makes all of them wait. */
const sliceMs = 10;
/** Number of items between two looks at the clock. */
const itemsPerLook = 64;

/**
 * Calls `work` for each item, in slices between which other work runs. Rejects with the signal's reason once it is
 * aborted.
 */
export async function inSlices<Item>(
  items: Iterable<Item>,
  work: (item: Item) => void,
  signal?: AbortSignal,
): Promise<void> {
  let sliceEnds = performance.now() + sliceMs;
  let count = 0;
  for (const item of items) {
    work(item);
    if (++count % itemsPerLook !== 0 || performance.now() < sliceEnds) continue;
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    sliceEnds = performance.now() + sliceMs;
  }
}
