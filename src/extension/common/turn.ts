/** Resolves after other work of the extension host had its turn: all extensions share one thread. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
