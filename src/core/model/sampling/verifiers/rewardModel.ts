import type { Usage } from '../../../../protocol/events/event';
import { mapLimited } from '../mapLimited';
import { ModelProblem, type ModelReply, type ModelRequest } from '../../../ports/model';
import { fallbackChoice } from './fallback';
import { lastNumber } from './lastNumber';
import { promptVariables } from './promptVariables';
import type { Verifier, VerifierParts } from './verifier';

const firstWaitMs = 1_000;
/** Problems for which retrying does not help. */
const permanentProblems: ReadonlySet<string> = new Set([
  'authentication',
  'not_found',
  'invalid_request',
  'quota',
  'context_overflow',
  'script',
]);

/**
 * Has a model score each candidate separately. The highest score wins; on a tie, the earlier candidate. Candidates
 * without a score are ignored.
 */
export function rewardModel({ settings, model, prompts, parallel, sleep }: VerifierParts): Verifier {
  const numberIn = lastNumber(settings.rewardRegex, 'rewardRegex');

  /** Each wait is four times as long as the one before. */
  const ask = async (request: ModelRequest, signal: AbortSignal): Promise<ModelReply> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await model.complete(request, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (attempt >= settings.attempts || (error instanceof ModelProblem && permanentProblems.has(error.kind)))
          throw error;
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
      if (best === -Infinity)
        return { ...common, ...fallbackChoice(settings, candidates, 'No candidate got a score.') };
      const unscored = scores.filter((score) => score === null).length;
      const rest = unscored === 0 ? '' : unscored === 1 ? ' One got no score.' : ` ${unscored} got no score.`;
      return { ...common, chosen: scores.indexOf(best), reason: `It has the highest score, ${best}.${rest}` };
    },
  };
}
