import type { Usage, Candidate } from '../../../protocol/events/event';
import { mapLimited } from './mapLimited';
import { ModelProblem, type Model, type ModelReply, type ModelRequest, type ToolCall } from '../../ports/model';
import type { SamplingSettings } from './samplingSettings';
import type { ReadCall, Proposal } from '../../ports/replyFormat';

interface CandidateReplies {
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
    const furtherReplies = others.filter((result) => result.status === 'fulfilled').map(({ value }) => value);
    const problems = others.filter((result) => result.status === 'rejected').map(({ reason }) => reason as unknown);
    const replies = [...first, ...furtherReplies];
    if (replies.length === 0) throw problems.at(-1);
    return {
      replies,
      problems,
      usages: [...(together ? [together.usage] : []), ...furtherReplies.map(({ usage }) => usage)],
    };
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

/** How to read a candidate, in the same way as any reply of the profile. */
export interface CandidateReader {
  /** The profile's `ReplyFormat.read`. */
  read(reply: ModelReply): Proposal;
  /** Any name is valid if absent. */
  toolExists?(name: string, input: unknown): boolean;
  /** Describes a call in one line for people. May throw if its input is invalid. */
  summarize?(call: ReadCall): string;
  /** True if text without an action is an answer, and therefore a usable reply. */
  readonly textIsAnswer?: boolean;
}

/** Converts a reply to the candidate that the log stores. */
export function readCandidate(reply: ModelReply, reader: CandidateReader): Candidate {
  const { text, reasoning, toolCalls, usage, model, finishReason } = reply;
  const proposal = reader.read(reply);
  const calls = proposal.groups.flat();
  const summaries = calls.map((call) => summarizeCall(call, reader));
  const problem = problemOf(proposal, calls, finishReason, reader);
  return {
    text,
    calls: [...toolCalls],
    usage,
    model,
    finishReason,
    summary: summaries.join('\n'),
    ...(reasoning && { reasoning }),
    ...(problem !== undefined && { problem }),
  };
}

/** Converts a candidate back to a reply, so that a format can read it again. */
export function replyOf({ text, reasoning, calls, usage, model, finishReason }: Candidate): ModelReply {
  return {
    text,
    toolCalls: calls as readonly ToolCall[],
    usage,
    model,
    finishReason,
    firstTokenMs: null,
    ...(reasoning && { reasoning }),
  };
}

function problemOf(
  { problem, completed, text }: Proposal,
  calls: readonly ReadCall[],
  finishReason: string,
  { toolExists, textIsAnswer }: CandidateReader,
): string | undefined {
  if (problem !== undefined) return problem;
  const faults = calls.map(
    (call) =>
      call.problem ??
      (toolExists && !toolExists(call.tool, call.input) ? `There is no tool named ${call.tool}.` : undefined),
  );
  if (calls.length > 0) return faults.every((fault) => fault !== undefined) ? faults[0] : undefined;
  if (/^(content_filter|refusal|safety)$/.test(finishReason)) return 'The provider’s content filter stopped it.';
  return completed !== undefined || (textIsAnswer && text.trim() !== '') ? undefined : 'It contains no action.';
}

function summarizeCall(call: ReadCall, { summarize }: CandidateReader): string {
  try {
    if (summarize && call.problem === undefined) return summarize(call);
  } catch {
    /* what does not fit is named by its tool */
  }
  return call.tool;
}
