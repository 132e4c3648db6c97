import type { IncomingMessage } from 'node:http';
import { ModelProblem } from '../../../core/ports/model';
import { decompressedBody } from '../../net/decompressedBody';
import { openBody, readBodyText } from './body';
import { clip, isHtml, readErrorBody, readErrorValue } from './errorBody';
import { problemOf, type ServerAndModel } from './problems';
import { parseJson } from '../../../core/text/parseJson';
import { fieldsOf } from '../replies/receivedFields';

/** Collects a reply while it is read. */
export interface ReplyCollector {
  /** Processes one parsed piece; returns false if nothing more needs to be read. */
  add(piece: unknown): boolean;
  /** Returns the error in a chunk, if there is one. */
  failure?(piece: unknown): unknown;
  /** Size of the reply so far. A piece that does not increase it only shows that the server is alive. */
  size(): number;
  /** Returns whether the model said why it ended: then only counts may follow. False if absent. */
  isComplete?(): boolean;
}

const maxBodyBytes = 64 * 1024 * 1024;
/** In bytes: several times the longest piece that any server sends. */
const maxPieceBytes = 16 * 1024 * 1024;

/** How reading a reply is monitored. */
export interface ReplyWatch {
  /** Called for every piece of bytes that arrives. */
  moved(): void;
  /** Called when the reply is complete, so that little more can arrive. */
  completed(): void;
  /** How long a server may send bytes without reply content, such as keep-alive comments; 0 means forever. */
  readonly emptyMs: number;
}

/**
 * Reads the body of a 200 answer into `collector`; returns whether the server sent `[DONE]`. A server may also send one JSON
 * object instead of a stream. Throws a `ModelProblem` if the server sends endlessly without reply content.
 */
export async function readReplyBody(
  incoming: IncomingMessage,
  collector: ReplyCollector,
  server: ServerAndModel,
  watched: ReplyWatch,
): Promise<{ done: boolean }> {
  const bounds = boundsOf(server, watched.emptyMs);
  const bounded = (bytes: number): void => {
    watched.moved();
    bounds.took(bytes);
  };
  try {
    return await readBody(incoming, collector, server, {
      took: bounded,
      parsed: bounds.parsed,
      completed: watched.completed,
    });
  } catch (error) {
    // An endless body is not read to its end.
    if (error instanceof ModelProblem && (error.kind === 'stalled' || error.kind === 'bad_stream')) incoming.destroy();
    throw isBroken(error) ? cut(server, error) : error;
  }
}

interface Bounds {
  /** Throws if nothing but empty bytes came for too long. */
  took(bytes: number): void;
  /** Notes that a part of the reply arrived. */
  parsed(): void;
}

function boundsOf({ host }: ServerAndModel, emptyMs: number): Bounds {
  let unparsed = 0;
  let parsedAt = performance.now();
  return {
    took(bytes) {
      unparsed += bytes;
      if (unparsed > maxPieceBytes) {
        const why = `${host} sent ${maxPieceBytes / 1024 / 1024} MB without completing a piece of the reply.`;
        throw new ModelProblem('bad_stream', {
          what: 'The model’s reply could not be read.',
          why,
          next: 'None of it was run. Continue to ask again. If this persists, the server or a proxy in front of it alters the stream.',
        });
      }
      if (emptyMs > 0 && performance.now() - parsedAt > emptyMs) {
        const why = `${host} kept the connection open for ${Math.round(emptyMs / 1000)} seconds without sending any of the reply.`;
        throw new ModelProblem('stalled', {
          what: 'The model stopped answering.',
          why,
          next: 'No action of the reply was run. Continue to ask again. A slow local model may need a longer idle timeout.',
        });
      }
    },
    parsed() {
      unparsed = 0;
      parsedAt = performance.now();
    },
  };
}

type BodyWatch = Bounds & Pick<ReplyWatch, 'completed'>;

async function readBody(
  incoming: IncomingMessage,
  collector: ReplyCollector,
  server: ServerAndModel,
  watch: BodyWatch,
): Promise<{ done: boolean }> {
  const body = await openBody(await decompressedBody(incoming), watch.took);
  const collect = (event: unknown): boolean => take(event, collector, incoming, server);
  if (body.first === '<') throw noReply(await readBodyText(body.bytes, 64 * 1024), server);
  if (body.first === '{' || body.first === '[') {
    const text = await readBodyText(wholeJson(body.bytes, watch.parsed), maxBodyBytes);
    collect(parse(text, server));
    return { done: true };
  }
  try {
    const end = await readEvents(body.bytes, collector, collect, watch);
    const isStream = /event-stream/i.test(incoming.headers['content-type'] ?? '');
    if (end === 'empty' && !isStream && body.first !== '') throw noReply(body.beginning, server);
    return { done: end === 'done' };
  } catch (error) {
    // Some servers send neither [DONE] nor the end of the body.
    if (error instanceof ModelProblem && error.kind === 'stalled' && collector.isComplete?.()) return { done: false };
    if (error instanceof SyntaxError) throw body.ended() ? cut(server) : notJson(server, error);
    throw error;
  }
}

