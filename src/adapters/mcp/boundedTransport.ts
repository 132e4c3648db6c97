import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { withCommas } from '../../core/text/withCommas';

/**
 * Limits of what one server may list, send and request. Without them it could fill the memory or the context of the
 * model.
 */

/** Maximum number of entries of one list, over all its pages. */
export const maxEntries = 1000;

/** The lists of a server, by the field of the response that contains one. */
const lists = {
  tools: 'tools',
  prompts: 'prompts',
  resources: 'resources',
  resourceTemplates: 'resource templates',
} as const;
type ListField = keyof typeof lists;

/**
 * Truncates lists that are too long for any model, page by page, before they are validated and stored. `tell` is called
 * once per list. Call this before the transport is connected.
 */
export function boundedLists(transport: Pick<Transport, 'onmessage'>, tell: (words: string) => void): void {
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
        tell(`Only its first ${withCommas(maxEntries)} ${lists[field]} are used; it lists more.`);
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
