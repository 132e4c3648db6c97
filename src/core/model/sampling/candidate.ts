import type { Candidate } from '../../../protocol/events/event';
import type { ModelReply, ToolCall } from '../../ports/model';
import type { Call, Proposal } from '../../ports/replyFormat';

/** How to read a candidate, in the same way as any reply of the profile. */
export interface CandidateReader {
  /** The profile's `ReplyFormat.read`. */
  read(reply: ModelReply): Proposal;
  /** Any name is valid if absent. */
  toolExists?(name: string, input: unknown): boolean;
  /** Describes a call in one line for people. May throw if its input is invalid. */
  summarize?(call: Call): string;
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
  return completed !== undefined || (textIsAnswer && text.trim() !== '') ? undefined : 'It contains no action.';
}

function summarizeCall(call: Call, { summarize }: CandidateReader): string {
  try {
    if (summarize && call.problem === undefined) return summarize(call);
  } catch {
    /* what does not fit is named by its tool */
  }
  return call.tool;
}
