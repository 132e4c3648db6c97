import { commonTop, plainTool, withRole, words } from '../knownKeys';
import type { ErrorDetails, Persona } from '../persona';
import { Chunks, finishOf, piecesOf, randomWord, usage } from '../stream';

const error = (
  message: string,
  { param = 'validation_error', code = 'wrong_api_format', type = 'invalid_request_error' }: ErrorDetails = {},
): object => ({ message, type, param, code });

export const cerebras: Persona = {
  name: 'cerebras',
  protocols: ['chat'],
  keys: {
    toolsUnsure: true,
    top: words(`${commonTop} clear_thinking disable_reasoning min_completion_tokens min_tokens model_parameters prediction
      prompt_cache_key reasoning_format service_tier`),
    ...plainTool,
    call: words('id type function index'),
    callFunction: words('name arguments'),
    message: {
      system: words('role content name'),
      developer: words('role content name'),
      user: words('role content name'),
      tool: words('role content tool_call_id name'),
      assistant: words('role content name reasoning tool_calls'),
    },
    part: words('type text image_url image'),
  },
  refuseUnknown(paths, body) {
    const places = paths.map((path) => (path.length === 1 ? `body.${path[0]}` : withRole(path, body).join('.')));
    return {
      status: 400,
      body: error(places.map((place) => `${place}: property '${place}' is unsupported`).join('\n')),
    };
  },
  refuse({ tools = [] }) {
    const strict = new Set(tools.map((tool) => tool.function?.strict === true));
    if (strict.size < 2) return undefined;
    const message =
      "Tools with mixed values for 'strict' are not allowed. Please set all tools to 'strict: true' or 'strict: false'";
    return { status: 422, body: error(message, { param: 'tools' }) };
  },
  error,
  failures: {
    overflow: [
      400,
      'Please reduce the length of the messages or completion. Current length is 140000 while limit is 131072',
      { param: 'messages', code: 'context_length_exceeded' },
    ],
  },
  callId: () => randomWord(9),
  chunks(reply, facts) {
    const chunks = new Chunks(facts.model);
    chunks.add({ role: 'assistant', content: '' });
    if (reply.reasoning) chunks.add({ reasoning: reply.reasoning });
    for (const piece of piecesOf(reply.text ?? '')) chunks.add({ content: piece });
    chunks.addWholeCalls(facts);
    chunks.add({}, finishOf(reply), { usage });
    return chunks.all;
  },
};
