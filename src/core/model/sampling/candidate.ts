import type { Candidate } from '../../../protocol/events/event';
import type { ModelReply, ToolCall } from '../../ports/model';
import type { Call, Proposal } from '../../ports/replyFormat';

/** How a candidate is understood: as the profile understands every reply. */
export interface CandidateReader {
  /** The profile's `ReplyFormat.read`. */
  read(reply: ModelReply): Proposal;
  /** Any name is good when absent. */
  toolExists?(name: string, input: unknown): boolean;
  /** What a call will do, in one line for a person; may throw when its input does not fit. */
  summarize?(call: Call): string;
  /** Whether words without an action are an answer, and so a reply that can be used. */
  readonly textIsAnswer?: boolean;
}

/** A reply as the log keeps it beside the others. */
export function readCandidate(reply: ModelReply, reader: CandidateReader): Candidate {
  const { text, reasoning, toolCalls, usage, model, finishReason } = reply;
  const proposal = reader.read(reply);
  const calls = proposal.groups.flat();
  const summaries = calls.map((call) => summaryOf(call, reader));
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

/** A candidate as the reply that it was, to be read by a format again. */
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
  calls: readonly Call[],
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
  return completed !== undefined || (textIsAnswer && text.trim() !== '') ? undefined : 'It holds no action.';
}

function summaryOf(call: Call, { summarize }: CandidateReader): string {
  try {
    if (summarize && call.problem === undefined) return summarize(call);
  } catch {
    /* what does not fit is named by its tool */
  }
  return call.tool;
}
