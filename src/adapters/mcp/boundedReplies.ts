import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';

const mostWaiting = 1000;
const mostCharacters = 1 << 20;

/** What is said of a server that asks without end and takes no answers. */
export const tooManyReplies = `It asked more than it takes answers to: over ${mostWaiting.toLocaleString('en')} of them, or 1 MB, waited for it.`;

/** Answers to what a server asks wait in memory until it takes them: where too many do, no more is sent, and `stop` is called once. To be called before the transport is connected. */
export function boundedReplies(transport: Pick<Transport, 'send'>, stop: () => void): void {
  const send = transport.send.bind(transport);
  let [waiting, characters, stopped] = [0, 0, false];
  transport.send = async (message: JSONRPCMessage, options) => {
    if ('method' in message) return send(message, options);
    if (stopped) return;
    const size = JSON.stringify(message).length;
    if (waiting >= mostWaiting || characters + (waiting > 0 ? size : 0) > mostCharacters) {
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
