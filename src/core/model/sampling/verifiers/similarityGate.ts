import type { Candidate } from '../../../../protocol/events/event';
import type { VerifierSettings } from '../samplingSettings';
import { seededRandom } from '../seededRandom';
import type { Verifier } from './verifier';

/**
 * Skips judging if all candidates are alike. A usable one is drawn, deterministically for a seed and a position in the
 * run.
 */
export function similarityGate(
  verifier: Verifier,
  { similarity, seed }: Pick<VerifierSettings, 'similarity' | 'seed'>,
): Verifier {
  return {
    async choose(choice, signal) {
      const { candidates, messages } = choice;
      const least = leastSimilarity(candidates.map(candidateText));
      if (least < similarity) return verifier.choose(choice, signal);
      const usable = candidates.flatMap(({ problem }, index) => (problem === undefined ? [index] : []));
      const drawn = usable.length > 0 ? usable : candidates.map((_candidate, index) => index);
      const chosen = drawn[Math.floor(seededRandom(seed * 31 + messages.length)() * drawn.length)]!;
      return {
        chosen,
        by: 'similarity_gate',
        reason: `The candidates share at least ${Math.floor(least * 100)} % of their words, so one was picked at random without judging.`,
        outputs: [],
        usages: [],
      };
    },
  };
}

/**
 * Similarity of two texts: the share of words they have in common (Jaccard), 0 … 1. Ignores case, order and
 * punctuation.
 */
function similarity(a: string, b: string): number {
  const [left, right] = [wordSet(a), wordSet(b)];
  if (left.size === 0 && right.size === 0) return 1;
  const common = [...left].filter((word) => right.has(word)).length;
  return common / (left.size + right.size - common);
}

/** Similarity of the two least similar texts. */
export function leastSimilarity(texts: readonly string[]): number {
  return Math.min(1, ...texts.flatMap((text, index) => texts.slice(index + 1).map((other) => similarity(text, other))));
}

const wordSet = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu));

function candidateText({ text, calls }: Candidate): string {
  const asked = calls as { function: { name: string; arguments: string } }[];
  return [text, ...asked.map((call) => `${call.function.name} ${call.function.arguments}`)].join(' ');
}
