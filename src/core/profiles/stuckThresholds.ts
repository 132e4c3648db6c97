import type { StuckThresholds } from '../ports/profile';

/** Default thresholds. Profiles may use others. */
export const stuckThresholds: StuckThresholds = {
  sameResult: { hint: 3, stop: 4 },
  sameError: { hint: 3, stop: 4 },
  alternating: { hint: 5, stop: 6 },
  monologue: { hint: 0, stop: 3 },
  window: 20,
};
