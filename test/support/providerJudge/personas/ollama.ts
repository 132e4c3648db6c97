import { callsOf, isObjectJson, partsOf } from '../chatBody';
import { openAiError } from '../knownKeys';
import type { ErrorDetails, Persona } from '../persona';
import { refusedWith } from '../persona';
import { Chunks, finishOf, piecesOf, randomWord } from '../stream';

const error = (message: string, { type = 'invalid_request_error' }: ErrorDetails = {}): object =>
  openAiError(message, { type });
const refused = refusedWith(error);

const efforts = ['minimal', 'low', 'medium', 'high', 'xhigh', 'ultra', 'max', 'none'];

export const ollama: Persona = {
  name: 'ollama',
  protocols: ['chat'],
  refuse(body) {
    if (callsOf(body).some(({ call }) => !isObjectJson(call.function.arguments)))
      return refused('invalid tool call arguments');
    for (const message of body.messages ?? []) {
      if (message.content == null && !message.tool_calls?.length) return refused('invalid message content type: <nil>');
      for (const { type, image_url: image } of partsOf(message)) {
        if (!['text', 'image_url', 'input_audio'].includes(type)) return refused('invalid message format');
        const isPicture = /^data:image\/(jpeg|jpg|png|webp);base64,/.test(image?.url ?? image);
        if (type === 'image_url' && !isPicture) return refused('invalid image input');
      }
    }
    const { reasoning_effort: effort } = body;
    return effort !== undefined && !efforts.includes(effort)
      ? refused(`invalid reasoning value: "${effort}"`)
      : undefined;
  },
  error,
  callId: () => `call_${randomWord(8)}`,
  chunks(reply, facts) {
    const said = { role: 'assistant', content: '' };
    const chunks = new Chunks(facts.model);
    if (reply.reasoning) chunks.add({ ...said, reasoning: reply.reasoning });
    for (const piece of piecesOf(reply.text ?? '')) chunks.add({ ...said, content: piece });
    chunks.addWholeCalls(facts, said);
    chunks.add(said, finishOf(reply));
    chunks.addUsage(facts);
    return chunks.all;
  },
};
