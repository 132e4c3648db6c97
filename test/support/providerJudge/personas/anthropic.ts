import { callsOf, pairingFault, partsOf, schemasOf } from '../chatBody';
import type { ChatBody, ErrorDetails, Persona, Refusal } from '../persona';
import { refusedWith } from '../persona';
import { openAiChunks, randomWord } from '../stream';
import { anthropicSchemaFault } from '../toolSchemas';

const error = (message: string, { type = 'invalid_request_error' }: ErrorDetails = {}): object => ({
  error: { code: type, message, type, param: null },
});
const refused = refusedWith(error);

/** Anthropic's OpenAI compatibility layer: it ignores unknown keys and applies the rules of its own API. */
export const anthropic: Persona = {
  name: 'anthropic',
  protocols: ['chat'],
  refuse: (body) => refuseTools(body) ?? refuseMessages(body),
  error,
  failures: {
    overflow: [400, 'prompt is too long: 213462 tokens > 200000 maximum'],
    auth: [401, 'invalid x-api-key', { type: 'authentication_error' }],
  },
  callId: () => `toolu_01${randomWord(22)}`,
  // Its thinking is not shown through this layer.
  chunks: (reply, facts) => openAiChunks(reply, facts),
};

function refuseTools(body: ChatBody): Refusal | undefined {
  if (body.n !== undefined && body.n !== 1) return refused('n: must be exactly 1');
  const wrong = (body.tools ?? []).findIndex((tool) => !/^[a-zA-Z0-9_-]{1,128}$/.test(tool.function?.name ?? ''));
  if (wrong >= 0) return refused(`tools.${wrong}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
  for (const { schema, isRoot, tool } of schemasOf(body)) {
    const fault = isRoot ? anthropicSchemaFault(schema, `tools.${tool}`) : undefined;
    if (fault !== undefined) return refused(fault);
  }
  return undefined;
}

const refusesPrefill = /(opus|sonnet|haiku|fable)-(4[-.][6-9]|[5-9])/;

function refuseMessages(body: ChatBody): Refusal | undefined {
  const { messages = [], model = '' } = body;
  for (const { index, place, call } of callsOf(body)) {
    if (!/^[a-zA-Z0-9_-]+$/.test(call.id))
      return refused(`messages.${index}.content.${place}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
  }
  const fault = pairingFault(body);
  if (fault?.kind === 'unanswered') {
    return refused(
      `messages.${fault.index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${fault.ids.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    );
  }
  if (fault)
    return refused(
      `messages.${fault.index}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${fault.ids.join(', ')}.`,
    );
  const hasEmptyPart = messages.some((message) => partsOf(message).some(({ type, text }) => type === 'text' && !text));
  if (hasEmptyPart) return refused('messages: text content blocks must be non-empty');
  if (messages.at(-1)?.role === 'assistant' && refusesPrefill.test(model)) {
    return refused(
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    );
  }
  return undefined;
}
