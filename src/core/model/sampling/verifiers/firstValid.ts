import type { Candidate } from '../../../../protocol/events/event';
import type { Verifier } from './verifier';

/** Chooses the first candidate with something to run, or the first one if none has. Makes no calls. */
export const firstValid: Verifier = {
  async choose({ candidates }) {
    const valid = firstUsable(candidates);
    const reason =
      valid === undefined
        ? 'No candidate is valid, so the first one is used.'
        : valid === 0
          ? 'The first candidate is valid.'
          : `The first valid one of ${candidates.length} candidates.`;
    return { chosen: valid ?? 0, by: 'first_valid', reason, outputs: [], usages: [] };
  },
};

export function firstUsable(candidates: readonly Candidate[]): number | undefined {
  const index = candidates.findIndex(({ problem }) => problem === undefined);
  return index < 0 ? undefined : index;
}
