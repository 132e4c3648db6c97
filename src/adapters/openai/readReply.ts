import type { IncomingMessage } from 'node:http';
import { ModelProblem } from '../../core/model/model';
import { openBody, textOf } from './body';
import { clip, isHtml, readErrorBody, readErrorValue } from './errorBody';
import { problemOf, type Place } from './problems';

/** Takes what comes, one parsed piece after the other; false when nothing more is to be read. `failure`: what of a piece tells of an error. */
interface Into { add(piece: unknown): boolean; failure?(piece: unknown): unknown }

const longestBody = 64 * 1024 * 1024;
const silent = { logLevel: 'off', logger: undefined };

/** Reads the body of a 200 answer into `into`; answers whether the server said `[DONE]`. A server may also send one JSON instead of a stream. */
export async function readReply(incoming: IncomingMessage, into: Into, place: Place, moved: () => void): Promise<{ done: boolean }> {
  const body = await openBody(incoming, moved);
  if (body.first === '<') {
    const text = await textOf(body.bytes, 64 * 1024);
    const why = isHtml(text) ? readErrorBody(text).said : `a text that begins “${clip(text).slice(0, 80)}”`;
    throw new ModelProblem('bad_stream', 'The server answered with something that is not a model’s reply.', place.mask(`${place.host} sent ${why}.`), 'Check that the base URL leads to a model server (most end in /v1) and that no proxy or sign-in page stands before it.', undefined, { cause: new Error(`It begins: ${place.mask(text).slice(0, 200)}`) });
  }
  if (body.first === '{' || body.first === '[') {
    take(parse(await textOf(body.bytes, longestBody), place), into, incoming, place);
    return { done: true };
  }
  const { Stream } = await import('openai/core/streaming');
  // Only `body` is read of the response; the events are taken as they are, errors among them.
  const stream = Stream.fromSSEResponse<unknown>({ body: body.bytes, headers: incoming.headers } as never, new AbortController(), silent as never, false, 'events');
  try {
    for await (const event of stream) if (!take(event, into, incoming, place)) return { done: true };
  } catch (error) {
    if (error instanceof SyntaxError) throw body.ended() ? cut(place) : notJson(place, error);
    throw isBroken(error) ? cut(place, error) : error;
  }
  // The decoder stops reading at [DONE]; a body that was read to its end had none.
  return { done: !body.ended() };
}

function take(event: unknown, into: Into, incoming: IncomingMessage, place: Place): boolean {
  const failed = (into.failure ?? chatFailure)(event);
  if (failed) throw problemOf({ status: undefined, headers: incoming.headers, text: '', body: readErrorValue(failed) }, place);
  return into.add(event);
}

function chatFailure(event: unknown): unknown {
  const { error, choices, object, message, base_resp: status } = (typeof event === 'object' && event !== null ? event : {}) as Record<string, unknown>;
  // MiniMax tells of errors in a field of its own, beside an answer of 200.
  const { status_code: code, status_msg: words } = (status ?? {}) as { status_code?: unknown; status_msg?: unknown };
  if (typeof code === 'number' && code !== 0) return { code: String(code), message: words };
  return error ?? (object === 'error' || (message !== undefined && choices === undefined) ? event : undefined) ?? (choices as { error?: unknown }[] | undefined)?.[0]?.error;
}

function parse(text: string, place: Place): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(place, error);
  }
}

/** The reply ended before the model was done. */
export function cut({ host }: Place, cause?: unknown): ModelProblem {
  return new ModelProblem('cut', 'The model’s reply was cut off.', `${host} closed the connection before the reply was complete.`, 'Nothing of it was run. Continue to ask again.', undefined, { cause });
}

function notJson({ host }: Place, cause: unknown): ModelProblem {
  return new ModelProblem('bad_stream', 'The model’s reply could not be read.', `${host} sent a piece that is not valid JSON.`, 'Nothing of it was run. Continue to ask again; if it stays so, the server or a proxy before it changes the stream.', undefined, { cause });
}

const isBroken = (error: unknown): boolean => ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'EPIPE', 'ERR_HTTP_CONTENT_LENGTH_MISMATCH'].includes((error as NodeJS.ErrnoException | undefined)?.code ?? '') || (error as Error | undefined)?.message === 'aborted' || /^HPE_/.test((error as NodeJS.ErrnoException | undefined)?.code ?? '');
