import type { IncomingMessage } from 'node:http';
import { contextWindowOf } from '../../../core/model/contextWindows';
import { hasImages, hasOlderImages, withRecentImages } from '../../../core/model/images';
import { ModelProblem, type Model, type ModelRequest } from '../../../core/ports/model';
import type { Prices } from '../../../core/model/prices';
import { windowAdvice, type Advice } from '../../../core/model/advice';
import type { Protocol, Provider, WireRules } from '../../../core/model/providers/provider';
import { providerAt, rulesFor } from '../../../core/model/providers/rulesFor';
import { decompressedBody } from '../../net/decompressedBody';
import type { ProxyFor } from '../../net/proxies';
import { readingProxy } from '../../net/usedProxy';
import { headersFor, requestUrl, withBetas } from './address';
import { readBodyText } from './body';
import { marksCache, type RequestWriter, type RequestSettings } from '../requests/requestWriter';
import { LearnedRules, type LessonMemory } from './learnedRules';
import { readErrorBody } from './errorBody';
import { lessonFrom, type Lesson, type Refused } from './lessons';
import { masker } from './mask';
import { ConnectionAhead } from './connectionAhead';
import { asksForOther, OtherProtocol } from './otherProtocol';
import { problemOf, type ServerAndModel, networkProblem } from './problems';
import type { ReplyWatch } from './readReplyBody';
import { postBody } from './transport';
import { watchdog } from './watchdog';

/** One model behind one server, and what the user set for it. */
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
  readonly server: ServerAndModel;
  /** Server and model, as in `ModelReply.origin`. */
  readonly origin: string;
  /** Its provider is the display name of the server: "Mistral (api.mistral.ai)". */
  readonly info: Model['info'];
  /** See `Model.connect`. */
  connect(): void;
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

/** Opens an address that answers requests of one protocol. Remembers what its server requires. */
export function openEndpoint(
  protocol: Protocol,
  options: EndpointOptions,
  writer: (settings: RequestSettings) => RequestWriter,
): Endpoint {
  const { baseUrl, apiKey, name, idleTimeoutMs = 120_000, extraBody = {}, advice = windowAdvice } = options;
  const { maxOutputTokens, temperature, reasoningEffort, mayChangeProtocol = false, memory } = options;
  const url = requestUrl(baseUrl, protocol, advice);
  const provider = options.provider ?? providerAt(url);
  const origin = `${provider?.id ?? url.host} ${name}`;
  const headers = headersFor(protocol, provider, apiKey, options.headers);
  const proxy = options.proxyFor?.(url);
  const ahead = new ConnectionAhead(url, proxy);
  const server: ServerAndModel = {
    host: url.host,
    model: name,
    advice,
    mask: masker(apiKey, ...Object.values(options.headers ?? {}).filter((value) => value.length >= minMaskedLength)),
  };
  const write = writer({ model: name, origin, maxOutputTokens, temperature, reasoningEffort, extraBody });
  const serverKey = `${url.origin}${url.pathname} ${name}`;
  const rules = withPromptCaching(rulesFor(provider, name, url, protocol), protocol, options);
  const learned = new LearnedRules(rules, serverKey, memory);
  const notices = new OmissionNotices(url.host, options);

  const isForOther = (): boolean => mayChangeProtocol && learned.learnedLessons.has('other_protocol');

  const ask = async (request: ModelRequest, signal: AbortSignal): Promise<IncomingMessage> => {
    if (isForOther()) throw new OtherProtocol(otherProtocolProblem(name, url.host), triedOther);
    for (;;) {
      const { rules } = learned.manner;
      notices.give(request, rules, learned.learnedLessons);
      const shown = rules.recentImagesOnly ? { ...request, messages: withRecentImages(request.messages) } : request;
      const incoming = await write(shown, learned.manner, (body) =>
        postBody({ url, headers: withBetas(headers, rules), proxy, ahead }, body, signal),
      );
      if (isSuccess(incoming)) {
        learned.keep();
        return incoming;
      }
      await learnFrom(incoming, request);
    }
  };

  /** Learns how to ask again from a refusal. Throws the problem if it teaches nothing new. */
  const learnFrom = async (refusal: IncomingMessage, request: ModelRequest): Promise<void> => {
    const { statusCode: status = 0, headers: received } = refusal;
    const text = server.mask(await readBodyText(await decompressedBody(refusal), 64 * 1024));
    const body = readErrorBody(status < 400 ? String(received.location ?? '') : text);
    const { rules } = learned.manner;
    const { learnedLessons } = learned;
    const sent = sentIn(request, rules, protocol, options);
    const lesson = lessonFrom({ status, text: body.all, request, learnedLessons, rules, sent });
    if (lesson) return learned.learn(lesson);
    const through = readingProxy(refusal, proxy);
    const problem = problemOf({ status, headers: received, body, readingProxy: through }, server);
    if (problem.kind === 'invalid_request') learned.forgetUnproven();
    if (!mayChangeProtocol || !asksForOther(protocol, status, text)) throw problem;
    learned.learn('other_protocol');
    throw new OtherProtocol(problem, triedOther);
  };
  const triedOther = (works: boolean): void => (works ? learned.keep() : learned.forget('other_protocol'));

  return {
    server,
    origin,
    info: {
      name,
      provider: provider ? `${provider.name} (${url.host})` : `openai-compatible at ${url.host}`,
      contextWindow: options.contextWindow ?? contextWindowOf(name),
    },
    connect: () => {
      if (!isForOther()) ahead.open();
    },
    async exchange(request, signal, read) {
      const watch = watchdog(idleTimeoutMs, signal, server);
      try {
        watch.signal.throwIfAborted();
        const incoming = await ask(request, watch.signal);
        watch.touch();
        ahead.answered(incoming);
        return await read(incoming, {
          moved: watch.touch,
          completed: watch.complete,
          emptyMs: idleTimeoutMs * idleTimesEmpty,
        });
      } catch (error) {
        if (watch.signal.aborted) throw watch.signal.reason;
        throw error instanceof ModelProblem ? error : networkProblem(error, server);
      } finally {
        watch.release();
        ahead.requestEnded();
      }
    },
  };
}

const isSuccess = ({ statusCode = 0 }: IncomingMessage): boolean => statusCode >= 200 && statusCode < 300;

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
    if (rules.recentImagesOnly && hasOlderImages(request.messages))
      this.noticeOnce(
        request,
        `${name} at ${this.host} refused so many pictures in one request, so only the latest are sent to it.`,
      );
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
const otherProtocolProblem = (name: string, host: string): ModelProblem =>
  new ModelProblem('invalid_request', {
    what: 'The model server refused the request.',
    why: `${host} serves ${name} over another protocol.`,
    next: '',
  });
