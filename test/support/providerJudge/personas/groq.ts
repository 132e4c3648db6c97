import { dotted, schemasOf } from '../chatBody';
import { commonTop, plainTool, words } from '../knownKeys';
import type { ErrorDetails, Persona } from '../persona';
import { refusedWith } from '../persona';
import { Chunks, finishOf, piecesOf, randomWord, usage } from '../stream';

const error = (message: string, { code, type = 'invalid_request_error' }: ErrorDetails = {}): object => ({
  error: { message, type, ...(code && { code }) },
});

const refused = refusedWith(error);

export const groq: Persona = {
  name: 'groq',
  protocols: ['chat'],
  keys: {
    toolsUnsure: true,
    top: words(`${commonTop} citation_options compound_custom disable_tool_validation documents exclude_domains include_domains
      function_call functions include_reasoning reasoning_format metadata search_settings service_tier store`),
    ...plainTool,
    call: words('id type function index'),
    callFunction: words('name arguments'),
    message: {
      system: words('role content name'),
      developer: words('role content name'),
      user: words('role content name'),
      tool: words('role content tool_call_id name'),
      assistant: words('role content name reasoning tool_calls function_call'),
    },
    part: words('type text image_url document'),
  },
  refuseUnknown([path = []], { messages = [] }) {
    const where = path.slice(0, -1).join('.');
    const said = `${where && `'${where}' : `}property '${path.at(-1)}' is unsupported`;
    if (path[0] !== 'messages') return refused(said);
    const { role } = messages[path[1] as number]!;
    return refused(`'messages.${path[1]}' : for 'role:${role}' the following must be satisfied[(${said})]`);
  },
  refuse(body, { unsure }) {
    if (body.n !== undefined && body.n !== 1) return refused("'n' : number must be at most 1");
    if ((body.tools?.length ?? 0) > 128) return refused("'tools' : maximum number of items is 128");
    for (const key of ['logprobs', 'logit_bias', 'top_logprobs']) {
      if (body[key] != null && body[key] !== false) return refused(`property '${key}' is unsupported`);
    }
    const named = (body.messages ?? []).findIndex(({ name }) => name !== undefined);
    if (unsure && named >= 0) return refused(`'messages.${named}' : property 'name' is unsupported`);
    for (const { schema, isRoot, tool, name } of schemasOf(body)) {
      if (!isRoot || !schema.required || schema.properties) continue;
      const param = `tool ${name}, ${dotted(['tools', tool, 'function', 'parameters'])}`;
      const message = `invalid JSON schema for ${param}: 'required' present but 'properties' is missing`;
      return { status: 400, body: { error: { message, type: 'invalid_request_error', param } } };
    }
    return undefined;
  },
  error,
  failures: {
    overflow: [400, 'Please reduce the length of the messages or completion.', { code: 'context_length_exceeded' }],
  },
  callId: () => `call_${randomWord(24)}`,
  chunks(reply, facts) {
    const chunks = new Chunks(facts.model);
    chunks.add({ role: 'assistant', content: '' });
    if (reply.reasoning) chunks.add({ reasoning: reply.reasoning });
    for (const piece of piecesOf(reply.text ?? '')) chunks.add({ content: piece });
    chunks.addWholeCalls(facts);
    chunks.add({}, finishOf(reply), { x_groq: { id: `req_${randomWord(8)}`, usage } });
    return chunks.all;
  },
};
