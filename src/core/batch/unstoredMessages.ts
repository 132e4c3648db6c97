import * as z from 'zod';
import type { ChatMessage, Model } from '../ports/model';

/** A message in front of the task, as Hermes Agent's prefill files have them. */
export const PrefillMessage = z.object({
  role: z.enum(['system', 'user', 'assistant']),
  content: z.string(),
});
export type PrefillMessage = z.infer<typeof PrefillMessage>;

/** What a model is sent with every request and no log keeps. */
export interface UnstoredMessages {
  /** Added to the system prompt. */
  readonly systemPrompt?: string | undefined;
  /** An example conversation between the system prompt and the task. */
  readonly prefill?: readonly PrefillMessage[] | undefined;
}

/** The same model, which also reads these messages. */
export function askedWith(model: Model, { systemPrompt = '', prefill = [] }: UnstoredMessages): Model {
  if (systemPrompt === '' && prefill.length === 0) return model;
  return {
    ...model,
    complete: (request, signal) => {
      const [first, ...others] = request.messages;
      const hasSystem = first?.role === 'system';
      const given = [hasSystem ? first.content : '', systemPrompt].filter((text) => text !== '').join('\n\n');
      const system: ChatMessage[] = given === '' ? [] : [{ role: 'system', content: given }];
      const rest = hasSystem ? others : request.messages;
      return model.complete({ ...request, messages: [...system, ...prefill, ...rest] }, signal);
    },
  };
}
