import type { ActionEffect } from '../events/risk';

/** Returns whether an action with this effect may change files. */
export const mayChangeFiles = (effect: ActionEffect | undefined): boolean =>
  effect === 'writes' || effect === 'executes' || effect === 'delegates';
