import type { PromptPart } from '../events/event';

/** The events that describe how a session begins. */
interface Beginning {
  readonly promptParts?: readonly PromptPart[] | undefined;
  readonly systemPrompt?: string | undefined;
}

/** The system prompt as the model reads it, whether the log holds it in parts or in one piece. */
export const systemPromptOf = ({ promptParts, systemPrompt = '' }: Beginning): string =>
  promptParts === undefined ? systemPrompt : promptParts.map(({ text }) => text).join('\n\n');
