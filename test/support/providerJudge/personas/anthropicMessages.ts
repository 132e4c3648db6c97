import { messagesError } from '../messagesBody';
import { judgeMessages } from '../messagesRules';
import type { Persona } from '../persona';
import { randomWord } from '../stream';

/** Anthropic's own API: unknown keys are refused, thinking is signed, and marks define what is cached. */
export const anthropicMessages: Persona = {
  name: 'anthropic-messages',
  protocols: ['messages'],
  refuse: judgeMessages,
  error: (message, { type = 'invalid_request_error' } = {}) => messagesError(type, message),
  failures: {
    overflow: [400, 'prompt is too long: 213462 tokens > 200000 maximum'],
    auth: [401, 'invalid x-api-key', { type: 'authentication_error' }],
    rate: [429, 'This request would exceed your organization’s rate limit', { type: 'rate_limit_error' }],
    quota: [400, 'Your credit balance is too low to access the Anthropic API.'],
  },
  callId: () => `toolu_01${randomWord(22)}`,
  chunks: () => [],
};
