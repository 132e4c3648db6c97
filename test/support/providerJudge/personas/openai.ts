import { callsOf, holdsImage, lacksItems, pairingFault, schemasOf } from '../chatBody';
import { draftFault, isRefusedFormat, isRefusedPattern } from '../toolSchemas';
import { commonTop, openAiError, plainCall, plainTool, words } from '../knownKeys';
import type { ChatBody, ErrorDetails, Persona, Refusal } from '../persona';
import { openAiChunks, randomWord } from '../stream';

export const refused = (message: string, more?: ErrorDetails): Refusal => ({
  status: 400,
  body: openAiError(message, more),
});

/** Returns whether a model reasons before it answers: the o-series, GPT-5 and later. */
export const reasons = (model = ''): boolean => /^(.*\/)?(o\d|gpt-5)/.test(model) && !model.includes('chat');

export const openAiKeys = {
  top: words(`${commonTop} metadata safety_identifier prompt_cache_key prompt_cache_retention prompt_cache_options service_tier modalities
    verbosity web_search_options audio store moderation prediction function_call functions`),
  ...plainTool,
  ...plainCall,
  message: {
    system: words('role content name'),
    developer: words('role content name'),
    user: words('role content name'),
    tool: words('role content tool_call_id'),
    assistant: words('role content name refusal audio tool_calls function_call'),
  },
  part: words('type text image_url input_audio file refusal prompt_cache_breakpoint'),
};

export const openai: Persona = {
  name: 'openai',
  protocols: ['chat', 'responses'],
  keys: openAiKeys,
  refuse: (body) => refuseModelRules(body) ?? refuseTools(body) ?? refuseMessages(body),
  error: openAiError,
  callId: () => `call_${randomWord(24)}`,
  // Its reasoning is never shown in a chat.
  chunks: (reply, facts) => openAiChunks(reply, facts),
};

/** Refuses what its reasoning models do not support. */
function refuseModelRules({
  model = '',
  max_tokens,
  temperature,
  reasoning_effort,
  tools = [],
}: ChatBody): Refusal | undefined {
  if (!reasons(model)) return undefined;
  if (max_tokens !== undefined) {
    return refused(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { param: 'max_tokens', code: 'unsupported_parameter' },
    );
  }
  if (temperature !== undefined && temperature !== 1) {
    return refused(
      `Unsupported value: 'temperature' does not support ${temperature} with this model. Only the default (1) value is supported.`,
      { param: 'temperature', code: 'unsupported_value' },
    );
  }
  const effort = reasoning_effort ?? (/gpt-5\.[5-9]/.test(model) ? 'medium' : 'none');
  if (tools.length > 0 && effort !== 'none' && /gpt-5\.[4-9]/.test(model)) {
    return refused(
      `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`,
      { param: 'reasoning_effort' },
    );
  }
  return undefined;
}

function refuseTools(body: ChatBody): Refusal | undefined {
  const { tools } = body;
  if (!tools) return undefined;
  if (tools.length === 0)
    return refused(
      "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      { param: 'tools', code: 'empty_array' },
    );
  if (tools.length > 128) {
    return refused(
      `Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length ${tools.length} instead.`,
      { param: 'tools', code: 'array_above_max_length' },
    );
  }
  for (const [at, tool] of tools.entries()) {
    if (/^[a-zA-Z0-9_-]{1,64}$/.test(tool.function?.name ?? '')) continue;
    const param = `tools[${at}].function.name`;
    return refused(
      `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
      { param, code: 'invalid_value' },
    );
  }
  return refuseSchemas(body);
}

const notAtRoot = ['oneOf', 'anyOf', 'allOf', 'enum', 'const', 'not'];

export function refuseSchemas(body: ChatBody): Refusal | undefined {
  for (const { schema, place, isRoot, tool, name } of schemasOf(body)) {
    const say = (message: string): Refusal =>
      refused(`Invalid schema for function '${name}': ${message}`, {
        param: `tools[${tool}].function.parameters`,
        code: 'invalid_function_parameters',
      });
    if (isRoot && schema.type !== 'object')
      return say(`schema must be a JSON Schema of 'type: "object"', got 'type: "${schema.type ?? 'None'}"'.`);
    const context = `In context=(${place.map((step) => `'${step}'`).join(', ')})`;
    if (lacksItems(schema)) return say(`${context}, array schema missing items.`);
    if (isRoot && notAtRoot.some((key) => key in schema)) {
      return say(
        "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'const'/'not' at the top level.",
      );
    }
    const patterns = [schema.pattern, ...Object.keys(schema.patternProperties ?? {})];
    const refusedPattern = patterns.find((pattern) => typeof pattern === 'string' && isRefusedPattern(pattern));
    if (refusedPattern !== undefined) return say(`'${refusedPattern}' is not a 'regex'.`);
    if (isRefusedFormat(schema.format) && reasons(body.model))
      return say(`${context}, '${schema.format}' is not a valid format.`);
    const fault = isRoot ? draftFault(schema) : undefined;
    if (fault !== undefined) return say(`${fault}.`);
  }
  return undefined;
}

function refuseMessages(body: ChatBody): Refusal | undefined {
  const { messages = [] } = body;
  for (const { index, place, call } of callsOf(body)) {
    if (call.id.length <= 40) continue;
    const param = `messages[${index}].tool_calls[${place}].id`;
    return refused(
      `Invalid '${param}': string too long. Expected a string with maximum length 40, but got a string with length ${call.id.length} instead.`,
      { param, code: 'string_above_max_length' },
    );
  }
  for (const [at, message] of messages.entries()) {
    const hasCalls = message.role === 'assistant' && Boolean(message.tool_calls?.length);
    if (message.content == null && !hasCalls)
      return refused("Invalid value for 'content': expected a string, got null.", {
        param: `messages.[${at}].content`,
      });
    if (message.tool_calls?.length === 0)
      return refused(`[] is too short - 'messages.${at}.tool_calls'`, { param: `messages.[${at}].tool_calls` });
    if (message.role !== 'user' && holdsImage(message)) {
      return refused(
        `Invalid 'messages[${at}]'. Image URLs are only allowed for messages with role 'user', but this message with role '${message.role}' contains an image URL.`,
        { param: `messages.[${at}]`, code: 'invalid_value' },
      );
    }
  }
  const fault = pairingFault(body);
  if (!fault) return undefined;
  return fault.kind === 'stray'
    ? refused(
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        { param: `messages.[${fault.index}].role` },
      )
    : refused(
        `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${fault.ids.join(', ')}`,
        { param: `messages.[${fault.index + 1}].role` },
      );
}
