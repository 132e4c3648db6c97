import type { Usage } from '../../../protocol/events/event';
import { mapLimited } from './mapLimited';
import { ModelProblem, type Model, type ModelReply, type ModelRequest } from '../../ports/model';
import type { SamplingSettings } from './samplingSettings';

export interface CandidateReplies {
  readonly replies: readonly ModelReply[];
  /** What each call used; one call may have brought several replies. */
  readonly usages: readonly Usage[];
  /** What each call that failed threw, in order. */
  readonly problems: readonly unknown[];
}

/**
 * Asks a model for several replies to one request: in one call where that is wanted and understood, in calls
 * beside each other for what is missing. A call that fails loses none of the others. Throws what the last
 * call threw when there is no reply at all.
 */
export function candidateAsker(
  model: Model,
  {
    candidates: n,
    useN,
    parameters,
    parallel,
  }: Pick<SamplingSettings, 'candidates' | 'useN' | 'parameters' | 'parallel'>,
) {
  /** Not asked again where the server was seen not to know `n`. */
  let inOneCall = useN;

  return async (request: ModelRequest, signal: AbortSignal): Promise<CandidateReplies> => {
    const { onDelta, onNotice, ...asked } = request;
    const told = new Set<string>();
    const quiet: ModelRequest = {
      ...asked,
      ...(Object.keys(parameters).length > 0 && { parameters: { ...parameters, ...request.parameters } }),
      ...(onNotice && {
        onNotice: (words: string) => {
          if (!told.has(words)) onNotice(words);
          told.add(words);
        },
      }),
    };
    let here = 0;
    const arrived = (count: number): void =>
      onDelta?.({ kind: 'progress', doing: 'sampling', done: (here += count), of: n });
    arrived(0);

    const together = inOneCall ? await allInOne(model, { ...quiet, n }, signal) : undefined;
    const first = together?.replies.slice(0, n) ?? [];
    inOneCall &&= first.length > 1;
    if (first.length > 0) arrived(first.length);
    const others = await mapLimited(parallel, Array.from({ length: n - first.length }), async () => {
      signal.throwIfAborted();
      const { choices: _others, ...reply } = await model.complete(quiet, signal);
      arrived(1);
      return reply;
    });
    signal.throwIfAborted();
    const came = others.filter((result) => result.status === 'fulfilled').map(({ value }) => value);
    const problems = others.filter((result) => result.status === 'rejected').map(({ reason }) => reason as unknown);
    const replies = [...first, ...came];
    if (replies.length === 0) throw problems.at(-1);
    return { replies, problems, usages: [...(together ? [together.usage] : []), ...came.map(({ usage }) => usage)] };
  };
}

/** Undefined where the request was refused, as some servers do with `n`. */
async function allInOne(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<{ replies: ModelReply[]; usage: Usage } | undefined> {
  try {
    const { choices, ...reply } = await model.complete(request, signal);
    const { inputTokens, cachedTokens } = reply.usage;
    // All have read the same; what each one wrote is not told.
    const each = { inputTokens, cachedTokens, outputTokens: null, cost: null };
    return { replies: choices ? choices.map((choice) => ({ ...choice, usage: each })) : [reply], usage: reply.usage };
  } catch (error) {
    if (!signal.aborted && error instanceof ModelProblem && error.kind === 'invalid_request') return undefined;
    throw error;
  }
}
