import type { IncomingMessage } from 'node:http';
import { ModelProblem, type ModelRequest } from '../../core/model/model';
import type { Prices } from '../../core/model/prices';
import { windowSpeaker, type Speaker } from '../../core/model/speaker';
import { textOf } from './body';
import { lessonFrom, lessonsAbout, type Lesson, type Lessons } from './lessons';
import { masker } from './mask';
import { networkProblem } from './networkProblem';
import { problemOf, type Place } from './problems';
import { post } from './transport';
import { watchdog } from './watchdog';

export interface EndpointOptions {
  /** "https://api.openai.com/v1", "http://127.0.0.1:11434/v1" … */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly name: string;
  /** Tokens; null or absent when not known. */
  readonly contextWindow?: number | null | undefined;
  /** US dollars per million tokens by model name, before the built-in table. */
  readonly prices?: Prices | undefined;
  /** How long nothing may move before the request ends as stalled; 0 is for ever. */
  readonly idleTimeoutMs?: number | undefined;
  /** Tokens that one reply may have; the server decides when absent. */
  readonly maxOutputTokens?: number | undefined;
  /** Sent with every request: `{ reasoning: { effort: 'high' } }`, `{ temperature: 0 }` … */
  readonly extraBody?: Record<string, unknown> | undefined;
  /** Says what a person can do against a problem; in a window when absent. */
  readonly speaker?: Speaker | undefined;
}

/** How requests of one protocol are written. */
export interface Writing {
  /** What requests hold that a server may refuse; see `Refused`. */
  readonly marked: boolean;
  readonly limited: boolean;
  readonly sealed: boolean;
  write<Answer>(request: ModelRequest, lessons: Lessons, work: (body: Buffer) => Promise<Answer>): Promise<Answer>;
}

export interface Endpoint {
  readonly url: URL;
  readonly place: Place;
  /**
   * Sends the request, again without what the server turns out not to know, and hands the response to `read`, which calls `moved` for
   * every piece that arrives. Throws a `ModelProblem`, or the signal's reason.
   */
  exchange<Answer>(request: ModelRequest, signal: AbortSignal, read: (incoming: IncomingMessage, moved: () => void) => Promise<Answer>): Promise<Answer>;
}

/** One address that answers requests of one protocol: "chat/completions", "responses". Remembers what its server wants. */
export function openEndpoint(protocol: string, { baseUrl, apiKey, name, idleTimeoutMs = 120_000, speaker = windowSpeaker }: EndpointOptions, writing: (url: URL) => Writing): Endpoint {
  const url = readUrl(baseUrl, protocol, speaker);
  const place: Place = { host: url.host, model: name, speaker, mask: masker(apiKey) };
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream', 'user-agent': 'waymark', ...(apiKey && { authorization: `Bearer ${apiKey}` }) };
  const { write, ...held } = writing(url);
  const lessons = new Set<Lesson>(lessonsAbout(url));

  const ask = async (request: ModelRequest, signal: AbortSignal): Promise<IncomingMessage> => {
    for (;;) {
      const incoming = await write(request, lessons, body => post(url, headers, body, signal));
      const { statusCode: status = 0 } = incoming;
      if (status >= 200 && status < 300) return incoming;
      const text = place.mask(await textOf(incoming, 64 * 1024));
      const lesson = lessonFrom({ status, text, request, lessons, ...held });
      if (!lesson) throw problemOf({ status, headers: incoming.headers, text: status < 400 ? String(incoming.headers.location ?? '') : text }, place);
      lessons.add(lesson);
      if (lesson === 'no_images') request.onNotice?.(`${name} at ${url.host} takes no pictures, so they are left out of what it reads.`);
    }
  };

  return {
    url, place,
    async exchange(request, signal, read) {
      const watch = watchdog(idleTimeoutMs, signal, () => stalled(place, idleTimeoutMs));
      try {
        watch.signal.throwIfAborted();
        const incoming = await ask(request, watch.signal);
        watch.touch();
        return await read(incoming, watch.touch);
      } catch (error) {
        if (watch.signal.aborted) throw watch.signal.reason;
        throw error instanceof ModelProblem ? error : networkProblem(error, place);
      } finally {
        watch.release();
      }
    },
  };
}

function stalled({ host }: Place, idleMs: number): ModelProblem {
  return new ModelProblem('stalled', 'The model stopped answering.', `${host} sent nothing for ${Math.round(idleMs / 100) / 10} seconds.`, 'Nothing of the reply was run. Continue to ask again; a slow local model may need a longer idle time-out.');
}

/** Where a protocol is served under a base URL; a pasted full address works too. */
function readUrl(baseUrl: string, protocol: string, { address }: Speaker): URL {
  if (URL.canParse(baseUrl.trim())) {
    const url = new URL(baseUrl.trim());
    url.pathname = `${url.pathname.replace(/\/+$/, '').replace(/\/(chat\/completions|responses)$/, '')}/${protocol}`;
    if (/^https?:$/.test(url.protocol)) return url;
  }
  throw new ModelProblem('invalid_request', 'The address of the model server cannot be used.', `“${baseUrl.replace(/\/\/[^@/]*@/, '//')}” is not an http or https URL.`, `Set ${address} to something like https://api.openai.com/v1 or http://127.0.0.1:11434/v1.`);
}
