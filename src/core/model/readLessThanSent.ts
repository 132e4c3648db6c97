import type { ModelReply, ModelRequest } from '../ports/model';

/** Shorter requests tell nothing: their few tokens are within what an estimate can be wrong by. */
const leastEstimate = 4_000;
/**
 * Code and prose take 2.5 to 5 characters for a token, so a provider that read
 * everything counts more than half of this estimate.
 */
const charactersPerToken = 4;
const surelyLess = 0.4;

/**
 * Why a provider seems to have left out a part of the chat without saying so, in words for a person; undefined
 * when it read what was sent, did not count, or the request is too short to tell. Pictures and tools are not
 * estimated: they only make a request longer.
 */
export function readLessThanSent(
  { messages }: Pick<ModelRequest, 'messages'>,
  { usage: { inputTokens }, model }: Pick<ModelReply, 'usage' | 'model'>,
): string | undefined {
  if (inputTokens === null || inputTokens <= 0) return undefined;
  const sent = Math.round(messages.reduce((sum, message) => sum + lengthOf(message), 0) / charactersPerToken);
  if (sent < leastEstimate || inputTokens >= sent * surelyLess) return undefined;
  return `${model} read about ${thousands(inputTokens)} of roughly ${thousands(sent)} tokens that were sent: its server seems to cut long conversations without saying so. Condense the conversation, or give the model a larger context where it is served.`;
}

function lengthOf(message: ModelRequest['messages'][number]): number {
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  return (
    message.content.length +
    calls.reduce((sum, { function: { name, arguments: text } }) => sum + name.length + text.length, 0)
  );
}

const thousands = (tokens: number): string => (tokens < 1_000 ? String(tokens) : `${Math.round(tokens / 1_000)},000`);
