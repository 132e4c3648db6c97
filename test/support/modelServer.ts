// A real HTTP server for OpenAI's Chat Completions and Responses APIs and Anthropic's Messages API. On request it makes
// every mistake that servers make:
//   const server = await startModelServer([toolCall('run_command', { command: 'ls' }), reply('done')]);
//   … server.baseUrl … server.requests[0]!.body.messages … await server.stop();
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer } from './answers/modelAnswers';
import { refusal } from './strict/strictChat';
import { responsesRefusal } from './strict/strictResponses';

export * from './answers/messagesAnswers';
export * from './answers/modelAnswers';
export * from './answers/responsesAnswers';

export interface ChatBody {
  model: string;
  stream?: boolean;
  messages: Record<string, any>[];
  tools?: Record<string, any>[];
  [field: string]: any;
}

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  /** The parsed JSON; `{}` if there was none. */
  readonly body: ChatBody;
  readonly text: string;
  /** Number of the TCP connection, from 1. Requests with the same number shared one. */
  readonly connection: number;
  /** Resolves to `sent` when the answer was sent completely, or to `aborted` if the client disconnected before that. */
  readonly outcome: Promise<'sent' | 'aborted'>;
}

/** An answer, or a function that returns one for a request and its index. */
export type Answering = Answer | ((request: RecordedRequest, index: number) => Answer | Promise<Answer>);

export interface ModelServerOptions {
  /** Answers 400 to chats that a real provider would refuse. Default: true. */
  readonly strict?: boolean;
  /** Accepts consecutive user messages, as OpenAI does. */
  readonly neighbours?: boolean;
  /**
   * Request keys that it accepts in addition to OpenAI's protocol. Reasoning fields of its answers are always accepted.
   */
  readonly takes?: readonly string[];
  /** What GET /v1/models lists: names, or whole entries. */
  readonly models?: readonly (string | object)[];
  /** The key required for listing models. */
  readonly listKey?: string;
  /** 0 uses any free port. */
  readonly port?: number;
}

export interface ModelServer {
  /** "http://127.0.0.1:PORT/v1" */
  readonly baseUrl: string;
  readonly port: number;
  /** Requests for replies in order of arrival, including refused ones. */
  readonly requests: readonly RecordedRequest[];
  /** Request keys that it accepts in addition to the protocol. */
  readonly takes: ReadonlySet<string>;
  /** Number of requests for the list of models, including refused ones. */
  readonly listings: number;
  /** Appends answers to the queue. */
  push(...answers: Answering[]): void;
  /** Forgets the recorded requests. The next one is the first again. */
  forget(): void;
  stop(): Promise<void>;
}

/**
 * Starts a server on 127.0.0.1 that gives `answers` in order. A function instead of a list answers every request.
 * Requests beyond the list get 501.
 */
