import { callsOf, pairingFault, partsOf, schemasOf } from '../chatBody';
import type { ChatBody, ErrorDetails, JudgeContext, Persona, Refusal } from '../persona';
import { Chunks, finishOf, piecesOf, randomWord, usage } from '../stream';

const error = (message: string, { type = 'invalid_request_error' }: ErrorDetails = {}): object => ({
  error: { message, type },
});
const refused = (message: string): Refusal => ({ status: 400, body: error(`Invalid request: ${message}`) });

export const moonshot: Persona = {
  name: 'moonshot',
  protocols: ['chat'],
  refuse: (body, context) => refuseTools(body, context) ?? refuseMessages(body),
  error,
  failures: {
    overflow: [400, 'Invalid request: Your request exceeded model token limit: 262144'],
    rate: [
      429,
      'Your account reached the limit of requests, please try again after 1 seconds',
      { type: 'rate_limit_reached_error' },
    ],
    auth: [401, 'Invalid Authentication', { type: 'invalid_authentication_error' }],
  },
  callId: () => `call_${randomWord(24)}`,
  chunks(reply, facts) {
    const chunks = new Chunks(facts.model);
    chunks.add({ role: 'assistant', content: '' });
    for (const piece of piecesOf(reply.reasoning ?? '')) chunks.add({ reasoning_content: piece });
    for (const piece of piecesOf(reply.text ?? '')) chunks.add({ content: piece });
    chunks.addCallsInPieces(facts);
    chunks.add({}, finishOf(reply));
    // The usage is inside the choice.
    chunks.all.at(-1)!.choices[0].usage = usage;
    return chunks.all;
  },
};

/** "Moonshot flavored JSON Schema". Some of its endpoints only check the root, so the other rules are unsure. */
function refuseTools(body: ChatBody, { unsure }: JudgeContext): Refusal | undefined {
  for (const { schema, place, isRoot, name } of schemasOf(body)) {
    if (isRoot && schema.type !== 'object')
      return refused('tools.function.parameters.type is required and must be "object"');
    if (!/^[a-zA-Z]/.test(name))
      return refused(
        `function name is invalid, must start with a letter and can contain letters, numbers, underscores, and dashes`,
      );
    if (!unsure) continue;
    const say = (details: string): Refusal =>
      refused(
        `tools.function.parameters is not a valid moonshot flavored json schema, details: <At path '${place.join('.')}': ${details}>`,
      );
    const branches = schema.anyOf ?? schema.oneOf;
    if (branches && 'type' in schema)
      return say('when using anyOf, type should be defined in anyOf items instead of the parent schema');
    if (branches && 'default' in schema) return say("keyword 'default' is not allowed at the same level as anyOf");
    if ('$ref' in schema && Object.keys(schema).length > 1)
      return say('conflicting keywords found after $ref expansion');
    if (!branches && !('$ref' in schema) && !('allOf' in schema) && schema.type === undefined)
      return say('type is not defined');
    if (Object.values(schema.properties ?? {}).some((one) => typeof one === 'boolean'))
      return say('boolean schemas are not supported');
    if (Array.isArray(schema.items) || schema.prefixItems) return say('tuple items are not supported');
  }
  return undefined;
}

function refuseMessages(body: ChatBody): Refusal | undefined {
  const { messages = [], thinking } = body;
  for (const [at, message] of messages.entries()) {
    if (partsOf(message).some(({ type, text }) => type === 'text' && !text)) return refused('text content is empty');
    const isEmpty = message.role === 'assistant' && !message.content?.length && !message.tool_calls?.length;
    if (isEmpty) return refused(`the message at position ${at} with role 'assistant' must not be empty`);
  }
  if (pairingFault(body)) return refused('tool_call_id  is not found');
  if (thinking !== undefined && body.reasoning_effort !== undefined)
    return refused('thinking and reasoning_effort cannot be used together');
  if (thinking?.type === 'disabled') return undefined;
  const missing = callsOf(body).find(({ message }) => !message.reasoning_content);
  return (
    missing && {
      status: 400,
      body: error(
        `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${missing.index}`,
      ),
    }
  );
}
