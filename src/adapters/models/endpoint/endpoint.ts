import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { hasImages } from '../../../core/model/images';
import { ModelProblem, type ModelRequest } from '../../../core/ports/model';
import type { Prices } from '../../../core/model/prices';
import { windowAdvice, type Advice } from '../../../core/model/advice';
import type { Protocol, Provider, WireRules } from '../../../core/model/providers/provider';
import { providerAt, rulesFor } from '../../../core/model/providers/rulesFor';
import { decompressedBody } from '../../net/decompressedBody';
import type { ProxyFor } from '../../net/proxies';
import { readBodyText } from './body';
import { marksCache, type RequestWriter, type RequestSettings } from '../requests/requestWriter';
import { LearnedRules, type LessonMemory } from './learnedRules';
import { readErrorBody } from './errorBody';
import { lessonFrom, type Lesson, type Refused } from './lessons';
import { masker } from './mask';
import { asksForOther, OtherProtocol } from './otherProtocol';
import { problemOf, type ServerAndModel, networkProblem } from './problems';
import type { ReplyWatch } from './readReplyBody';
import { postBody } from './transport';

export interface EndpointOptions {
  /** "https://api.openai.com/v1", "http://127.0.0.1:11434/v1" … */
  readonly baseUrl: string;
  /** Provider whose rules apply; derived from the address if absent. */
  readonly provider?: Provider | undefined;
  readonly apiKey?: string | undefined;
  readonly name: string;
  /** In tokens; null or absent if unknown. */
  readonly contextWindow?: number | null | undefined;
  /** US dollars per million tokens by model name. Takes precedence over the built-in table. */
  readonly prices?: Prices | undefined;
  /** How long a connection may be idle before the request fails as stalled; 0 means forever. */
  readonly idleTimeoutMs?: number | undefined;
  /** Maximum number of tokens per reply; the server decides if absent. */
  readonly maxOutputTokens?: number | undefined;
  /** From 0 to 2; the server decides if absent. Omitted for models that refuse it. */
  readonly temperature?: number | undefined;
  /** How much the model reasons: one of `efforts`; the server decides if absent. */
  readonly reasoningEffort?: string | undefined;
  /** Whether requests carry prompt cache marks; the provider's default applies if absent or `auto`. */
  readonly promptCaching?: 'auto' | 'on' | 'off' | undefined;
  /** Additional headers of every request. Their values are secret. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Merged into every request: `{ top_p: 0.9 }`, `{ provider: { order: [...] } }` … */
  readonly extraBody?: Record<string, unknown> | undefined;
  /** Words what the user can do about a problem; as in a window if absent. */
  readonly advice?: Advice | undefined;
  /** Returns the proxy for an address; if absent, requests go through that of VS Code or directly. */
  readonly proxyFor?: ProxyFor | undefined;
  /** True if the caller can switch to the other protocol when the server asks for it. */
  readonly mayChangeProtocol?: boolean;
  /** Stores what was learned about servers; in memory only if absent. */
  readonly memory?: LessonMemory | undefined;
}

/** A model server with one model, as requests reach it. */
export interface Endpoint {
  readonly url: URL;
  readonly place: ServerAndModel;
  /** Server and model, as in `ModelReply.origin`. */
  readonly origin: string;
  /** Display name of the server: "Mistral (api.mistral.ai)". */
  readonly serverName: string;
  /**
   * Sends the request, again without anything the server turns out not to support, and passes the response to `read`,
   * which reports every piece that arrives. Throws a `ModelProblem`, the signal's reason, or `OtherProtocol` if the
   * server asks for the other protocol.
   */
  exchange<Answer>(
    request: ModelRequest,
    signal: AbortSignal,
    read: (incoming: IncomingMessage, watched: ReplyWatch) => Promise<Answer>,
  ): Promise<Answer>;
}

/** Shorter header values are words such as "team": masking them would mask the same words elsewhere. */
const minMaskedLength = 12;

