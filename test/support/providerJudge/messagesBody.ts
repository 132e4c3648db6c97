// Queries on request bodies of Anthropic's own API, and the format of its errors.
import type { ChatBody, Refusal } from './persona';

export type Block = Record<string, any>;
interface Message {
  readonly role: string;
  readonly content?: string | Block[];
  readonly [field: string]: any;
}

export const messagesError = (type: string, message: string): object => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_judge',
});

export const refusedMessages = (message: string, status = 400, type = 'invalid_request_error'): Refusal => ({
  status,
  body: messagesError(type, message),
});

export const blocksOf = ({ content }: Message): readonly Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
export const messagesOf = (body: ChatBody): readonly Message[] => (body.messages ?? []) as readonly Message[];

/** Merges consecutive messages of the same role. */
export function mergedMessages(messages: readonly Message[]): Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last?.role === message.role)
      merged[merged.length - 1] = { role: last.role, content: [...blocksOf(last), ...blocksOf(message)] };
    else merged.push(message);
  }
  return merged;
}

/** Returns the call IDs of the results at the beginning of a message. */
export function leadingResults(message: Message | undefined): string[] {
  const blocks = message?.role === 'user' ? blocksOf(message) : [];
  const end = blocks.findIndex(({ type }) => type !== 'tool_result');
  return blocks.slice(0, end < 0 ? blocks.length : end).map(({ tool_use_id: id }) => id as string);
}
