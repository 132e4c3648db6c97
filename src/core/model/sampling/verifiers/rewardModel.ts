import type { Usage } from '../../../../protocol/events/event';
import { mapLimited } from '../mapLimited';
import { ModelProblem, type ModelReply, type ModelRequest } from '../../../ports/model';
import { fallBack } from './fallback';
import { lastNumber } from './lastNumber';
import { promptVariables } from './promptVariables';
import type { Verifier, VerifierParts } from './verifier';

const firstWaitMs = 1_000;
/** Asking again cannot help against these. */
const lasting: ReadonlySet<string> = new Set([
  'authentication',
  'not_found',
  'invalid_request',
  'quota',
  'context_overflow',
  'script',
]);

/**
 * A model scores each candidate by itself; the highest score wins, the earlier one of equals.
 * Candidates without a score do not count.
 */
export function rewardModel({ settings, model, prompts, parallel, sleep }: VerifierParts): Verifier {
  const numberIn = lastNumber(settings.rewardRegex, 'rewardRegex');

  /** Waits grow by powers of four. */
  const ask = async (request: ModelRequest, signal: AbortSignal): Promise<ModelReply> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await model.complete(request, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (attempt >= settings.attempts || (error instanceof ModelProblem && lasting.has(error.kind))) throw error;
        await sleep(firstWaitMs * 4 ** (attempt - 1), signal);
      }
    }
  };

  return {
    async choose(choice, signal) {
      const { candidates } = choice;
      const usages: Usage[] = [];
      let done = 0;
      choice.progress(0, candidates.length);
      const judged = await mapLimited(parallel, candidates, async (_candidate, index) => {
        const variables = promptVariables(choice, settings, index);
        const reply = await ask(
          {
            messages: [
              { role: 'system', content: await prompts.system(variables) },
              { role: 'user', content: await prompts.reward(variables) },
            ],
            tools: [],
          },
          signal,
        );
        usages.push(reply.usage);
        choice.progress(++done, candidates.length);
        return reply.text;
      });
      signal.throwIfAborted();
      const outputs = judged.map((result) =>
        result.status === 'fulfilled' ? result.value : `No answer: ${(result.reason as Error).message}`,
      );
      const scores = judged.map((result) => (result.status === 'fulfilled' ? numberIn(result.value) : null));
      const best = Math.max(...scores.filter((score) => score !== null));
      const common = { by: 'reward_model' as const, outputs, scores, usages };
      if (best === -Infinity) return { ...common, ...fallBack(settings, candidates, 'No candidate got a score.') };
      const unscored = scores.filter((score) => score === null).length;
      const rest = unscored === 0 ? '' : unscored === 1 ? ' One got no score.' : ` ${unscored} got no score.`;
      return { ...common, chosen: scores.indexOf(best), reason: `It has the highest score, ${best}.${rest}` };
    },
  };
}
