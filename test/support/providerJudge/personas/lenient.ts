// Servers with no known refusals that an agent could run into. They differ in their response format and in their
// message for a conversation that is too long.
import { callsOf, isObjectJson } from '../chatBody';
import { openAiError } from '../knownKeys';
import type { Failure, Persona } from '../persona';
import { openAiChunks, randomWord } from '../stream';
import { azure } from './azure';
import { refused } from './openai';
import { openrouter } from './openrouter';

interface Lenient {
  readonly name: string;
  readonly reasoning: 'reasoning' | 'reasoning_content';
  readonly overflow: Failure;
}

const lenient = ({ name, reasoning, overflow }: Lenient): Persona => ({
  name,
  protocols: ['chat'],
  isLenient: true,
  refuse: () => undefined,
  error: openAiError,
  failures: { overflow },
  callId: () => `call_${randomWord(24)}`,
  chunks: (reply, facts) => openAiChunks(reply, facts, reasoning),
});

export const together = lenient({
  name: 'together',
  reasoning: 'reasoning',
  overflow: [
    400,
    'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 131073. Given: 140000 `inputs` tokens and 0 `max_new_tokens`',
  ],
});

export const lmstudio: Persona = {
  ...lenient({
    name: 'lmstudio',
    reasoning: 'reasoning_content',
    overflow: [400, 'The number of tokens to keep from the initial prompt is greater than the context length.'],
  }),
  refuse: ({ tool_choice: choice }) =>
    typeof choice === 'object'
      ? {
          status: 400,
          body: { error: "Invalid tool_choice type: 'object'. Supported string values: none, auto, required" },
        }
      : undefined,
  error: (message) => ({ error: message }),
};

export const sglang: Persona = {
  ...lenient({
    name: 'sglang',
    reasoning: 'reasoning_content',
    overflow: [400, "The input (40000 tokens) is longer than the model's context length (32768 tokens)."],
  }),
  refuse: (body) =>
    callsOf(body).every(({ call }) => isObjectJson(call.function.arguments))
      ? undefined
      : refused('Expecting value: line 1 column 1 (char 0)'),
};

/** Forwards requests like OpenRouter, with the same reasoning details. */
export const gateway: Persona = { ...openrouter, name: 'gateway' };

/** GitHub's OpenAI models run on Azure. */
export const github: Persona = { ...azure, name: 'github', protocols: ['chat'] };
