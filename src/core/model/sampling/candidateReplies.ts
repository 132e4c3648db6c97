import type { Usage } from '../../../protocol/events/event';
import { mapLimited } from './mapLimited';
import { ModelProblem, type Model, type ModelReply, type ModelRequest } from '../../ports/model';
import type { SamplingSettings } from './samplingSettings';

export interface CandidateReplies {
  readonly replies: readonly ModelReply[];
  /** Usage of each call. One call may return several replies. */
  readonly usages: readonly Usage[];
  /** Errors of failed calls, in order. */
  readonly problems: readonly unknown[];
}

/**
 * Requests several replies: in one call if `useN` is set and the server supports it, and in parallel calls for the
 * missing ones. A failed call does not affect the others. If there is no reply at all, throws the error of the last
 * call.
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
  /** False once the server was seen not to support `n`. */
  let inOneCall = useN;

  return async (request: ModelRequest, signal: AbortSignal): Promise<CandidateReplies> => {
    const { onDelta, onNotice, ...asked } = request;
    const shownNotices = new Set<string>();
    const quiet: ModelRequest = {
      ...asked,
      ...(Object.keys(parameters).length > 0 && { parameters: { ...parameters, ...request.parameters } }),
      ...(onNotice && {
        onNotice: (words: string) => {
          if (!shownNotices.has(words)) onNotice(words);
          shownNotices.add(words);
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

/** Returns undefined if the server rejected the request, as some do with `n`. */
async function allInOne(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<{ replies: ModelReply[]; usage: Usage } | undefined> {
  try {
    const { choices, ...reply } = await model.complete(request, signal);
    const { inputTokens, cachedTokens } = reply.usage;
    // All replies share the input. The output of each is not reported.
    const each = { inputTokens, cachedTokens, outputTokens: null, cost: null };
    return { replies: choices ? choices.map((choice) => ({ ...choice, usage: each })) : [reply], usage: reply.usage };
  } catch (error) {
    if (!signal.aborted && error instanceof ModelProblem && error.kind === 'invalid_request') return undefined;
    throw error;
  }
}
