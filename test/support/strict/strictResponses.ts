import { refuseResponsesKeys } from '../providerJudge/responsesRules';

interface Item {
  type?: unknown;
  role?: unknown;
  content?: unknown;
  call_id?: unknown;
  name?: unknown;
  arguments?: unknown;
  output?: unknown;
  id?: unknown;
  encrypted_content?: unknown;
  summary?: unknown;
}

const none: ReadonlySet<string> = new Set();

/**
 * Returns why OpenAI would refuse this request of the Responses API, or undefined. `takes`: additional keys that this
 * server knows.
 */
export function responsesRefusal(body: unknown, takes: ReadonlySet<string> = none): string | undefined {
  const { input, model, tools, store } = (body ?? {}) as {
    input?: Item[];
    model?: unknown;
    tools?: { type?: unknown; name?: unknown; parameters?: unknown }[];
    store?: unknown;
  };
  if (typeof model !== 'string' || !model) return 'you must provide a model parameter';
  if (!Array.isArray(input) || input.length === 0) return 'One of "input" or "previous_response_id" must be provided.';
  for (const { type, name, parameters } of tools ?? [])
    if (type !== 'function' || typeof name !== 'string' || typeof parameters !== 'object')
      return "Missing required parameter: 'tools[0].name'.";
  const stranger = refuseResponsesKeys(body as Parameters<typeof refuseResponsesKeys>[0], takes);
  if (stranger) return (stranger.body as { error: { message: string } }).error.message;
  const open = new Set<string>();
  const known = new Set<string>();
  for (const [index, item] of input.entries()) {
    const at = `input[${index}]`;
    const { type = 'message', call_id: id } = item;
    if (type === 'message') {
      if (!['system', 'developer', 'user', 'assistant'].includes(String(item.role)))
        return `Invalid value: '${String(item.role)}' at ${at}.role`;
      if (typeof item.content !== 'string' && !isParts(item.content)) return `Invalid type for '${at}.content'`;
    } else if (type === 'function_call') {
      if (typeof id !== 'string' || !id || known.has(id)) return `Invalid call_id at ${at}`;
      if (typeof item.name !== 'string' || typeof item.arguments !== 'string')
        return `Missing required parameter at ${at}`;
      known.add(id);
      open.add(id);
    } else if (type === 'function_call_output') {
      if (!open.delete(String(id))) return `No tool call found for function call output with call_id ${String(id)}.`;
      if (typeof item.output !== 'string') return `Invalid type for '${at}.output'`;
    } else if (type === 'reasoning') {
      if (!Array.isArray(item.summary)) return `Missing required parameter: '${at}.summary'.`;
      if (store === false && item.id && !item.encrypted_content)
        return `Item with id '${String(item.id)}' not found. Items are not persisted when \`store\` is set to false.`;
      const following = input[index + 1];
      if (!following || following.type === 'function_call_output' || following.role === 'user')
        return `Item 'rs_${index}' of type 'reasoning' was provided without its required following item.`;
    } else return `Invalid value: '${String(type)}' at ${at}.type`;
  }
  return open.size > 0 ? `No tool output found for function call ${[...open].join(', ')}.` : undefined;
}

const isParts = (content: unknown): boolean =>
  Array.isArray(content) &&
  content.length > 0 &&
  (content as { type?: unknown; image_url?: unknown }[]).every(
    ({ type, image_url: url }) =>
      type === 'input_text' || (type === 'input_image' && /^data:image\/\w+;base64,/.test(String(url))),
  );
