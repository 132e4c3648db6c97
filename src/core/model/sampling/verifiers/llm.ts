import type { ModelReply } from '../../../ports/model';
import { fallbackChoice } from './fallback';
import { lastNumber } from './lastNumber';
import { promptVariables } from './promptVariables';
import type { Verifier, VerifierParts } from './verifier';

/** Has a model compare all candidates and return the number of the best. */
export function llm({ settings, model, prompts }: VerifierParts): Verifier {
  const numberIn = lastNumber(settings.selectionRegex, 'selectionRegex');
  return {
    async choose(choice, signal) {
      const { candidates } = choice;
      choice.progress(0, 1);
      let reply: ModelReply;
      try {
        const variables = promptVariables(choice, settings);
        reply = await model.complete(
          {
            messages: [
              { role: 'system', content: await prompts.system(variables) },
              { role: 'user', content: await prompts.selection(variables) },
            ],
            tools: [],
          },
          signal,
        );
      } catch (error) {
        signal.throwIfAborted();
        return {
          by: 'llm',
          outputs: [],
          usages: [],
          ...fallbackChoice(settings, candidates, `The judge did not answer: ${(error as Error).message}`),
        };
      }
      const said = { by: 'llm' as const, outputs: [reply.text], usages: [reply.usage] };
      const number = numberIn(reply.text);
      if (number === null) return { ...said, ...fallbackChoice(settings, candidates, 'The judge named no candidate.') };
      const chosen = number - settings.indexBase;
      if (!candidates[chosen])
        return {
          ...said,
          ...fallbackChoice(settings, candidates, `The judge named candidate ${number}, which does not exist.`),
        };
      return { ...said, chosen, reason: `The judge chose candidate ${number}.` };
    },
  };
}
