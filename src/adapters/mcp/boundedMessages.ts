import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { withCommas } from '../../core/text/withCommas';

/** Maximum size of one response, or of a stream since its last event, in bytes. */
const maxResponseBytes = 16 << 20;
/** Number of events to accept before a pause of `pauseMs`, which allows 5,000 per second. */
const maxAtOnce = 100;
const pauseMs = 20;

const tooMuch = `It sent more than ${maxResponseBytes >> 20} MB without completing a message.`;

/**
 * A `fetch` whose responses fail before they fill the memory. A stream of events may be endless, but data without a
 * complete event is limited: an endless line, comments, empty lines. `onTooMuch` is called with a message. `connect` sends the request.
 */
export async function boundedFetch(
  url: string | URL,
  init?: RequestInit,
  onTooMuch: (words: string) => void = () => undefined,
  connect: (url: string | URL, init?: RequestInit) => Promise<Response> = fetch,
): Promise<Response> {
  const response = await connect(url, init);
  if (!response.body) return response;
  const streams = /event-stream/.test(response.headers.get('content-type') ?? '');
  const events = new EventCount();
  let size = 0;
  let restless = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      if (streams) events.read(chunk);
      size = streams ? events.unfinished : size + chunk.length;
      if (size > maxResponseBytes) {
        onTooMuch(tooMuch);
        controller.error(new Error(tooMuch));
        return;
      }
      controller.enqueue(chunk);
      restless += events.ended;
      if (restless < maxAtOnce) return;
      const rests = Math.floor(restless / maxAtOnce);
      restless %= maxAtOnce;
      await new Promise((resolve) => setTimeout(resolve, rests * pauseMs));
    },
  });
  const bounded = new Response(response.body.pipeThrough(counted), {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
  Object.defineProperty(bounded, 'url', { value: response.url });
  return bounded;
}

const [lineFeed, carriageReturn] = [10, 13];
const data = [...'data'].map((letter) => letter.charCodeAt(0));

/** Counts the events of a stream: lines that begin with "data", up to an empty line. Comments do not count. */
class EventCount {
  /** Number of events that ended in the last part. */
  ended = 0;
  /** Bytes since the end of the last event. */
  unfinished = 0;
  /** Number of bytes read of the current line, and how many of them match "data". */
  private column = 0;
  private matched = 0;
  private hasData = false;

  read(chunk: Uint8Array): void {
    this.ended = 0;
    for (const byte of chunk) {
      this.unfinished++;
      if (byte === lineFeed || byte === carriageReturn) this.lineEnds();
      else {
        if (this.matched === this.column && byte === data[this.column]) this.matched++;
        this.column++;
      }
    }
  }

  /** The line feed after a carriage return looks like another empty line, but then there is no data to end. */
  private lineEnds(): void {
    if (this.column > 0) this.hasData ||= this.matched === data.length;
    else if (this.hasData) {
      this.ended++;
      this.unfinished = 0;
      this.hasData = false;
    }
    this.column = this.matched = 0;
  }
}

/**
 * Limits of what one server may list, send and request. Without them it could fill the memory or the context of the
 * model.
 */

/** Maximum number of entries of one list, over all its pages. */
const maxEntries = 1000;

/** The lists of a server, by the field of the response that contains one. */
const lists = {
  tools: 'tools',
  prompts: 'prompts',
  resources: 'resources',
  resourceTemplates: 'resource templates',
} as const;
type ListField = keyof typeof lists;

/**
 * Truncates lists that are too long for any model, page by page, before they are validated and stored. `warn` is called
 * once per list. Call this before the transport is connected.
 */
export function boundedLists(transport: Pick<Transport, 'onmessage'>, warn: (words: string) => void): void {
  const before = transport.onmessage;
  const reported = new Set<ListField>();
  const counts = new Map<ListField, number>();
  transport.onmessage = (message: JSONRPCMessage, extra) => {
    const result = 'result' in message ? (message.result as Record<string, unknown>) : {};
    for (const field of Object.keys(lists) as ListField[]) {
      const page = result[field];
      if (!Array.isArray(page)) continue;
      const known = counts.get(field) ?? 0;
      const room = maxEntries - known;
      counts.set(field, result['nextCursor'] === undefined ? 0 : known + page.length);
      if (page.length <= room) continue;
      result[field] = page.slice(0, Math.max(0, room));
      // All entries of the following pages would be removed.
      delete result['nextCursor'];
      counts.set(field, 0);
      if (!reported.has(field))
        warn(`Only its first ${withCommas(maxEntries)} ${lists[field]} are used; it lists more.`);
      reported.add(field);
    }
    before?.(message, extra);
  };
}

/**
 * Maximum number of unsolicited messages within `periodMs`. A server that reports its progress a hundred times a second
 * stays below.
 */
const maxMessages = 10_000;
const periodMs = 60_000;

/** Message about a server that floods the client with unsolicited messages. */
export const tooManyMessages = `It sent more than ${withCommas(maxMessages)} unsolicited messages within a minute.`;

/**
 * Counts unsolicited messages of a server: notifications of progress, logs and changes, elicitations, sampling
 * requests. Calls `stop` once if there are too many. Call this before the transport is connected.
 */
export function boundedMessages(transport: Pick<Transport, 'onmessage'>, stop: () => void): void {
  const before = transport.onmessage;
  let count = 0;
  let since = performance.now();
  let stopped = false;
  transport.onmessage = (message: JSONRPCMessage, extra) => {
    before?.(message, extra);
    if (stopped || !('method' in message)) return;
    const now = performance.now();
    if (now - since > periodMs) [count, since] = [0, now];
    count++;
    if (count <= maxMessages) return;
    stopped = true;
    stop();
  };
}

const maxPendingRequests = 1000;
const maxCharacters = 1 << 20;

/** Message about a server that sends requests without reading the responses. */
export const tooManyReplies = `It sent requests without reading the responses: more than ${withCommas(maxPendingRequests)} responses or 1 MB were waiting.`;

/**
 * Responses to requests of a server are queued in memory until it reads them. If there are too many, no more are sent,
 * and `stop` is called once. Call this before the transport is connected.
 */
export function boundedReplies(transport: Pick<Transport, 'send'>, stop: () => void): void {
  const send = transport.send.bind(transport);
  let [waiting, characters, stopped] = [0, 0, false];
  transport.send = async (message: JSONRPCMessage, options) => {
    if ('method' in message) return send(message, options);
    if (stopped) return;
    const size = JSON.stringify(message).length;
    if (waiting >= maxPendingRequests || characters + (waiting > 0 ? size : 0) > maxCharacters) {
      stopped = true;
      return stop();
    }
    waiting++;
    characters += size;
    try {
      await send(message, options);
    } finally {
      waiting--;
      characters -= size;
    }
  };
}
