import { chatWriter } from '../../src/adapters/models/chat/chatWire';
import type { ChatMessage } from '../../src/core/ports/model';
import { rulesFor } from '../../src/core/model/providers/rulesFor';
import type { ChatBody } from './modelServer';

/** Returns the request body of a chat for a strict provider that takes no reasoning back. */
export function asSent(messages: readonly ChatMessage[]): ChatBody {
  const rules = { ...rulesFor(undefined, 'm', new URL('https://models.example/v1')), reasoning: 'never' as const };
  let body: ChatBody | undefined;
  // A writer hands out the bytes before its first await.
  void chatWriter({ model: 'm', origin: 'models.example m', extraBody: {} })(
    { messages, tools: [] },
    { rules, version: '' },
    async (bytes) => {
      body = JSON.parse(bytes.toString()) as ChatBody;
    },
  );
  if (!body) throw new Error('The writer gave no body.');
  return body;
}
