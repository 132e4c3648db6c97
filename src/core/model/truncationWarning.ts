import type { ModelReply, ModelRequest, ToolCall } from '../ports/model';

/** Shorter requests are not checked, because the estimate is too imprecise for them. */
const minEstimate = 4_000;
/**
 * Code and prose have 2.5 to 5 characters per token, so a provider that read everything counts more than half of this
 * estimate.
 */
const charactersPerToken = 4;
const surelyLess = 0.4;

/**
 * Returns why a provider seems to have silently truncated the chat, as a message for people. Undefined if it read
 * everything, did not report tokens, or the request is too short to tell. Images and tools are not estimated, because
 * they only make a request longer.
 */
export function truncationWarning(
  { messages }: Pick<ModelRequest, 'messages'>,
  { usage: { inputTokens }, model }: Pick<ModelReply, 'usage' | 'model'>,
): string | undefined {
  if (inputTokens === null || inputTokens <= 0) return undefined;
  const sent = Math.round(messages.reduce((sum, message) => sum + lengthOf(message), 0) / charactersPerToken);
  if (sent < minEstimate || inputTokens >= sent * surelyLess) return undefined;
  return `${model} read about ${thousands(inputTokens)} of roughly ${thousands(sent)} tokens that were sent: its server seems to truncate long conversations silently. Condense the conversation, or give the model a larger context on its server.`;
}

/** Called for all messages at each step, so it creates no objects. */
function lengthOf(message: ModelRequest['messages'][number]): number {
  const ofCalls = message.role === 'assistant' ? message.tool_calls?.reduce(withCall, 0) : undefined;
  return message.content.length + (ofCalls ?? 0);
}

const withCall = (sum: number, { function: { name, arguments: text } }: ToolCall): number =>
  sum + name.length + text.length;

const thousands = (tokens: number): string => (tokens < 1_000 ? String(tokens) : `${Math.round(tokens / 1_000)},000`);