/** A server that thinks for long says so with comments. It may do so for this many idle timeouts. */
const idleTimesEmpty = 5;

/** Counts of tokens follow a complete reply at once. */
const afterReplyMs = 10_000;

const paths: Record<Protocol, string> = { chat: 'chat/completions', responses: 'responses', messages: 'messages' };

/** Opens an address that answers requests of one protocol. Remembers what its server requires. */
export function openEndpoint(
  protocol: Protocol,
  options: EndpointOptions,
  writer: (settings: RequestSettings) => RequestWriter,
): Endpoint {
  const { baseUrl, apiKey, name, idleTimeoutMs = 120_000, extraBody = {}, advice = windowAdvice } = options;
  const { maxOutputTokens, temperature, reasoningEffort, mayChangeProtocol = false, memory } = options;
  const url = readUrl(baseUrl, paths[protocol], advice);
  const provider = options.provider ?? providerAt(url);
  const origin = `${provider?.id ?? url.host} ${name}`;
  const headers = headersFor(protocol, provider, apiKey, options.headers);
  const proxy = options.proxyFor?.(url);
  const place: ServerAndModel = {
    host: url.host,
    model: name,
    advice,
    proxy: proxy?.host,
    mask: masker(apiKey, ...Object.values(options.headers ?? {}).filter((value) => value.length >= minMaskedLength)),
  };
  const write = writer({ model: name, origin, maxOutputTokens, temperature, reasoningEffort, extraBody });
  const server = `${url.origin}${url.pathname} ${name}`;
  const rules = withPromptCaching(rulesFor(provider, name, url, protocol), protocol, options);
  const learned = new LearnedRules(rules, server, memory);
  const notices = new OmissionNotices(url.host, options);

  const ask = async (request: ModelRequest, signal: AbortSignal): Promise<IncomingMessage> => {
    if (mayChangeProtocol && learned.learnedLessons.has('other_protocol')) throw otherProtocolFor(name, url.host);
    for (;;) {
      notices.give(request, learned.manner.rules, learned.learnedLessons);
      const incoming = await write(request, learned.manner, (body) =>
        postBody({ url, headers: withBetas(headers, learned.manner.rules), proxy }, body, signal),
      );
      const { statusCode: status = 0 } = incoming;
      if (status >= 200 && status < 300) {
        learned.keep();
        return incoming;
      }
      const text = place.mask(await readBodyText(await decompressedBody(incoming), 64 * 1024));
      const { rules } = learned.manner;
      const sent = sentIn(request, rules, protocol, options);
      const body = readErrorBody(status < 400 ? String(incoming.headers.location ?? '') : text);
      const { learnedLessons } = learned;
      const lesson = lessonFrom({ status, text: body.all, request, learnedLessons, rules, sent });
      if (lesson) {
        learned.learn(lesson);
        continue;
      }
      const problem = problemOf({ status, headers: incoming.headers, body }, place);
      if (problem.kind === 'invalid_request') learned.forgetUnproven();
      if (!mayChangeProtocol || !asksForOther(protocol, status, text)) throw problem;
      learned.learn('other_protocol');
      learned.keep();
      throw new OtherProtocol(problem);
    }
  };

  return {
    url,
    place,
    origin,
    serverName: provider ? `${provider.name} (${url.host})` : `openai-compatible at ${url.host}`,
    async exchange(request, signal, read) {
      const watch = watchdog(idleTimeoutMs, signal, () => stalledProblem(place, idleTimeoutMs));
      try {
        watch.signal.throwIfAborted();
        const incoming = await ask(request, watch.signal);
        watch.touch();
        return await read(incoming, {
          moved: watch.touch,
          completed: watch.complete,
          emptyMs: idleTimeoutMs * idleTimesEmpty,
        });
      } catch (error) {
        if (watch.signal.aborted) throw watch.signal.reason;
        throw error instanceof ModelProblem ? error : networkProblem(error, place);
      } finally {
        watch.release();
      }
    },
  };
}

