// What OpenAI refuses in requests of its Responses API.
import { dotted } from './chatBody';
import { refuseUnknownAsOpenAi, words } from './knownKeys';
import type { JudgeContext, KeyPath, Refusal } from './persona';
import { reasons, refused, refuseSchemas } from './personas/openai';

type Item = Record<string, any>;

interface ResponsesBody {
  readonly model?: string;
  readonly input?: string | readonly Item[];
  readonly tools?: readonly Item[];
  readonly include?: readonly string[];
  readonly [field: string]: any;
}

const topKeys =
  words(`model input instructions stream store include tools tool_choice parallel_tool_calls reasoning text max_output_tokens
  max_tool_calls metadata temperature top_p top_logprobs truncation user safety_identifier prompt_cache_key prompt_cache_retention
  prompt_cache_options previous_response_id conversation context_management background prompt service_tier stream_options moderation`);

const reasoningKeys = words('mode effort summary context generate_summary');

const toolKeys = words('type name description parameters strict output_schema defer_loading allowed_callers');

/** Item type → keys. Other types are refused. */
const itemKeys: Readonly<Record<string, ReadonlySet<string>>> = {
  message: words('type role content status id phase'),
  function_call: words('type id call_id caller namespace name arguments status'),
  function_call_output: words('type id call_id output name namespace caller status'),
  reasoning: words('type id encrypted_content summary content status'),
};

const partKeys: Readonly<Record<string, ReadonlySet<string>>> = {
  input_text: words('type text prompt_cache_breakpoint'),
  input_image: words('type image_url file_id detail prompt_cache_breakpoint'),
  input_file: words('type file_id filename file_data file_url detail prompt_cache_breakpoint'),
  output_text: words('type text annotations logprobs'),
  refusal: words('type refusal'),
  summary_text: words('type text'),
  reasoning_text: words('type text'),
};

/** Part types allowed per position. */
const kindsIn = {
  asked: ['input_text', 'input_image', 'input_file'],
  answered: ['output_text', 'refusal'],
  summary: ['summary_text'],
} as const;

const invalid = (message: string, path: KeyPath, code = 'invalid_value'): Refusal =>
  refused(message, { param: dotted(path), code });

/** Returns the refusal ({status, body}), or undefined. */
export function judgeResponses(body: ResponsesBody, context: JudgeContext): Refusal | undefined {
  return refuseResponsesKeys(body) ?? refuseModel(body) ?? refuseTools(body) ?? refuseInput(body, context);
}

/** Refuses unknown keys only. `takes`: additional keys that are accepted anywhere. */
export function refuseResponsesKeys(
  { input = [], tools = [], ...rest }: ResponsesBody,
  takes: ReadonlySet<string> = new Set(),
): Refusal | undefined {
  const look = (value: unknown, known: ReadonlySet<string> | undefined, place: KeyPath): KeyPath[] => {
    if (!known || typeof value !== 'object' || value === null) return [];
    return Object.keys(value)
      .filter((key) => !known.has(key) && !takes.has(key))
      .map((key) => [...place, key]);
  };
  const partsAt = (parts: unknown, place: KeyPath): KeyPath[] =>
    (Array.isArray(parts) ? parts : []).flatMap((part: Item, at) => look(part, partKeys[part.type], [...place, at]));
  const found = [
    ...look(rest, topKeys, []),
    ...look(rest.reasoning, reasoningKeys, ['reasoning']),
    ...tools.flatMap((tool, at) => look(tool, tool.type === 'function' ? toolKeys : undefined, ['tools', at])),
    ...(typeof input === 'string' ? [] : input).flatMap((item, at) => [
      ...look(item, itemKeys[item.type ?? 'message'], ['input', at]),
      ...partsAt(item.content, ['input', at, 'content']),
      ...partsAt(item.output, ['input', at, 'output']),
      ...partsAt(item.summary, ['input', at, 'summary']),
    ]),
  ];
  return found.length > 0 ? refuseUnknownAsOpenAi(found) : undefined;
}

function refuseModel({
  model = '',
  temperature,
  include,
  max_output_tokens: limit,
}: ResponsesBody): Refusal | undefined {
  if (reasons(model) && temperature !== undefined) {
    return refused("Unsupported parameter: 'temperature' is not supported with this model.", { param: 'temperature' });
  }
  if (!reasons(model) && include?.includes('reasoning.encrypted_content')) {
    return refused('Encrypted content is not supported with this model.', { param: 'include' });
  }
  if (limit !== undefined && limit < 16) {
    return invalid(
      `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${limit} instead.`,
      ['max_output_tokens'],
      'integer_below_min_value',
    );
  }
  return undefined;
}

