import { dotted, schemasOf } from '../chatBody';
import { commonTop, plainTool, words } from '../knownKeys';
import type { ChatBody, ErrorDetails, JudgeContext, KeyPath, Persona, Refusal } from '../persona';
import { refusedWith } from '../persona';
import { Chunks, usage } from '../stream';

const error = (message: string, { code = 400, type = 'INVALID_ARGUMENT' }: ErrorDetails = {}): object[] => [
  { error: { code, message, status: type } },
];

const refused = refusedWith(error);

/** Keywords that Google's own API refuses in schemas. */
const unknownWords = [
  'const',
  'additionalProperties',
  'exclusiveMinimum',
  'exclusiveMaximum',
  '$schema',
  '$ref',
  'propertyNames',
  'patternProperties',
  'oneOf',
  'allOf',
  'not',
  'examples',
  'multipleOf',
];

/** Google tells clients without a signature to send one of these. */
const skipWords = ['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go'];

const toolName = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;

export const gemini: Persona = {
  name: 'gemini',
  protocols: ['chat'],
  keys: {
    top: words(
      `${commonTop.replace(/frequency_penalty|presence_penalty|logit_bias/g, '')} extra_body service_tier modalities audio`,
    ),
    ...plainTool,
  },
  refuseUnknown(paths) {
    const told = paths.map((path) => ({ path, description: unknownName(path) }));
    const fieldViolations = told.map(({ path, description }) => ({
      ...(path.length > 1 && { field: dotted(path.slice(0, -1)) }),
      description,
    }));
    const message = told.map(({ description }) => description).join('\n');
    const details = [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations }];
    return { status: 400, body: [{ error: { code: 400, message, status: 'INVALID_ARGUMENT', details } }] };
  },
  refuse: (body, context) => refuseTools(body, context) ?? refuseMessages(body, context),
  error,
  failures: {
    overflow: [400, 'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).'],
    rate: [429, 'Resource has been exhausted (e.g. check quota).', { code: 429, type: 'RESOURCE_EXHAUSTED' }],
    auth: [400, 'API key not valid. Please pass a valid API key.'],
  },
  callId: () => `function-call-${Math.floor(Math.random() * 1e15)}`,
  chunks({ text }, facts) {
    const chunks = new Chunks(facts.model);
    if (text) chunks.add({ role: 'assistant', content: text });
    facts.calls.forEach((call, at) => {
      // No index, complete arguments, and a signature only on the first call of a step.
      const signed = at === 0 && { extra_content: { google: { thought_signature: facts.sign() } } };
      chunks.add({ role: 'assistant', tool_calls: [{ ...signed, ...call }] });
    });
    // "stop" despite the calls.
    chunks.add({ role: 'assistant' }, 'stop', { usage });
    return chunks.all;
  },
};

function unknownName(path: KeyPath): string {
  const where = path.length > 1 ? ` at '${dotted(path.slice(0, -1))}'` : '';
  return `Invalid JSON payload received. Unknown name "${path.at(-1)}"${where}: Cannot find field.`;
}

function refuseTools(body: ChatBody, { unsure }: JudgeContext): Refusal | undefined {
  const wrong = (body.tools ?? []).findIndex((tool) => !toolName.test(tool.function?.name ?? ''));
  if (wrong >= 0) {
    return refused(
      `The GenerateContentRequest proto is invalid:\n  * tools[0].function_declarations[${wrong}].name: [FIELD_INVALID] Invalid function name. Must start with a letter or an underscore. Must be a-z, A-Z, 0-9, or contain underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.`,
    );
  }
  for (const { schema, place, tool } of schemasOf(body)) {
    const where = `tools[0].function_declarations[${tool}].parameters${place.length > 0 ? `.${dotted(place)}` : ''}`;
    if (schema.type === 'array' && !schema.items)
      return refused(`* GenerateContentRequest.${where}.items: missing field.`);
    if (!unsure) continue;
    const unknown = unknownWords.find((word) => word in schema);
    if (unknown)
      return refused(`Invalid JSON payload received. Unknown name "${unknown}" at '${where}': Cannot find field.`);
    if (Array.isArray(schema.type)) {
      return refused(
        `Invalid JSON payload received. Unknown name "type" at '${where}': Proto field is not repeating, cannot start list.`,
      );
    }
  }
  return undefined;
}

function refuseMessages({ model = '', messages = [] }: ChatBody, { unsure, seals }: JudgeContext): Refusal | undefined {
  if (unsure && messages.some(({ role, name }) => role === 'tool' && !name))
    return refused('Request contains an invalid argument.');
  if (/gemini-[12]\b|gemini-[12]\./.test(model)) return undefined;
  // The current turn begins at the last user message. The first call of each of its steps must include its signature.
  const from = messages.findLastIndex(({ role }) => role === 'user');
  for (const [at, { tool_calls: [call] = [] }] of messages.entries()) {
    if (at < from || !call) continue;
    const signature = call.extra_content?.google?.thought_signature;
    if (!signature) {
      return refused(
        `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${call.function.name}\` , position ${at + 1}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`,
      );
    }
    if (!seals.has(signature) && !skipWords.includes(signature)) return refused('Corrupted thought signature.');
  }
  return undefined;
}
