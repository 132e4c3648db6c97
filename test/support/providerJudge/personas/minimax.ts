import { callsOf, isObjectJson, pairingFault } from '../chatBody';
import type { ErrorDetails, Persona, Refusal } from '../persona';
import { Chunks, finishOf, piecesOf, randomWord, usage } from '../stream';

const error = (message: string, { type = 'bad_request_error' }: ErrorDetails = {}): object => ({
  type: 'error',
  error: { type, message, http_code: '400' },
  request_id: randomWord(12),
});

const refused = (message: string): Refusal => ({ status: 400, body: error(`invalid params, ${message} (2013)`) });

/** Its thoughts come in `<think>` tags inside the text. Its guide wants them kept in the history. */
export const minimax: Persona = {
  name: 'minimax',
  protocols: ['chat'],
  refuse(body, { given }) {
    const fault = pairingFault(body);
    if (fault?.kind === 'stray') return refused(`tool result's tool id(${fault.ids[0]}) not found`);
    if (fault) return refused('tool call result does not follow tool call');
    for (const { message, call } of callsOf(body)) {
      if (!isObjectJson(call.function.arguments))
        return refused(`invalid function arguments json string, tool_call_id: ${call.id}`);
      // Not a refusal of the provider, but its guide says that the model gets worse without them.
      const { reasoning } = given.get(call.id) ?? {};
      if (reasoning && !textOf(message.content).includes(reasoning))
        return refused(`the thoughts of ${call.id} were left out of the history`);
    }
    return undefined;
  },
  error,
  failures: {
    overflow: [400, 'invalid params, context window exceeds limit (2013)'],
  },
  callId: () => `call_function_${randomWord(12).toLowerCase()}_1`,
  chunks(reply, facts) {
    const { reasoning, text = '' } = reply;
    const chunks = new Chunks(facts.model);
    chunks.add({ role: 'assistant', content: '' });
    const content = `${reasoning ? `<think>\n${reasoning}\n</think>\n\n` : ''}${text}`;
    for (const piece of piecesOf(content)) chunks.add({ content: piece });
    chunks.addCallsInPieces(facts);
    chunks.add({}, finishOf(reply), { usage, base_resp: { status_code: 0, status_msg: '' } });
    return chunks.all;
  },
};

const textOf = (content: unknown): string => (typeof content === 'string' ? content : JSON.stringify(content ?? ''));