/** Applies the user's choice. The Responses API has no marks: its servers cache by themselves. */
function withPromptCaching(
  rules: WireRules,
  protocol: Protocol,
  { promptCaching = 'auto' }: EndpointOptions,
): WireRules {
  return promptCaching === 'auto' || protocol === 'responses'
    ? rules
    : { ...rules, cacheMarks: promptCaching === 'on' };
}

/** Returns which fields a request contained that a server may refuse. */
function sentIn(
  request: ModelRequest,
  rules: WireRules,
  protocol: Protocol,
  { name, maxOutputTokens, temperature, reasoningEffort }: EndpointOptions,
): Refused['sent'] {
  const needsLimit = protocol === 'messages';
  return {
    marks: marksCache(rules, name),
    limit: (needsLimit || Boolean(maxOutputTokens)) && rules.limit !== null,
    temperature: rules.temperature && (temperature ?? request.parameters?.temperature) !== undefined,
    effort: rules.effort !== null && (rules.thinksUnasked || Boolean(reasoningEffort)),
    sealed: protocol === 'responses',
  };
}

/** Tells the user, once each, which settings and contents are not sent because the server does not support them. */
class OmissionNotices {
  private readonly reported = new Set<string>();

  constructor(
    private readonly host: string,
    private readonly options: Pick<EndpointOptions, 'name' | 'temperature' | 'reasoningEffort'>,
  ) {}

  /** Reports what a request written by these rules leaves out. */
  give(request: ModelRequest, rules: WireRules, known: ReadonlySet<Lesson>): void {
    const { name, temperature, reasoningEffort } = this.options;
    if (reasoningEffort) this.giveEffort(request, rules, reasoningEffort);
    if (temperature !== undefined && !rules.temperature)
      this.noticeOnce(request, `${name} at ${this.host} does not support a temperature, so none is sent.`);
    const why = known.has('refused_images') ? 'refused a picture' : 'does not support pictures';
    if (!rules.images && hasImages(request.messages))
      this.noticeOnce(request, `${name} at ${this.host} ${why}, so pictures are not sent to it.`);
  }

  private giveEffort(request: ModelRequest, { effort, effortWithTools }: WireRules, wished: string): void {
    const { name } = this.options;
    const notSent = `so the reasoning effort “${wished}” is not sent.`;
    if (effort === null)
      return this.noticeOnce(request, `${name} at ${this.host} does not support a reasoning effort, ${notSent}`);
    if (!effortWithTools || effortWithTools === wished || request.tools.length === 0) return;
    this.noticeOnce(
      request,
      `${name} supports tools over this protocol only with the effort “${effortWithTools}”, ${notSent} The protocol “responses” supports both.`,
    );
  }

  private noticeOnce(request: ModelRequest, words: string): void {
    if (this.reported.has(words)) return;
    this.reported.add(words);
    request.onNotice?.(words);
  }
}

/** The error for a model that its server is known to serve over the other protocol only. */
const otherProtocolFor = (name: string, host: string): OtherProtocol =>
  new OtherProtocol(
    new ModelProblem('invalid_request', {
      what: 'The model server refused the request.',
      why: `${host} serves ${name} over another protocol.`,
      next: '',
    }),
  );

/** A signal that ends a request when the caller aborts or nothing has arrived for a while. */
interface Watchdog {
  /** Its reason is the caller's reason or the error from `stalledProblem`. */
  readonly signal: AbortSignal;
  /** Restarts the timeout: something arrived. */
  touch(): void;
  /** The reply is complete: waits only a little longer, whatever arrives. */
  complete(): void;
  release(): void;
}

