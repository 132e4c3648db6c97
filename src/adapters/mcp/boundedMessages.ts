import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

/** Messages that nobody asked for, in that time. A server that tells of its progress a hundred times a second stays below. */
const mostMessages = 10_000;
const periodMs = 60_000;

/** What is said of a server that does not stop to tell and to ask. */
export const tooManyMessages = `It sent more than ${mostMessages.toLocaleString('en')} messages within a minute that nobody asked for.`;

/**
 * Counts what a server sends of its own accord: notifications of progress, logs and changes, questions, requests for a model. Where these
 * flood, `stop` is called once. To be called before the transport is connected.
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
    if (count <= mostMessages) return;
    stopped = true;
    stop();
  };
}
