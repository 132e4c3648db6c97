// Parts of streamed replies that several providers share.
import type { ScriptedReply, StreamFacts } from './persona';

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Returns a random word of letters and digits, long enough to be unique. */
export function randomWord(length: number): string {
  return Array.from({ length }, () => letters[Math.floor(Math.random() * letters.length)]).join('');
}

export const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };

const pieceLength = 12;

/** Returns the text in pieces, as it is streamed. */
export const piecesOf = (text: string): string[] => text.match(new RegExp(`[\\s\\S]{1,${pieceLength}}`, 'gu')) ?? [];

/** Collects the chunks of one reply. */
export class Chunks {
  readonly all: Record<string, any>[] = [];
  readonly head: { id: string; object: 'chat.completion.chunk'; created: number; model: string };

  /** `more`: further fields beside the delta of every choice. */
  constructor(
    model: string,
    private readonly more: object = {},
  ) {
    this.head = { id: `chatcmpl-${randomWord(12)}`, object: 'chat.completion.chunk', created: 1_750_000_000, model };
  }

  add(delta: object, finish: string | null = null, beside: object = {}): void {
    this.all.push({ ...this.head, choices: [{ index: 0, delta, finish_reason: finish, ...this.more }], ...beside });
  }

  /** Adds each complete call in a delta of its own. */
  addWholeCalls({ calls }: StreamFacts, more: object = {}): void {
    calls.forEach((call, index) => this.add({ ...more, tool_calls: [{ index, ...call }] }));
  }

  /** Adds each call with its ID first and its arguments in pieces. */
  addCallsInPieces({ calls }: StreamFacts): void {
    calls.forEach((call, index) => {
      this.add({ tool_calls: [{ index, ...call, function: { name: call.function.name, arguments: '' } }] });
      for (const piece of piecesOf(call.function.arguments))
        this.add({ tool_calls: [{ index, function: { arguments: piece } }] });
    });
  }

  /** Adds the usage in a last chunk without choices. */
  addUsage({ wantsUsage }: StreamFacts): void {
    if (wantsUsage) this.all.push({ ...this.head, choices: [], usage });
  }
}

export const finishOf = ({ calls = [] }: ScriptedReply): 'tool_calls' | 'stop' =>
  calls.length > 0 ? 'tool_calls' : 'stop';

/**
 * Returns the chunks of a reply as OpenAI streams it. `reasoningField`: the delta field with the reasoning, if it is
 * shown.
 */
export function openAiChunks(
  reply: ScriptedReply,
  facts: StreamFacts,
  reasoningField?: 'reasoning' | 'reasoning_content',
  more: object = {},
): Record<string, any>[] {
  const chunks = new Chunks(facts.model, more);
  chunks.add({ role: 'assistant', content: '' });
  if (reply.reasoning && reasoningField) chunks.add({ [reasoningField]: reply.reasoning });
  for (const piece of piecesOf(reply.text ?? '')) chunks.add({ content: piece });
  chunks.addCallsInPieces(facts);
  chunks.add({}, finishOf(reply));
  chunks.addUsage(facts);
  return chunks.all;
}