export async function startModelServer(
  answers: readonly Answering[] | Exclude<Answering, Answer> = [],
  {
    strict = true,
    neighbours = false,
    takes = [],
    models = ['test-model'],
    listKey,
    port = 0,
  }: ModelServerOptions = {},
): Promise<ModelServer> {
  const every = typeof answers === 'function' ? answers : undefined;
  const waiting: Answering[] = typeof answers === 'function' ? [] : [...answers];
  const requests: RecordedRequest[] = [];
  const known = new Set(takes);
  const connections = new WeakMap<object, number>();
  let connected = 0;
  let listings = 0;

  const chat = async (
    request: RecordedRequest,
    refusalOf: (body: unknown, takes: ReadonlySet<string>) => string | undefined,
  ): Promise<Answer> => {
    const index = requests.push(request) - 1;
    const refused = strict && refusalOf(request.body, known);
    if (refused) return failureText(400, refused);
    const next = every ?? waiting.shift();
    if (!next) return failureText(501, `The model server of the test has no answer left for request ${index + 1}.`);
    const answer = typeof next === 'function' ? await next(request, index) : next;
    for (const field of reasoningFieldsIn(answer)) known.add(field);
    return answer;
  };

  const list = ({ headers: { authorization, 'api-key': key } }: RecordedRequest): Answer => {
    listings++;
    const allowed = listKey === undefined || authorization === `Bearer ${listKey}` || key === listKey;
    return allowed ? modelList(models) : failureText(401, 'Incorrect API key provided.');
  };

  const server = http.createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming
      .on('data', (piece: Buffer) => pieces.push(piece))
      .on('end', () => {
        const text = Buffer.concat(pieces).toString();
        const outcome = new Promise<'sent' | 'aborted'>((resolve) =>
          response.on('close', () => resolve(response.writableFinished ? 'sent' : 'aborted')),
        );
        const path = incoming.url ?? '';
        const recorded: RecordedRequest = {
          method: incoming.method ?? '',
          path,
          headers: incoming.headers,
          body: parse(text),
          text,
          connection: connections.get(incoming.socket) ?? 0,
          outcome,
        };
        const route = new URL(path, 'http://x').pathname;
        const answerOf = async (): Promise<Answer> => {
          if (route.endsWith('/models')) return list(recorded);
          if (incoming.method === 'POST') {
            if (route.endsWith('/chat/completions'))
              return chat(recorded, (body, takes) => refusal(body, takes, neighbours));
            if (route.endsWith('/messages')) return chat(recorded, () => undefined);
            if (route.endsWith('/responses')) return chat(recorded, responsesRefusal);
          }
          return failureText(404, `Unknown request URL: ${incoming.method} ${path}.`);
        };
        answerOf()
          .catch((error: Error) => failureText(501, `The answer of the test failed: ${error.message}`))
          .then((answer) => send(response, answer))
          .catch(() => response.destroy());
      });
  });
  // Like most servers. Node's default is 5 s.
  server.keepAliveTimeout = 75_000;
  server.on('connection', (socket) => connections.set(socket, ++connected));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const { port: taken } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${taken}/v1`,
    port: taken,
    requests,
    takes: known,
    get listings() {
      return listings;
    },
    push: (...more) => void waiting.push(...more),
    forget: () => void requests.splice(0),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const reasoningFields = [
  'reasoning_content',
  'reasoning',
  'reasoning_details',
  'thinking_blocks',
  'thinking',
  'signature',
  'data',
  'closed',
];

/** A server that shows its reasoning in a field also accepts that field in requests. */
const reasoningFieldsIn = ({ body }: Answer): string[] => {
  const text = body.toString('utf8');
  return reasoningFields.filter((field) => text.includes(`"${field}"`));
};

async function send(
  response: http.ServerResponse,
  {
    status,
    headers,
    body,
    pieceBytes,
    pauseMs = 0,
    delayMs = 0,
    bodyDelayMs = 0,
    stallAfter = Infinity,
    brokenAfter = Infinity,
  }: Answer,
): Promise<void> {
  if (delayMs === Infinity) return;
  if (delayMs > 0) await after(delayMs);
  const bytes = Buffer.from(body);
  const end = Math.min(bytes.length, stallAfter, brokenAfter);
  response.socket?.setNoDelay(true);
  response.writeHead(status, headers).flushHeaders();
  if (bodyDelayMs > 0) await after(bodyDelayMs);
  const step = pieceBytes ?? Math.max(1, end);
  for (let from = 0; from < end && !response.destroyed; from += step) {
    // Waiting for the callback makes each piece a separate write.
    await new Promise<void>((resolve) =>
      response.write(bytes.subarray(from, Math.min(end, from + step)), () => resolve()),
    );
    await (pauseMs > 0 ? after(pauseMs) : pieceBytes && new Promise((resolve) => setImmediate(resolve)));
  }
  if (end === brokenAfter) return void response.destroy();
  if (end === stallAfter) return;
  response.end();
}

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const modelList = (models: readonly (string | object)[]): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    object: 'list',
    data: models.map((model) => (typeof model === 'string' ? { id: model, object: 'model', owned_by: 'test' } : model)),
  }),
});
const failureText = (status: number, message: string): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ error: { message, type: 'invalid_request_error', code: null } }),
});

function parse(text: string): ChatBody {
  try {
    return JSON.parse(text) as ChatBody;
  } catch {
    return {} as ChatBody;
  }
}
