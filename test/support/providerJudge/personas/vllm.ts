import { callsOf, isObjectJson } from '../chatBody';
import { openAiError } from '../knownKeys';
import type { ErrorDetails, Persona } from '../persona';
import { openAiChunks, randomWord } from '../stream';

const error = (message: string, { code = 400, type = 'BadRequestError' }: ErrorDetails = {}): object =>
  openAiError(message, { type, code });

export const vllm: Persona = {
  name: 'vllm',
  protocols: ['chat'],
  refuse(body) {
    const isBroken = callsOf(body).some(
      ({
        call: {
          function: { arguments: text },
        },
      }) => typeof text === 'string' && text !== '' && !isObjectJson(text),
    );
    return isBroken ? { status: 400, body: error('Expecting value: line 1 column 1 (char 0)') } : undefined;
  },
  error,
  failures: {
    overflow: [
      400,
      "This model's maximum context length is 32768 tokens. However, your request has 40000 input tokens. Please reduce the length of the input messages.",
    ],
  },
  // Longer than OpenAI accepts.
  callId: () => `chatcmpl-tool-${randomWord(32)}`,
  chunks: (reply, facts) => openAiChunks(reply, facts, 'reasoning'),
};
