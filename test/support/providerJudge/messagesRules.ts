// What Anthropic's own API, POST /v1/messages, accepts and refuses. Sources: README.md, "anthropic-messages".
import {
  blocksOf,
  leadingResults,
  mergedMessages,
  messagesOf,
  refusedMessages as refused,
  type Block,
} from './messagesBody';
import { bindingControls, refuseThoughts } from './messagesThoughts';
import type { ChatBody, JudgeContext, Refusal } from './persona';
import { anthropicSchemaFault } from './toolSchemas';

const words = (names: string): ReadonlySet<string> => new Set(names.split(' '));

const topKeys = words(
  'model messages max_tokens cache_control container inference_geo metadata output_config service_tier stop_sequences stream system temperature ' +
    'thinking tool_choice tools top_k top_p user_profile_id',
);
const messageKeys = words('role content');
const toolKeys = words(
  'name description input_schema cache_control strict type allowed_callers defer_loading eager_input_streaming input_examples',
);
const thinkingKeys: Readonly<Record<string, ReadonlySet<string>>> = {
  enabled: words('type budget_tokens display'),
  adaptive: words('type display block_binding'),
  disabled: words('type'),
};

/** Block type → allowed keys, and role → allowed block types. Other types are refused. */
const blockKeys: Readonly<Record<string, ReadonlySet<string>>> = {
  text: words('type text cache_control citations'),
  image: words('type source cache_control transformations'),
  tool_use: words('type id name input cache_control caller'),
  tool_result: words('type tool_use_id content is_error cache_control'),
  thinking: words('type thinking signature'),
  redacted_thinking: words('type data'),
};
const blocksOfSide: Readonly<Record<string, readonly string[]>> = {
  user: ['text', 'image', 'tool_result'],
  assistant: ['text', 'tool_use', 'thinking', 'redacted_thinking'],
};

/** Known properties of models, by name. */
const refusesPrefill = /(opus|sonnet|haiku|fable|mythos)-(4[-.][6-9]|[5-9])/;
const thinksByBudgetAlone = /claude-3[-.]7|-4(?![-.][6-9]\b)/;
const refusesBudget = /(opus|sonnet)-4[-.][78]|(opus|sonnet|haiku|fable|mythos)-[5-9]/;
const refusesSampling = refusesBudget;
const thinksUnasked = /(opus|sonnet|haiku|fable|mythos)-[5-9]/;
const mostOutput = (model: string): number => {
  if (/-4[-.]5|sonnet-4-2/.test(model)) return 64_000;
  return /opus-4[-.]1|opus-4-2/.test(model) ? 32_000 : 128_000;
};

/** Returns the refusal ({status, body}), or undefined. */
export function judgeMessages(body: ChatBody, context: JudgeContext): Refusal | undefined {
  return (
    refuseHeaders(context) ??
    refuseKeys(body) ??
    refuseSettings(body, context) ??
    refuseTools(body) ??
    refuseMessages(body) ??
    refusePairs(body) ??
    refuseMarks(body) ??
    refuseThoughts(body, context)
  );
}

/** Returns whether the model thinks for this request. */
export const thinksAbout = ({ model = '', thinking }: ChatBody): boolean =>
  thinking ? thinking.type !== 'disabled' : thinksUnasked.test(model);

function refuseHeaders({ headers }: JudgeContext): Refusal | undefined {
  const hasKey = headers['x-api-key'] !== undefined || headers.authorization !== undefined;
  if (!hasKey) return refused('x-api-key header is required', 401, 'authentication_error');
  return headers['anthropic-version'] === undefined ? refused('anthropic-version: header is required') : undefined;
}

function refuseKeys(body: ChatBody): Refusal | undefined {
  const look = (value: unknown, known: ReadonlySet<string> | undefined, place: string): string[] => {
    if (!known || typeof value !== 'object' || value === null) return [];
    return Object.keys(value)
      .filter((key) => !known.has(key))
      .map((key) => `${place}${key}`);
  };
  const { system = [], tools = [], thinking, output_config: output } = body;
  const inBlocks = (blocks: readonly Block[], place: string): string[] =>
    blocks.flatMap((block, at) => [
      ...look(block, blockKeys[block.type], `${place}${at}.${block.type}.`),
      ...(Array.isArray(block.content) ? inBlocks(block.content, `${place}${at}.${block.type}.content.`) : []),
    ]);
  const found = [
    ...look(body, topKeys, ''),
    ...look(thinking, thinkingKeys[thinking?.type], `thinking.${thinking?.type}.`),
    ...look(output, words('effort format'), 'output_config.'),
    ...(Array.isArray(system) ? inBlocks(system, 'system.') : []),
    ...tools.flatMap((tool, at) => look(tool, toolKeys, `tools.${at}.custom.`)),
    ...messagesOf(body).flatMap((message, at) => [
      ...look(message, messageKeys, `messages.${at}.`),
      ...inBlocks(blocksOf(message), `messages.${at}.content.`),
    ]),
  ];
  return found.length > 0 ? refused(`${found[0]}: Extra inputs are not permitted`) : undefined;
}

