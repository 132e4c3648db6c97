// The rules of Anthropic's own API for sending thinking back.
import {
  blocksOf,
  leadingResults,
  mergedMessages,
  messagesOf,
  refusedMessages as refused,
  type Block,
} from './messagesBody';
import type { ChatBody, GivenThought, JudgeContext, Refusal } from './persona';

/** Beta header without which `thinking.block_binding` is unknown. */
export const bindingControls = 'thinking-binding-controls-2026-08-01';

/** Models whose thinking is bound to the conversation before it. */
const bindsThinking = /(fable|mythos)-5[-.][1-9]|(opus|sonnet|haiku)-5[-.]5/;

/**
 * Returns the conversation before the message `index` in the form in which thinking is bound to it: without cache marks
 * and other thinking.
 */
export function prefixBefore(body: ChatBody, index: number): string {
  const messages = mergedMessages(messagesOf(body).slice(0, index)).map((message) => ({
    role: message.role,
    content: blocksOf(message).filter(({ type }) => !isThought(type)),
  }));
  const withoutMarks = (key: string, value: unknown): unknown => (key === 'cache_control' ? undefined : value);
  return JSON.stringify({ system: body.system, tools: body.tools, messages }, withoutMarks);
}

const isThought = (type: unknown): boolean => type === 'thinking' || type === 'redacted_thinking';

/**
 * Refuses thinking that was changed or comes from another model, and a tool loop whose message does not start with
 * thinking.
 */
export function refuseThoughts(body: ChatBody, context: JudgeContext): Refusal | undefined {
  const { model = '', thinking } = body;
  const messages = messagesOf(body);
  const drops = thinking?.block_binding?.prefix_mismatch_behavior === 'drop_block';
  for (const [index, message] of messages.entries()) {
    const blocks = blocksOf(message);
    const thoughts = blocks.flatMap((block, at) => (isThought(block.type) ? [{ block, at }] : []));
    for (const { block, at } of thoughts) {
      const place = `messages.${index}.content.${at}`;
      const given = context.thoughts.get(block.signature ?? block.data);
      if (!given || given.model !== model) return refused(`${place}: Invalid \`signature\` in \`thinking\` block`);
      const isSame = JSON.stringify(given.block) === JSON.stringify(block);
      if (!isSame || !keepsItsPlace(blocks, given)) {
        return refused(
          `${place}: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`,
        );
      }
      if (bindsThinking.test(model) && !drops && given.prefix !== prefixBefore(body, index)) {
        return refused(
          `${place}: Invalid \`signature\` in \`thinking\` block. The block is bound to a different conversation. Remove the block, or set \`thinking.block_binding.prefix_mismatch_behavior\` to "drop_block". That setting requires the \`${bindingControls}\` value in the \`anthropic-beta\` header.`,
        );
      }
    }
  }
  const last = messages.findLastIndex(({ role }) => role === 'assistant');
  const inLoop = last >= 0 && leadingResults(messages[last + 1]).length > 0;
  const first = inLoop ? blocksOf(messages[last]!)[0] : undefined;
  if (thinking?.type === 'enabled' && first && !isThought(first.type)) {
    return refused(
      `messages.${last}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.type}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`,
    );
  }
  return undefined;
}

/** Returns whether the blocks are in the order of the reply: no block was moved across a thinking block. */
function keepsItsPlace(blocks: readonly Block[], { order }: GivenThought): boolean {
  const kinds = blocks.map(({ type }) => type as string);
  const upTo = (list: readonly string[]): readonly string[] => list.slice(0, list.findLastIndex(isThought) + 1);
  return upTo(kinds).join() === upTo(order).join();
}
