import { callsOf, isObjectJson, schemasOf } from '../chatBody';
import type { ErrorDetails, Persona, Refusal } from '../persona';
import { openAiChunks, randomWord } from '../stream';

const error = (message: string, { code = 400, type = 'invalid_request_error' }: ErrorDetails = {}): object => ({
  error: { code, message, type },
});
const failed = (message: string): Refusal => ({
  status: 500,
  body: error(message, { code: 500, type: 'server_error' }),
});

const refusedByTemplate = (reason: string): Refusal => ({
  status: 400,
  body: error(
    `Unable to generate parser for this template. Automatic parser generation failed: \n------------\nWhile executing CallExpression at line 71, column 32 in source:\n... == 1 %}↵            {{- raise_exception("\nError: Jinja Exception: ${reason}`,
  ),
});

/** The keywords that count as repetitions in its grammar, and how many it allows. */
const repeated = ['minLength', 'maxLength', 'minItems', 'maxItems'];
const maxRepetitions = 2000;

/**
 * llama.cpp's server with templates like those of Qwen 3.5 (one system message, at the start), Devstral and Ministral
 * (alternating roles) and Llama 3 (one call per message). Errors are those of a real server of June 2026.
 */
export const llamacpp: Persona = {
  name: 'llamacpp',
  protocols: ['chat'],
  refuse(body) {
    const { messages = [], model = '' } = body;
    if (callsOf(body).some(({ call }) => !isObjectJson(call.function.arguments)))
      return failed('Failed to parse tool call arguments as JSON');
    if (schemasOf(body).some(({ schema }) => repeated.some((key) => schema[key] >= maxRepetitions)))
      return { status: 400, body: error('Failed to initialize samplers: failed to parse grammar') };
    if (messages.some(({ role }, at) => role === 'system' && at > 0))
      return failed('Jinja Exception: System message must be at the beginning.');
    // Messages between calls and their results are not counted.
    const speakers = messages.filter(
      ({ role, tool_calls: calls }) => role === 'user' || (role === 'assistant' && !calls?.length),
    );
    const repeats = speakers.some(({ role }, at) => role === speakers[at - 1]?.role);
    if (/devstral|ministral/.test(model) && repeats) {
      return failed(
        'Jinja Exception: After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.',
      );
    }
    if (model.includes('llama-3') && messages.some(({ tool_calls: calls = [] }) => calls.length > 1))
      return refusedByTemplate('This model only supports single tool-calls at once!');
    return undefined;
  },
  error,
  failures: {
    overflow: [
      400,
      'request (40000 tokens) exceeds the available context size (32768 tokens), try increasing it',
      { type: 'exceed_context_size_error' },
    ],
  },
  callId: () => randomWord(32),
  chunks: (reply, facts) => openAiChunks(reply, facts, 'reasoning_content'),
};