function refuseSettings(body: ChatBody, { headers }: JudgeContext): Refusal | undefined {
  const { model = '', max_tokens: limit, temperature, thinking, output_config: output, tool_choice: choice } = body;
  if (typeof limit !== 'number') return refused('max_tokens: Field required');
  if (limit < 1) return refused('max_tokens: Input should be greater than or equal to 1');
  if (limit > mostOutput(model)) {
    return refused(
      `max_tokens: ${limit} > ${mostOutput(model)}, which is the maximum allowed number of output tokens for ${model}`,
    );
  }
  if (temperature !== undefined) {
    if (refusesSampling.test(model)) return refused('`temperature` is deprecated for this model.');
    if (temperature < 0 || temperature > 1) return refused('temperature: range: 0..1');
    if (thinking && thinking.type !== 'disabled' && temperature !== 1) {
      return refused('`temperature` may only be set to 1 when thinking is enabled.');
    }
  }
  if (thinking?.type === 'enabled') {
    if (refusesBudget.test(model)) {
      return refused(
        '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
      );
    }
    if (thinking.budget_tokens < 1024)
      return refused('thinking.enabled.budget_tokens: Input should be greater than or equal to 1024');
    if (thinking.budget_tokens >= limit) return refused('`max_tokens` must be greater than `thinking.budget_tokens`.');
  }
  if (thinking?.type === 'adaptive' && thinksByBudgetAlone.test(model))
    return refused('adaptive thinking is not supported on this model');
  if (thinking?.type === 'disabled' && /(fable|mythos)-5|(opus|sonnet)-5[-.]5/.test(model)) {
    return refused('"thinking.type.disabled" is not supported for this model.');
  }
  if (thinking?.block_binding && !String(headers['anthropic-beta']).includes(bindingControls)) {
    return refused('thinking.adaptive.block_binding: Extra inputs are not permitted');
  }
  if (output?.effort !== undefined) {
    if (thinksByBudgetAlone.test(model)) return refused('This model does not support the effort parameter.');
    const known = /-4[-.]6/.test(model) ? ['low', 'medium', 'high', 'max'] : ['low', 'medium', 'high', 'xhigh', 'max'];
    if (!known.includes(output.effort))
      return refused(`output_config.effort: Input should be ${known.map((word) => `'${word}'`).join(', ')}`);
  }
  if (choice !== undefined && !['auto', 'any', 'tool', 'none'].includes(choice?.type)) {
    return refused("tool_choice: Input tag does not match any of the expected tags: 'any', 'auto', 'none', 'tool'");
  }
  return choice !== undefined && !body.tools?.length
    ? refused('tool_choice: may only be specified while providing tools')
    : undefined;
}

function refuseTools(body: ChatBody): Refusal | undefined {
  for (const [at, { name, input_schema: schema }] of (body.tools ?? []).entries()) {
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(name ?? ''))
      return refused(`tools.${at}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`);
    const fault = anthropicSchemaFault(schema, `tools.${at}`);
    if (fault !== undefined) return refused(fault);
  }
  const names = (body.tools ?? []).map(({ name }) => name);
  return new Set(names).size < names.length ? refused('tools: Tool names must be unique.') : undefined;
}

