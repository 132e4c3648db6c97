// Answers for the model server of the tests. Each builder returns plain data, so that a test can change one thing with
// a spread or a fault: `{ ...reply('hi'), pieceBytes: 1 }`, `brokenAfter(reply('hi'), 40)`.

/** One HTTP answer. Times are in ms, positions in bytes of the body. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** Bytes per write; by default the whole body in one write. */
  readonly pieceBytes?: number;
  readonly pauseMs?: number;
  /** Delay before the response head; `Infinity` never answers. */
  readonly delayMs?: number;
  /** Delay between the head and the body. */
  readonly bodyDelayMs?: number;
  /** Stops sending after this many bytes, with the connection open. */
  readonly stallAfter?: number;
  /** Destroys the socket after this many bytes. */
  readonly brokenAfter?: number;
}

export interface CallSpec {
  readonly tool: string;
  readonly input: unknown;
  readonly id?: string;
}

export interface ReplyOptions {
  readonly text?: string;
  readonly reasoning?: string;
  /** The field that carries the reasoning; `reasoning_content` by default. */
  readonly reasoningField?: 'reasoning_content' | 'reasoning';
  readonly calls?: readonly CallSpec[];
  /** null omits usage. */
  readonly usage?: Record<string, unknown> | null;
  /** null omits the finish reason. */
  readonly finish?: string | null;
  readonly model?: string;
  /** False omits `[DONE]`. */
  readonly done?: boolean;
}

let made = 0;

/**
 * Returns the chunks of a reply as OpenAI streams them: role, reasoning, text and arguments in small pieces, finish
 * reason, usage.
 */
export function chunksOf({
  text = '',
  reasoning = '',
  reasoningField = 'reasoning_content',
  calls = [],
  usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  finish,
  model = 'test-model',
}: ReplyOptions): object[] {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model };
  const chunk = (delta: object, finishReason: string | null = null): object => ({
    ...head,
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  });
  return [
    chunk({ role: 'assistant', content: '' }),
    ...pieces(reasoning).map((piece) => chunk({ [reasoningField]: piece })),
    ...pieces(text).map((piece) => chunk({ content: piece })),
    ...calls.flatMap(({ tool, input, id = `call_${++made}` }, index) => [
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name: tool, arguments: '' } }] }),
      ...pieces(typeof input === 'string' ? input : JSON.stringify(input)).map((piece) =>
        chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
      ),
    ]),
    ...(finish === null ? [] : [chunk({}, finish ?? (calls.length > 0 ? 'tool_calls' : 'stop'))]),
    ...(usage === null ? [] : [{ ...head, choices: [], usage }]),
  ];
}

const pieces = (text: string): string[] => text.match(/[\s\S]{1,7}/gu) ?? [];

/** Returns an SSE stream of these payloads: objects as JSON, strings unchanged. */
export function stream(payloads: readonly (object | string)[]): Answer {
  const body = payloads
    .map((payload) => `data: ${typeof payload === 'string' ? payload : JSON.stringify(payload)}\n\n`)
    .join('');
  return { status: 200, headers: { 'content-type': 'text/event-stream' }, body };
}

export const answer = (options: ReplyOptions): Answer =>
  stream([...chunksOf(options), ...(options.done === false ? [] : ['[DONE]'])]);
export const reply = (text: string, options: Omit<ReplyOptions, 'text'> = {}): Answer => answer({ text, ...options });
export const toolCall = (tool: string, input: unknown, options: Omit<ReplyOptions, 'calls'> = {}): Answer =>
  answer({ calls: [{ tool, input }], ...options });
export const toolCalls = (calls: readonly CallSpec[], options: Omit<ReplyOptions, 'calls'> = {}): Answer =>
  answer({ calls, ...options });

/**
 * Usage for an answer to a request that contains a long output. If a server reports only a few tokens there, it seems
 * to truncate the conversation, which is then condensed. Without an answer for that request, the run goes through all
 * its retries.
 */
export const afterLongOutput: Pick<ReplyOptions, 'usage'> = {
  usage: { prompt_tokens: 20_000, completion_tokens: 5, total_tokens: 20_005 },
};

/** Returns an error in OpenAI's format. `error`: the text, or the whole `error` object. */
export function failure(
  status: number,
  error: string | object = 'it failed',
  headers: Record<string, string> = {},
): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({
      error: typeof error === 'string' ? { message: error, type: 'test_error', code: null } : error,
    }),
  };
}

/** Returns any body, for answers that no model server should send. */
export const raw = (
  body: string | Buffer,
  {
    status = 200,
    type = 'text/event-stream',
    headers = {},
  }: { status?: number; type?: string; headers?: Record<string, string> } = {},
): Answer => ({ status, headers: { 'content-type': type, ...headers }, body });
export const htmlPage = (title: string, status = 200): Answer =>
  raw(`<!DOCTYPE html><html><head><title>${title}</title></head><body>Please sign in</body></html>`, {
    status,
    type: 'text/html',
  });

/** Returns one JSON body, as sent by servers without streaming. */
export function unstreamed({
  text = '',
  calls = [],
  reasoning,
  finish,
  usage = { prompt_tokens: 10, completion_tokens: 5 },
}: ReplyOptions): Answer {
  const message = {
    role: 'assistant',
    content: text,
    ...(reasoning && { reasoning_content: reasoning }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ tool, input, id = `call_${++made}` }) => ({
        id,
        type: 'function',
        function: { name: tool, arguments: JSON.stringify(input) },
      })),
    }),
  };
  return raw(
    JSON.stringify({
      id: 'x',
      object: 'chat.completion',
      model: 'test-model',
      choices: [{ index: 0, message, finish_reason: finish ?? (calls.length > 0 ? 'tool_calls' : 'stop') }],
      usage,
    }),
    { type: 'application/json' },
  );
}

const textOf = ({ body }: Answer): string => body.toString();
export const inPieces = (of: Answer, pieceBytes = 1): Answer => ({ ...of, pieceBytes });
export const withCrlf = (of: Answer): Answer => ({ ...of, body: textOf(of).replaceAll('\n', '\r\n') });
export const withComments = (of: Answer): Answer => ({
  ...of,
  body: `: OPENROUTER PROCESSING\n\n${textOf(of).replaceAll('\n\n', '\n\n: OPENROUTER PROCESSING\n\n')}`,
});
/** Splits every payload into two `data:` lines. */
export const withDataLines = (of: Answer): Answer => ({
  ...of,
  body: textOf(of).replaceAll(/^data: \{(.*)$/gm, 'data: {\ndata: $1'),
});
export const brokenAfter = (of: Answer, bytes: number): Answer => ({ ...of, brokenAfter: bytes });
export const stallAfter = (of: Answer, bytes: number): Answer => ({ ...of, stallAfter: bytes });
/** Accepts the connection and never answers. */
export const silence: Answer = { ...raw(''), delayMs: Infinity };
