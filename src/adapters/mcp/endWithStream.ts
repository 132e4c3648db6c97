import type { JSONRPCMessage, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** The error for a request whose stream ended. */
export const streamEnded = 'The connection was closed before a response arrived.';

/**
 * Over HTTP each request has its own stream. If that ends without a response, the request fails instead of waiting in
 * vain. Call this before the transport is connected.
 */
export function endWithStream(transport: StreamableHTTPClientTransport): void {
  /** Ids of requests without a response. */
  const open = new Set<unknown>();
  const send = transport.send.bind(transport);
  const passOn = transport.onmessage;
  transport.onmessage = (message: JSONRPCMessage) => {
    if (!('method' in message)) open.delete(message.id);
    passOn?.(message);
  };
  transport.send = async (message, options) => {
    if (Array.isArray(message) || !('method' in message) || !('id' in message)) return send(message, options);
    const { id } = message;
    open.add(id);
    return send(message, {
      ...options,
      onRequestStreamEnd: () => {
        options?.onRequestStreamEnd?.();
        if (open.has(id)) transport.onmessage?.({ jsonrpc: '2.0', id, error: { code: -32_000, message: streamEnded } });
      },
    });
  };
}
