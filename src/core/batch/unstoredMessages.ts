import * as z from 'zod';
import type { ChatMessage, Model } from '../ports/model';

/** A message before the task, as in Hermes Agent's prefill files. */
export const PrefillMessage = z.object({
  role: z.enum(['system', 'user', 'assistant']),
  content: z.string(),
});
export type PrefillMessage = z.infer<typeof PrefillMessage>;

/** Messages sent with every request but not stored in the log. */
export interface UnstoredMessages {
  /** Text appended to the system prompt. */
  readonly systemPrompt?: string | undefined;
  /** Example conversation between the system prompt and the task. */
  readonly prefill?: readonly PrefillMessage[] | undefined;
}

/** Returns a model that adds these messages to every request. */
export function withUnstoredMessages(model: Model, { systemPrompt = '', prefill = [] }: UnstoredMessages): Model {
  if (systemPrompt === '' && prefill.length === 0) return model;
  return {
    ...model,
    complete: (request, signal) => {
      const [first, ...others] = request.messages;
      const hasSystem = first?.role === 'system';
      const systemText = [hasSystem ? first.content : '', systemPrompt].filter((text) => text !== '').join('\n\n');
      const system: ChatMessage[] = systemText === '' ? [] : [{ role: 'system', content: systemText }];
      const rest = hasSystem ? others : request.messages;
      return model.complete({ ...request, messages: [...system, ...prefill, ...rest] }, signal);
    },
  };
}
