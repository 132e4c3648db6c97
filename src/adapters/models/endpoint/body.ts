import type { Readable } from 'node:stream';

/** Response body whose beginning has already been read. */
interface Body {
  /** First non-white-space character; empty if the body is empty. */
  readonly first: string;
  /** The text up to there and what arrived with it, at most 4 KB. */
  readonly beginning: string;
  /** All bytes; can be read only once. Stopping early leaves the connection usable for the next request. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Returns true once the server has closed the body and all of it was read. */
  ended(): boolean;
}

/**
 * Reads the beginning of a body. `moved` is called with the size of every piece that arrives; an error that it throws
 * ends the reading.
 */
export async function openBody(incoming: Readable, moved: (bytes: number) => void): Promise<Body> {
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
      // The three characters are a byte order mark.
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
  const beginning = Buffer.concat(head).subarray(0, 4096).toString('utf8');
  return { first, beginning, bytes: bytes(), ended: () => ended };
}

/**
 * Reads and drops what follows `[DONE]`, so that the socket returns to the pool. Disconnects from a server that does
 * not end the body.
 */
async function drain(incoming: Readable, source: AsyncIterator<Buffer, undefined>): Promise<void> {
  await source.return?.();
  const timer = setTimeout(() => incoming.destroy(), 1_000).unref();
  incoming.once('close', () => clearTimeout(timer)).resume();
}

/** Returns the body as text, cut at `limit` bytes. */
export async function readBodyText(bytes: AsyncIterable<Uint8Array>, limit: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of bytes) {
    pieces.push(piece);
    length += piece.length;
    if (length >= limit) break;
  }
  return Buffer.concat(pieces).subarray(0, limit).toString('utf8');
}
