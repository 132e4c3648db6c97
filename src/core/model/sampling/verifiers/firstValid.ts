import type { Candidate } from '../../../../protocol/events/event';
import type { Verifier } from './verifier';

/** Chooses the first candidate with something to run, or the first one if none has. Makes no calls. */
export const firstValid: Verifier = {
  async choose({ candidates }) {
    const valid = firstUsable(candidates);
    const reason = reasonFor(valid, candidates.length);
    return { chosen: valid ?? 0, by: 'first_valid', reason, outputs: [], usages: [] };
  },
};

export function firstUsable(candidates: readonly Candidate[]): number | undefined {
  const index = candidates.findIndex(({ problem }) => problem === undefined);
  return index < 0 ? undefined : index;
}

function reasonFor(valid: number | undefined, count: number): string {
  if (valid === undefined) return 'No candidate is valid, so the first one is used.';
  return valid === 0 ? 'The first candidate is valid.' : `The first valid one of ${count} candidates.`;
}
