import { callsOf, pairingFault } from '../chatBody';
import { plainTool, withRole, words } from '../knownKeys';
import type { ChatBody, ErrorDetails, KeyPath, Persona, Refusal } from '../persona';
import { Chunks, finishOf, randomWord, usage } from '../stream';

const error = (message: unknown, { type = 'invalid_request_error', code = null }: ErrorDetails = {}): object => ({
  object: 'error',
  message,
  type,
  param: null,
  code,
});

const refused = (message: string, type: string, code: string | null): Refusal => ({
  status: 400,
  body: error(message, { type, code }),
});

const wrongOrder = (message: string): Refusal => refused(message, 'invalid_request_message_order', '3230');

const forbidden = (loc: KeyPath, input: unknown): object => ({
  type: 'extra_forbidden',
  loc: ['body', ...loc],
  msg: 'Extra inputs are not permitted',
  input,
});

const valueAt = (body: ChatBody, path: KeyPath): unknown => path.reduce<any>((value, step) => value?.[step], body);

export const mistral: Persona = {
  name: 'mistral',
  protocols: ['chat'],
  keys: {
    top: words(`model messages stream temperature top_p max_tokens stop random_seed metadata response_format tools tool_choice
      presence_penalty frequency_penalty n prediction parallel_tool_calls reasoning_effort prompt_mode guardrails prompt_cache_key
      safe_prompt stream_options`),
    ...plainTool,
    call: words('id type function index'),
    callFunction: words('name arguments'),
    message: {
      system: words('role content'),
      user: words('role content'),
      tool: words('role content tool_call_id name'),
      assistant: words('role content tool_calls prefix'),
    },
    part: words(
      'type text image_url document_url document_name thinking closed signature file_id input_audio reference_ids',
    ),
  },
  refuseUnknown: (paths, body) => ({
    status: 422,
    body: { detail: paths.map((path) => forbidden(withRole(path, body), valueAt(body, path))) },
  }),
  refuse(body, { unsure }) {
    if (unsure && body.stream_options?.include_usage !== undefined) {
      return { status: 422, body: error({ detail: [forbidden(['stream_options', 'include_usage'], true)] }) };
    }
    for (const { call } of callsOf(body)) {
      if (/^[a-zA-Z0-9]{9}$/.test(call.id)) continue;
      return refused(
        `Tool call id was ${call.id} but must be a-z, A-Z, 0-9, with a length of 9.`,
        'invalid_function_call',
        '3280',
      );
    }
    return refuseOrder(body);
  },
  error,
  failures: {
    overflow: [
      400,
      'Prompt contains 140000 tokens and 0 draft tokens, too large for model with 131072 maximum context length',
      { type: 'invalid_request_prompt', code: '3051' },
    ],
    auth: [401, 'Unauthorized'],
  },
  callId: () => randomWord(9),
  chunks(reply, facts) {
    const { text = '', reasoning } = reply;
    const chunks = new Chunks(facts.model);
    chunks.add({ role: 'assistant', content: '' });
    if (reasoning) chunks.add({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: reasoning }] }] });
    if (text) chunks.add({ content: reasoning ? [{ type: 'text', text }] : text });
    // All calls come complete in one delta, together with the finish reason and the usage.
    const calls = facts.calls.map(({ id, function: called }, index) => ({ id, function: called, index }));
    chunks.add({ content: '', ...(calls.length > 0 && { tool_calls: calls }) }, finishOf(reply), { usage });
    return chunks.all;
  },
};

function refuseOrder(body: ChatBody): Refusal | undefined {
  const { messages = [] } = body;
  for (const [at, { role }] of messages.entries()) {
    const before = messages[at - 1]?.role;
    const isWrong = (before === 'tool' && role === 'user') || (before === 'user' && role === 'tool');
    if (isWrong) return wrongOrder(`Unexpected role '${role}' after role '${before}'`);
  }
  const last = messages.at(-1);
  if (last?.role === 'assistant' && !last.prefix) {
    return wrongOrder('Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant');
  }
  if (pairingFault(body)) return wrongOrder('Not the same number of function calls and responses');
  const empty = messages.some(
    ({ role, content, tool_calls: calls }) => role === 'assistant' && !content?.length && !calls?.length,
  );
  if (empty)
    return refused(
      'Assistant message must have either content or tool_calls, but not none.',
      'invalid_request_error',
      null,
    );
  return undefined;
}
