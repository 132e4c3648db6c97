/**
 * Does the work for every item, at most `limit` at a time. A failure does not stop the others, and results keep the
 * order of the items.
 */
export async function mapLimited<Item, Result>(
  limit: number,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> {
  const results: PromiseSettledResult<Result>[] = [];
  const waiting = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      const [result] = await Promise.allSettled([work(item, index)]);
      results[index] = result;
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(limit, items.length)) }, worker));
  return results;
}