/** Creates a watchdog. An `idleMs` of 0 waits forever. */
function watchdog(idleMs: number, caller: AbortSignal, stalled: () => Error): Watchdog {
  const controller = new AbortController();
  const cancel = (): void => controller.abort(caller.reason);
  if (caller.aborted) cancel();
  else caller.addEventListener('abort', cancel, { once: true });
  const stop = (): void => controller.abort(stalled());
  let timer = idleMs > 0 ? setTimeout(stop, idleMs) : undefined;
  let isComplete = false;
  return {
    signal: controller.signal,
    touch: () => void (isComplete || timer?.refresh()),
    complete() {
      if (isComplete) return;
      isComplete = true;
      clearTimeout(timer);
      timer = setTimeout(stop, Math.min(idleMs || afterReplyMs, afterReplyMs));
    },
    release() {
      clearTimeout(timer);
      caller.removeEventListener('abort', cancel);
    },
  };
}

function stalledProblem({ host }: ServerAndModel, idleMs: number): ModelProblem {
  return new ModelProblem('stalled', {
    what: 'The model stopped answering.',
    why: `${host} sent nothing for ${Math.round(idleMs / 100) / 10} seconds.`,
    next: 'No action of the reply was run. Continue to ask again. A slow local model may need a longer idle timeout.',
  });
}

/** Returns the URL of a protocol under a base URL. A pasted full address also works. */
function readUrl(baseUrl: string, path: string, { address }: Advice): URL {
  if (URL.canParse(baseUrl.trim())) {
    const url = new URL(baseUrl.trim());
    url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/(chat\/completions|responses|messages)$/, '')}/${path}`;
    if (/^https?:$/.test(url.protocol)) return url;
  }
  throw new ModelProblem('invalid_request', {
    what: 'The address of the model server cannot be used.',
    why: `“${baseUrl.replace(/\/\/[^@/]*@/, '//')}” is not an http or https URL.`,
    next: `Set ${address} to something like https://api.openai.com/v1 or http://127.0.0.1:11434/v1.`,
  });
}

/** Returns the headers of a request. The user's headers win, so that gateways can use their own authentication. */
function headersFor(
  protocol: Protocol,
  provider: Provider | undefined,
  apiKey: string | undefined,
  further: Readonly<Record<string, string>> = {},
): OutgoingHttpHeaders {
  return byLowerCase(
    {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'user-agent': 'waymark',
      ...(protocol === 'messages' && anthropicHeaders(provider, apiKey)),
      ...provider?.headers,
      ...keyHeader(provider, apiKey),
    },
    further,
  );
}

/**
 * Headers that servers of Anthropic's protocol need beyond the provider list: some read the key here, some in the
 * authorization header.
 */
const anthropicHeaders = (provider: Provider | undefined, apiKey: string | undefined): Record<string, string> => ({
  'anthropic-version': '2023-06-01',
  ...(apiKey && provider?.keyHeader === undefined && { 'x-api-key': apiKey }),
});

const betaHeader = 'anthropic-beta';

/** Adds the beta headers that a request's fields need to those that the user sends. */
function withBetas(headers: OutgoingHttpHeaders, { boundThinking }: WireRules): OutgoingHttpHeaders {
  if (!boundThinking) return headers;
  const betas = [headers[betaHeader], 'thinking-binding-controls-2026-08-01'].filter((beta) => beta !== undefined);
  return { ...headers, [betaHeader]: betas.join(',') };
}

/**
 * Returns the header that carries a provider's key. A Microsoft Entra token, recognized as a JWT by its beginning, is
 * sent as a bearer token.
 */
function keyHeader(provider: Provider | undefined, apiKey: string | undefined): Record<string, string> {
  if (!apiKey) return {};
  const isToken = apiKey.startsWith('eyJ');
  return provider?.keyHeader !== undefined && !isToken
    ? { [provider.keyHeader]: apiKey }
    : { authorization: `Bearer ${apiKey}` };
}

function byLowerCase(...parts: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  return Object.fromEntries(
    parts.flatMap((part) => Object.entries(part)).map(([name, value]) => [name.toLowerCase(), value]),
  );
}
