// Answers of a Responses API server: the events of one response, as OpenAI streams them.
import { raw, stream, type Answer, type CallSpec } from './modelAnswers';

interface ResponseOptions {
  readonly text?: string;
  /** Becomes the summary of an encrypted reasoning item. */
  readonly reasoning?: string;
  readonly calls?: readonly CallSpec[];
  readonly usage?: Record<string, unknown> | null;
  /** Reason for an incomplete response. */
  readonly incomplete?: string;
  /** False omits the last event. */
  readonly done?: boolean;
}

let made = 0;
const pieces = (text: string): string[] => text.match(/[\s\S]{1,7}/gu) ?? [];

function outputOf({ text = '', reasoning = '', calls = [], incomplete }: ResponseOptions): Record<string, any>[] {
  const status = incomplete ? 'incomplete' : 'completed';
  return [
    ...(reasoning
      ? [
          {
            type: 'reasoning',
            id: `rs_${++made}`,
            summary: [{ type: 'summary_text', text: reasoning }],
            encrypted_content: `sealed(${reasoning})`,
          },
        ]
      : []),
    ...(text
      ? [
          {
            type: 'message',
            id: `msg_${++made}`,
            role: 'assistant',
            status,
            content: [{ type: 'output_text', text, annotations: [] }],
          },
        ]
      : []),
    ...calls.map(({ tool, input, id = `call_${++made}` }) => ({
      type: 'function_call',
      id: `fc_${++made}`,
      call_id: id,
      name: tool,
      arguments: typeof input === 'string' ? input : JSON.stringify(input),
      status,
    })),
  ];
}

const responseOf = (options: ResponseOptions, output: object[]): object => ({
  id: 'resp_1',
  object: 'response',
  model: 'test-model',
  status: options.incomplete ? 'incomplete' : 'completed',
  error: null,
  incomplete_details: options.incomplete ? { reason: options.incomplete } : null,
  output,
  usage:
    options.usage === undefined
      ? { input_tokens: 10, input_tokens_details: { cached_tokens: 4 }, output_tokens: 5, total_tokens: 15 }
      : options.usage,
});

/** An item as its first event shows it, and the parts of its text, which follow. */
function streamedItem(
  item: Record<string, any>,
  { text, reasoning }: ResponseOptions,
): { readonly begun: object; readonly deltas: readonly object[] } {
  switch (item.type) {
    case 'reasoning':
      return {
        begun: { type: 'reasoning', id: item.id as string, summary: [] },
        deltas: pieces(reasoning!).map((delta) => ({
          type: 'response.reasoning_summary_text.delta',
          summary_index: 0,
          delta,
        })),
      };
    case 'message':
      return {
        begun: { ...item, content: [], status: 'in_progress' },
        deltas: pieces(text!).map((delta) => ({ type: 'response.output_text.delta', content_index: 0, delta })),
      };
    default:
      return {
        begun: { ...item, arguments: '', status: 'in_progress' },
        deltas: pieces(item.arguments as string).map((delta) => ({
          type: 'response.function_call_arguments.delta',
          delta,
        })),
      };
  }
}

/** Returns the events of a response, in small pieces. */
export function responseEvents(options: ResponseOptions): Record<string, any>[] {
  const output = outputOf(options);
  const shell = {
    id: 'resp_1',
    object: 'response',
    model: 'test-model',
    status: 'in_progress',
    error: null,
    output: [],
  };
  return [
    { type: 'response.created', response: shell },
    ...output.flatMap((item, output_index) => {
      const { begun, deltas } = streamedItem(item, options);
      const place = { item_id: item.id as string, output_index };
      const inside = deltas.map((delta) => ({ ...delta, ...place }));
      return [
        { type: 'response.output_item.added', output_index, item: begun },
        ...inside,
        { type: 'response.output_item.done', output_index, item },
      ];
    }),
    ...(options.done === false
      ? []
      : [
          {
            type: options.incomplete ? 'response.incomplete' : 'response.completed',
            response: responseOf(options, output),
          },
        ]),
  ].map((event, sequence_number) => ({ ...event, sequence_number }));
}

/** Returns an SSE stream of named events, as OpenAI sends it. */
export function eventStream(events: readonly Record<string, any>[]): Answer {
  return {
    ...stream([]),
    body: events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  };
}

export const response = (text: string, options: Omit<ResponseOptions, 'text'> = {}): Answer =>
  eventStream(responseEvents({ text, ...options }));
export const responseCalls = (calls: readonly CallSpec[], options: Omit<ResponseOptions, 'calls'> = {}): Answer =>
  eventStream(responseEvents({ calls, ...options }));
/** Returns one JSON body instead of a stream. */
export const wholeResponse = (options: ResponseOptions): Answer =>
  raw(JSON.stringify(responseOf(options, outputOf(options))), { type: 'application/json' });
