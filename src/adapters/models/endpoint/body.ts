import type { IncomingMessage } from 'node:http';

/** A response body whose beginning has already been read. */
export interface Body {
  /** The first character that is not white space; empty for an empty body. */
  readonly first: string;
  /** All bytes, to be read once. Reading less leaves the connection usable for the next request. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** True when the server has closed the body and all of it was read. */
  ended(): boolean;
}

/** `moved` is called with the bytes of every piece that arrives; what it throws ends the reading. */
export async function openBody(incoming: IncomingMessage, moved: (bytes: number) => void): Promise<Body> {
  const source = incoming.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>;
  const head: Buffer[] = [];
  let ended = false;
  let first = '';
  while (!first && !ended) {
    const piece = await source.next();
    moved(piece.value?.length ?? 0);
    if (piece.done) ended = true;
    else {
      head.push(piece.value);
      // The three are a byte order mark.
      first = /[^\s\u00EF\u00BB\u00BF]/.exec(piece.value.toString('latin1'))?.[0] ?? '';
    }
  }
  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      yield* head;
      while (!ended) {
        const piece = await source.next();
        moved(piece.value?.length ?? 0);
        if (piece.done) ended = true;
        else yield piece.value;
      }
    } finally {
      if (!ended && !incoming.destroyed) await drain(incoming, source);
    }
  }
  return { first, bytes: bytes(), ended: () => ended };
}

/**
 * What follows `[DONE]` is read and dropped, so that the socket goes back to the
 * pool; a server that does not end is cut off.
 */
async function drain(incoming: IncomingMessage, source: AsyncIterator<Buffer, undefined>): Promise<void> {
  await source.return?.();
  const timer = setTimeout(() => incoming.destroy(), 1_000).unref();
  incoming.once('close', () => clearTimeout(timer)).resume();
}

/** The body as text, cut at `limit` bytes. */
export async function textOf(bytes: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of bytes) {
    pieces.push(piece);
    length += piece.length;
    if (length >= limit) break;
  }
  return Buffer.concat(pieces).subarray(0, limit).toString('utf8');
}
