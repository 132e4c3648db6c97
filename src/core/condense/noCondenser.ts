import type { Condenser } from '../ports/condenser';

/** The model reads everything, for as long as it can. */
export const noCondenser: Condenser = { condense: async () => undefined };
