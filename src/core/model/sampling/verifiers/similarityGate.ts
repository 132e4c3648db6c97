import type { Candidate } from '../../../../protocol/events/event';
import type { VerifierSettings } from '../samplingSettings';
import { seededRandom } from '../seededRandom';
import { leastSimilarity } from '../similarity';
import type { Verifier } from './verifier';

/** Spares the judge where all candidates are alike: one that can be used is drawn, the same one for the same seed and place in the run. */
export function similarityGate(
  verifier: Verifier,
  { similarity, seed }: Pick<VerifierSettings, 'similarity' | 'seed'>,
): Verifier {
  return {
    async choose(choice, signal) {
      const { candidates, messages } = choice;
      const least = leastSimilarity(candidates.map(wordsOf));
      if (least < similarity) return verifier.choose(choice, signal);
      const usable = candidates.flatMap(({ problem }, index) => (problem === undefined ? [index] : []));
      const drawn = usable.length > 0 ? usable : candidates.map((_candidate, index) => index);
      const chosen = drawn[Math.floor(seededRandom(seed * 31 + messages.length)() * drawn.length)]!;
      return {
        chosen,
        by: 'similarity_gate',
        reason: `The candidates share at least ${Math.floor(least * 100)} % of their words, so none was judged and one was drawn.`,
        outputs: [],
        usages: [],
      };
    },
  };
}

const wordsOf = ({ text, calls }: Candidate): string =>
  `${text} ${(calls as { function: { name: string; arguments: string } }[]).map((call) => `${call.function.name} ${call.function.arguments}`).join(' ')}`;
