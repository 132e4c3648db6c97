/** Creates a value on first use and caches it. A failed attempt is not cached, so that the next call tries again. */
export function lazy<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () =>
    (made ??= create().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
}