/**
 * Reads server-sent events. Returns `done` if the reply was complete, `open` if the body ended before, `empty` if it
 * had no events. Throws a `SyntaxError` for an event that is not JSON.
 */
async function readEvents(
  bytes: AsyncIterable<Uint8Array>,
  collector: ReplyCollector,
  collect: (event: unknown) => boolean,
  { parsed, completed }: BodyWatch,
): Promise<'done' | 'open' | 'empty'> {
  const { _iterSSEMessages: eventsOf } = await import('openai/core/streaming');
  let hasEvents = false;
  // Only `body` of the response is read.
  for await (const { data, event: name } of eventsOf({ body: bytes } as never, new AbortController())) {
    const text = data.trim();
    if (text === '') continue;
    hasEvents = true;
    if (text === '[DONE]') return 'done';
    const before = collector.size();
    if (!collect(name === 'error' ? errorEvent(text) : JSON.parse(text))) return 'done';
    if (collector.size() > before) parsed();
    if (collector.isComplete?.()) completed();
  }
  return hasEvents ? 'open' : 'empty';
}

/** Parses the data of an event named “error”, which may be words. */
function errorEvent(text: string): unknown {
  const parsed = parseJson(text);
  return typeof parsed === 'object' && parsed !== null ? parsed : { error: text };
}

function noReply(text: string, server: ServerAndModel): ModelProblem {
  const why = isHtml(text) ? readErrorBody(text).sentence : `a text that begins “${clip(text).slice(0, 80)}”`;
  return new ModelProblem('bad_stream', {
    what: 'The server answered with something that is not a model’s reply.',
    why: server.mask(`${server.host} sent ${why}.`),
    next: 'Check that the base URL leads to a model server (most end in /v1) and that no proxy or sign-in page is in front of it.',
    cause: new Error(`It begins: ${server.mask(text).slice(0, 200)}`),
  });
}

const space: ReadonlySet<number> = new Set([9, 10, 13, 32]);

/** A single JSON object is one piece however long it is, so it has its own limit. Space is not a part of the reply. */
async function* wholeJson(bytes: AsyncIterable<Uint8Array>, parsed: () => void): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    if (piece.some((byte) => !space.has(byte))) parsed();
    yield piece;
  }
}

function take(event: unknown, collector: ReplyCollector, incoming: IncomingMessage, server: ServerAndModel): boolean {
  const failed = (collector.failure ?? chatFailure)(event);
  if (failed) throw problemOf({ status: undefined, headers: incoming.headers, body: readErrorValue(failed) }, server);
  return collector.add(event);
}

function chatFailure(event: unknown): unknown {
  const { error, choices, object, message, base_resp: status } = fieldsOf(event);
  // MiniMax reports errors in a separate field, with status 200.
  const { status_code: code, status_msg: words } = fieldsOf(status);
  if (typeof code === 'number' && code !== 0) return { code: String(code), message: words };
  return (
    error ??
    (object === 'error' || (message !== undefined && choices === undefined) ? event : undefined) ??
    (choices as { error?: unknown }[] | undefined)?.[0]?.error
  );
}

function parse(text: string, server: ServerAndModel): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw notJson(server, error);
  }
}

/** The problem for a reply that ended before the model was done. */
export function cut({ host }: ServerAndModel, cause?: unknown): ModelProblem {
  return new ModelProblem('cut', {
    what: 'The model’s reply was cut off.',
    why: `${host} closed the connection before the reply was complete.`,
    next: 'None of it was run. Continue to ask again.',
    cause,
  });
}

function notJson({ host }: ServerAndModel, cause: unknown): ModelProblem {
  return new ModelProblem('bad_stream', {
    what: 'The model’s reply could not be read.',
    why: `${host} sent a piece that is not valid JSON.`,
    next: 'None of it was run. Continue to ask again. If this persists, the server or a proxy in front of it alters the stream.',
    cause,
  });
}

const isBroken = (error: unknown): boolean =>
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'EPIPE', 'ERR_HTTP_CONTENT_LENGTH_MISMATCH'].includes(
    (error as NodeJS.ErrnoException | undefined)?.code ?? '',
  ) ||
  (error as Error | undefined)?.message === 'aborted' ||
  /^(HPE|Z)_/.test((error as NodeJS.ErrnoException | undefined)?.code ?? '');
