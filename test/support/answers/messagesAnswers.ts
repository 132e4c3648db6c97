// Answers of Anthropic's Messages API for the model server of the tests.
import type { Answer } from './modelAnswers';

type Fields = Record<string, unknown>;

/** One block of a reply: text, thinking, redacted thinking or a tool call. */
type MessageBlock = Fields & { readonly type: string };

interface MessageOptions {
  /** null omits it. */
  readonly stop?: string | null;
  readonly usage?: Fields;
  /** False omits the last event. */
  readonly stopped?: boolean;
}

/** Returns the events of a reply as Anthropic streams them, with every text in pieces. */
export function messageEventsOf(
  blocks: readonly MessageBlock[],
  { stop = 'end_turn', usage = {}, stopped = true }: MessageOptions = {},
): Fields[] {
  const begun = {
    input_tokens: 7,
    cache_creation_input_tokens: 20,
    cache_read_input_tokens: 300,
    output_tokens: 1,
    ...usage,
  };
  return [
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'claude-test',
        content: [],
        stop_reason: null,
        usage: begun,
      },
    },
    { type: 'ping' },
    ...blocks.flatMap(eventsOf),
    ...(stop === null
      ? []
      : [{ type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 11 } }]),
    ...(stopped ? [{ type: 'message_stop' }] : []),
  ];
}

function eventsOf(block: MessageBlock, index: number): Fields[] {
  const deltas = (kind: string, field: string, text: unknown): Fields[] =>
    (String(text ?? '').match(/[\s\S]{1,5}/gu) ?? []).map((piece) => ({
      type: 'content_block_delta',
      index,
      delta: { type: kind, [field]: piece },
    }));
  const empty: Record<string, Fields> = {
    text: { text: '' },
    thinking: { thinking: '', signature: '' },
    tool_use: { input: {} },
  };
  return [
    { type: 'content_block_start', index, content_block: { ...block, ...empty[block.type] } },
    ...(block.type === 'text' ? deltas('text_delta', 'text', block.text) : []),
    ...(block.type === 'thinking'
      ? [
          ...deltas('thinking_delta', 'thinking', block.thinking),
          ...deltas('signature_delta', 'signature', block.signature),
        ]
      : []),
    ...(block.type === 'tool_use' ? deltas('input_json_delta', 'partial_json', block.input) : []),
    { type: 'content_block_stop', index },
  ];
}

/** Returns an SSE stream of these events. */
export function messageStream(events: readonly Fields[]): Answer {
  const body = events.map((event) => `event: ${event.type as string}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, body };
}

/** Returns a reply of these blocks, or of text only. */
export const message = (content: string | readonly MessageBlock[], options: MessageOptions = {}): Answer =>
  messageStream(messageEventsOf(typeof content === 'string' ? [{ type: 'text', text: content }] : content, options));

/** Returns an error in Anthropic's format. */
export const messageFailure = (status: number, type: string, words: string): Answer => ({
  status,
  headers: { 'content-type': 'application/json', 'request-id': 'req_7' },
  body: JSON.stringify({ type: 'error', error: { type, message: words }, request_id: 'req_7' }),
});