function refuseTools(body: ResponsesBody): Refusal | undefined {
  for (const [at, { type, name }] of (body.tools ?? []).entries()) {
    if (typeof name !== 'string')
      return refused(`Missing required parameter: 'tools[${at}].name'.`, {
        param: `tools[${at}].name`,
        code: 'missing_required_parameter',
      });
    if (type === 'function' && /^[a-zA-Z0-9_-]{1,64}$/.test(name)) continue;
    return invalid(
      `Invalid 'tools[${at}].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
      ['tools', at, 'name'],
    );
  }
  return refuseSchemas({ tools: body.tools ?? [] });
}

function refuseInput(body: ResponsesBody, context: JudgeContext): Refusal | undefined {
  const { input = [] } = body;
  if (typeof input === 'string') return undefined;
  for (const [at, item] of input.entries()) {
    const wrong = refuseItem(item, at, { input, keepsNothing: body.store === false, seals: context.seals });
    if (wrong) return wrong;
  }
  return refusePairing(input);
}

/** What the server knows of earlier responses. */
interface Kept {
  /** True if the request sets `store` to false. */
  readonly keepsNothing: boolean;
  /** The encrypted reasoning that the server issued. */
  readonly seals: ReadonlySet<string>;
}

function refuseItem(
  item: Item,
  at: number,
  { input, ...kept }: Kept & { readonly input: readonly Item[] },
): Refusal | undefined {
  const type: string = item.type ?? 'message';
  if (!itemKeys[type]) return invalid(`Invalid value: '${type}'.`, ['input', at, 'type']);
  switch (type) {
    case 'message':
      return refuseParts(
        item.content,
        ['input', at, 'content'],
        item.role === 'assistant' ? kindsIn.answered : kindsIn.asked,
      );
    case 'function_call': {
      if (item.id !== undefined && !String(item.id).startsWith('fc'))
        return invalid(`Invalid 'input[${at}].id': '${item.id}'. Expected an ID that begins with 'fc'.`, [
          'input',
          at,
          'id',
        ]);
      return refuseCallId(item, at);
    }
    case 'function_call_output':
      return refuseCallId(item, at) ?? refuseParts(item.output, ['input', at, 'output'], kindsIn.asked);
    default:
      return refuseReasoning(item, at, input[at + 1], kept);
  }
}

function refuseCallId({ call_id: id }: Item, at: number): Refusal | undefined {
  if (typeof id !== 'string' || !id)
    return refused(`Missing required parameter: 'input[${at}].call_id'.`, {
      param: `input[${at}].call_id`,
      code: 'missing_required_parameter',
    });
  if (id.length <= 64) return undefined;
  return invalid(
    `Invalid 'input[${at}].call_id': string too long. Expected a string with maximum length 64, but got a string with length ${id.length} instead.`,
    ['input', at, 'call_id'],
    'string_above_max_length',
  );
}

function refuseParts(content: unknown, place: KeyPath, kinds: readonly string[]): Refusal | undefined {
  if (typeof content === 'string') return undefined;
  if (!Array.isArray(content))
    return invalid(
      `Invalid type for '${dotted(place)}': expected one of an array of objects or string, but got ${content === null ? 'null' : typeof content} instead.`,
      place,
      'invalid_type',
    );
  for (const [at, { type, image_url: url }] of (content as Item[]).entries()) {
    if (!kinds.includes(type))
      return invalid(
        `Invalid value: '${type}'. Supported values are: ${kinds.map((kind) => `'${kind}'`).join(', ')}.`,
        [...place, at],
      );
    const isPicture = /^(https?:\/\/|data:image\/(png|jpeg|gif|webp);base64,)/.test(String(url));
    if (type === 'input_image' && !isPicture)
      return invalid(
        `Invalid '${dotted([...place, at, 'image_url'])}'. Expected a valid URL, but got a value with an invalid format.`,
        [...place, at, 'image_url'],
      );
  }
  return undefined;
}

function refuseReasoning(
  item: Item,
  at: number,
  next: Item | undefined,
  { keepsNothing, seals }: Kept,
): Refusal | undefined {
  const { id, encrypted_content: sealed, summary } = item;
  if (!Array.isArray(summary))
    return refused(`Missing required parameter: 'input[${at}].summary'.`, {
      param: `input[${at}].summary`,
      code: 'missing_required_parameter',
    });
  if (keepsNothing && !sealed) {
    return {
      status: 404,
      body: refused(
        `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
        { param: 'input' },
      ).body,
    };
  }
  if (sealed && !seals.has(sealed)) {
    return refused(
      `The encrypted content ${String(sealed).slice(0, 8)}... could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
      { code: 'invalid_encrypted_content' },
    );
  }
  const follows =
    next &&
    (next.type === 'function_call' ||
      next.type === 'reasoning' ||
      ((next.type ?? 'message') === 'message' && next.role === 'assistant'));
  return follows
    ? undefined
    : refused(`Item '${id ?? `rs_${at}`}' of type 'reasoning' was provided without its required following item.`, {
        param: 'input',
      });
}

function refusePairing(input: readonly Item[]): Refusal | undefined {
  const asked = new Set(input.filter(({ type }) => type === 'function_call').map(({ call_id: id }) => id));
  const answered = new Set<string>();
  for (const item of input) {
    if (item.type !== 'function_call_output') continue;
    if (!asked.has(item.call_id))
      return refused(`No tool call found for function call output with call_id ${item.call_id}.`, { param: 'input' });
    if (answered.has(item.call_id))
      return refused(`Duplicate function call output for call_id ${item.call_id}.`, { param: 'input' });
    answered.add(item.call_id);
  }
  const open = [...asked].find((id) => !answered.has(id));
  return open === undefined
    ? undefined
    : refused(`No tool output found for function call ${open}.`, { param: 'input' });
}
