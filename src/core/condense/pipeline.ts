import type { Condenser } from '../ports/condenser';

/** Each in turn; the first that has something to do does it. */
export function pipeline(condensers: readonly Condenser[]): Condenser {
  return {
    async condense(history, signal) {
      for (const condenser of condensers) {
        const event = await condenser.condense(history, signal);
        if (event) return event;
      }
      return undefined;
    },
  };
}
