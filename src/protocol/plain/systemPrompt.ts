import type { PromptPart } from '../events/event';

/** The events that describe the start of a session. */
interface Beginning {
  readonly promptParts?: readonly PromptPart[] | undefined;
  readonly systemPrompt?: string | undefined;
}

/** Returns the system prompt as the model reads it, stored in parts or in one piece. */
export const systemPromptOf = ({ promptParts, systemPrompt = '' }: Beginning): string =>
  promptParts === undefined ? systemPrompt : promptParts.map(({ text }) => text).join('\n\n');
