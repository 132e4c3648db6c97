import { type ModelReply, ModelProblem, type ModelRequest, type ToolCall } from '../../../ports/model';
import type { Verifier, VerifierParts, CandidateChoice, CandidateVerdict } from './verifier';
import type { Usage, Candidate } from '../../../../protocol/events/event';
import { mapLimited } from '../mapLimited';
import type { VerifierSettings } from '../samplingSettings';
import { historyWindow } from './historyWindow';
import type { PromptVariables, ShownCandidate } from './prompts';
import { firstUsable } from './firstValid';

/** Has a model compare all candidates and return the number of the best. */
export function comparingModel({ settings, model, prompts }: VerifierParts): Verifier {
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
      const judgement = { by: 'llm' as const, outputs: [reply.text], usages: [reply.usage] };
      const number = numberIn(reply.text);
      if (number === null)
        return { ...judgement, ...fallbackChoice(settings, candidates, 'The judge named no candidate.') };
      const chosen = number - settings.indexBase;
      if (!candidates[chosen])
        return {
          ...judgement,
          ...fallbackChoice(settings, candidates, `The judge named candidate ${number}, which does not exist.`),
        };
      return { ...judgement, chosen, reason: `The judge chose candidate ${number}.` };
    },
  };
}

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
export function scoringModel({ settings, model, prompts, parallel, sleep }: VerifierParts): Verifier {
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
      const rest = unscored > 0 && `${unscored === 1 ? 'One' : unscored} got no score.`;
      const reason = [`It has the highest score, ${best}.`, rest].filter(Boolean).join(' ');
      return { ...common, chosen: scores.indexOf(best), reason };
    },
  };
}

/** Returns the variables of the judge's prompts. `about`: index of the candidate to score. */
function promptVariables(
  { candidates, messages, checklist = [] }: CandidateChoice,
  { historySteps, indexBase }: VerifierSettings,
  about = 0,
): PromptVariables {
  const shown = candidates.map(({ text, summary, calls, problem }, index): ShownCandidate => ({
    number: index + indexBase,
    text,
    actions: summary,
    problem: problem ?? '',
    calls: (calls as ToolCall[]).map((call) => `${call.function.name} ${call.function.arguments}`),
  }));
  return {
    ...historyWindow(messages, historySteps),
    checklist,
    candidates: shown,
    candidate: shown[about]!,
    first: indexBase,
    last: indexBase + shown.length - 1,
  };
}

/**
 * Returns a function that reads the number captured by the last match of a pattern, or null if there is no match or no
 * number. Throws an `Error` that names the setting if the pattern is invalid.
 */
function lastNumber(pattern: string, setting: string): (text: string) => number | null {
  const regex = compile(pattern, setting);
  return (text) => {
    const words = [...text.matchAll(regex)].at(-1)?.[1];
    const value = words === undefined || words.trim() === '' ? NaN : Number(words);
    return Number.isFinite(value) ? value : null;
  };
}

function compile(pattern: string, setting: string): RegExp {
  let groups: number;
  try {
    groups = new RegExp(`${pattern}|`).exec('')!.length - 1;
  } catch (cause) {
    throw new Error(
      `The pattern “${pattern}” of ${setting} is not a regular expression (${(cause as Error).message}). Correct or remove it.`,
      { cause },
    );
  }
  if (groups !== 1)
    throw new Error(
      `The pattern “${pattern}” of ${setting} has ${groups} groups. It needs exactly one, around the number.`,
    );
  return new RegExp(pattern, 'g');
}

/** Returns the choice if judging failed. `why` is a sentence for people. */
function fallbackChoice(
  { fallback }: Pick<VerifierSettings, 'fallback'>,
  candidates: readonly Candidate[],
  why: string,
): Pick<CandidateVerdict, 'chosen' | 'reason' | 'fallback'> {
  const valid = fallback === 'first_valid' ? firstUsable(candidates) : undefined;
  return {
    chosen: valid ?? 0,
    fallback,
    reason: `${why} ${valid === undefined ? 'The first candidate is used.' : 'The first valid candidate is used.'}`,
  };
}
