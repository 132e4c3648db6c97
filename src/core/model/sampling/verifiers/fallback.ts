import type { Candidate } from '../../../../protocol/events/event';
import type { VerifierSettings } from '../samplingSettings';
import { firstUsable } from './firstValid';
import type { Verdict } from './verifier';

/** Returns the choice if judging failed. `why` is a sentence for people. */
export function fallbackChoice(
  { fallback }: Pick<VerifierSettings, 'fallback'>,
  candidates: readonly Candidate[],
  why: string,
): Pick<Verdict, 'chosen' | 'reason' | 'fallback'> {
  const valid = fallback === 'first_valid' ? firstUsable(candidates) : undefined;
  return {
    chosen: valid ?? 0,
    fallback,
    reason: `${why} ${valid === undefined ? 'The first candidate is used.' : 'The first valid candidate is used.'}`,
  };
}