function refuseMessages(body: ChatBody): Refusal | undefined {
  const messages = messagesOf(body);
  if (messages.length === 0) return refused('messages: at least one message is required');
  if (messages[0]!.role !== 'user') return refused('messages: first message must use the "user" role');
  for (const [index, message] of messages.entries()) {
    const allowed = blocksOfSide[message.role];
    if (!allowed)
      return refused(`messages: Unexpected role "${message.role}". Allowed roles are "user" or "assistant".`);
    const blocks = blocksOf(message);
    if (blocks.length === 0)
      return refused(
        `messages.${index}: all messages must have non-empty content except for the optional final assistant message`,
      );
    for (const [at, block] of blocks.entries()) {
      const place = `messages.${index}.content.${at}`;
      if (!allowed.includes(block.type))
        return refused(
          `${place}: Input tag '${block.type}' found using 'type' does not match any of the expected tags`,
        );
      const wrong = refuseBlock(block, place);
      if (wrong) return wrong;
    }
  }
  if (Array.isArray(body.system)) {
    const empty = (body.system as Block[]).some(({ text }) => !text?.trim());
    if (empty) return refused('system: text content blocks must be non-empty');
  }
  if (messages.at(-1)!.role === 'assistant' && refusesPrefill.test(body.model ?? '')) {
    return refused(
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    );
  }
  return undefined;
}

function refuseBlock(block: Block, place: string): Refusal | undefined {
  switch (block.type) {
    case 'text':
      if (!block.text) return refused(`${place}: text content blocks must be non-empty`);
      return block.text.trim() ? undefined : refused(`${place}: text content blocks must contain non-whitespace text`);
    case 'image': {
      const { type, media_type: media, data } = block.source ?? {};
      if (type === 'url') return undefined;
      if (type !== 'base64' || !data) return refused(`${place}.image.source: Field required`);
      if (['image/jpeg', 'image/png', 'image/gif', 'image/webp'].includes(media)) return undefined;
      return refused(
        `${place}.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`,
      );
    }
    case 'tool_use':
      if (!/^[a-zA-Z0-9_-]+$/.test(block.id ?? ''))
        return refused(`${place}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`);
      if (!/^[a-zA-Z0-9_-]{1,200}$/.test(block.name ?? ''))
        return refused(`${place}.tool_use.name: String should match pattern`);
      if (typeof block.input === 'object' && block.input !== null && !Array.isArray(block.input)) return undefined;
      return refused(`${place}.tool_use.input: Input should be a valid dictionary`);
    case 'tool_result': {
      const parts = Array.isArray(block.content) ? (block.content as Block[]) : [];
      for (const [at, part] of parts.entries()) {
        const wrong = refuseBlock(part, `${place}.tool_result.content.${at}`);
        if (wrong) return wrong;
      }
      return undefined;
    }
    case 'thinking':
      return typeof block.signature === 'string' ? undefined : refused(`${place}.thinking.signature: Field required`);
    default:
      return undefined;
  }
}

/** Refuses calls without a result at the beginning of the next message, and results without a call. */
function refusePairs(body: ChatBody): Refusal | undefined {
  const merged = mergedMessages(messagesOf(body));
  const seen = new Set<string>();
  for (const [index, message] of merged.entries()) {
    const asked = blocksOf(message)
      .filter(({ type }) => type === 'tool_use')
      .map(({ id }) => id as string);
    const twice = asked.find((id, at) => seen.has(id) || asked.indexOf(id) !== at);
    if (twice !== undefined) return refused(`messages.${index}: \`tool_use\` ids must be unique`);
    for (const id of asked) seen.add(id);
    const next = merged[index + 1];
    const answers = leadingResults(next);
    const open = asked.filter((id) => !answers.includes(id));
    if (open.length > 0) {
      return refused(
        `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
      );
    }
    const before = blocksOf(merged[index - 1] ?? { role: 'user', content: [] })
      .filter(({ type }) => type === 'tool_use')
      .map(({ id }) => id as string);
    const results = blocksOf(message)
      .filter(({ type }) => type === 'tool_result')
      .map(({ tool_use_id: id }) => id as string);
    const stray = results.find((id) => !before.includes(id));
    if (stray !== undefined) {
      return refused(
        `messages.${index}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      );
    }
    if (new Set(results).size < results.length) {
      return refused(
        `messages.${index}.content: each tool_use must have a single result. Found multiple \`tool_result\` blocks with the same id.`,
      );
    }
  }
  const usesTools = merged.some((message) =>
    blocksOf(message).some(({ type }) => type === 'tool_use' || type === 'tool_result'),
  );
  if (usesTools && !body.tools?.length)
    return refused('Requests which include `tool_use` or `tool_result` blocks must define tools.');
  return undefined;
}

const mostMarks = 4;

function refuseMarks(body: ChatBody): Refusal | undefined {
  const found = JSON.stringify(body).split('"cache_control":{"type":"ephemeral"').length - 1;
  return found > mostMarks
    ? refused(`A maximum of ${mostMarks} blocks with cache_control may be provided. Found ${found}.`)
    : undefined;
}
