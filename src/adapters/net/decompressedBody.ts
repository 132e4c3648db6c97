import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';

/** Returns the decompressed body of a response. Throws if the compression is unknown. */
export async function decompressedBody(response: IncomingMessage): Promise<Readable> {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return response;
  // An error on either side destroys the other, and the reader receives the error.
  return pipeline(response, await unpackerOf(encoding), () => undefined);
}

async function unpackerOf(encoding: string): Promise<Transform> {
  const { createBrotliDecompress, createUnzip } = await import('node:zlib');
  if (/^(?:x-)?gzip$|^deflate$/.test(encoding)) return createUnzip();
  if (encoding === 'br') return createBrotliDecompress();
  throw new Error(
    `it is compressed as ${/^[a-z]{1,8}$/.exec(encoding)?.[0] ?? 'something'}, which Waymark did not request`,
  );
}
