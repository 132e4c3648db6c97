import type { IncomingHttpHeaders } from 'node:http';
import { ModelProblem, type ModelProblemKind } from '../../../core/ports/model';
import { smallContextWindow, windowAdvice, type Advice } from '../../../core/model/advice';
import { isContextOverflow, contextWindowInRefusal } from './contextOverflow';
import { isTemplateError, type ErrorBody } from './errorBody';
import { roomForOpenFiles, sentenceOf } from '../../../core/text/errorMessage';
import { withCommas } from '../../../core/text/withCommas';
import { isUntrusted, ProxyFailure, ProxyRefusal, UnusableProxy } from '../../net/proxies';

/** Server and model that a problem is about. */
export interface ServerAndModel {
  readonly host: string;
  readonly model: string;
  /** Words what the user can do about a problem; as in a window if absent. */
  readonly advice?: Advice;
  /** Masks the key. */
  mask(text: string): string;
}

interface Failure {
  /** Undefined for an error inside an answer of status 200. */
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: ErrorBody;
  /** Host and port of a proxy that may have answered in place of the server. */
  readonly readingProxy?: string | undefined;
}

/** Converts an answer other than 200, or an error inside a stream, into a problem for the user and for `withRetries`. */
export function problemOf(failure: Failure, server: ServerAndModel): ModelProblem {
  const { body, readingProxy } = failure;
  const status = failure.status ?? body.status ?? statusOfCode(body.code);
  const wait = retryAfterMs(failure.headers, body.all, Date.now());
  const kind = problemKind(status, body, wait);
  const id = [failure.headers['x-request-id'] ?? failure.headers['request-id']].flat()[0];
  const contextWindow = kind === 'context_overflow' ? contextWindowInRefusal(body.all) : undefined;
  const isNamed = modelIsUnknown.test(body.all);
  const hasRequestNumber = id !== undefined;
  const { what, next } =
    sentencesOfRefusal(kind, body.all, server) ??
    sentences(
      { kind, status, contextWindow, isNamed, hasRequestNumber, isProxied: readingProxy !== undefined },
      server,
    );
  const answered = failure.status === undefined ? errorInAnswer(body) : `answered ${failure.status}`;
  const why =
    `${answering(server, readingProxy, status)} ${answered}${body.sentence ? `: ${body.sentence}` : ' without saying why'}`.replace(
      /(?<![.!?\s])[.\s]*$/,
      '.',
    ) + (id ? ` (Request ${id}.)` : '');
  return new ModelProblem(kind, {
    what: server.mask(what),
    why: server.mask(why),
    next: server.mask(next),
    retryAfterMs: kind === 'rate_limit' || kind === 'server' ? wait : undefined,
    contextWindow,
  });
}

function answering({ host }: ServerAndModel, proxy: string | undefined, status: number | undefined): string {
  if (proxy === undefined) return host;
  return status === 407 ? `The proxy ${proxy}` : `${host}, reached through the proxy ${proxy},`;
}

/** Names a status only if the server wrote it into its error. */
const errorInAnswer = ({ status }: ErrorBody): string =>
  `sent ${status === undefined ? 'an error' : `error ${status}`} in its answer`;

/** What a server says that does not know the model. */
const modelIsUnknown = /model_not_found|model.{0,80}(does not exist|not found|is not available)/i;

function problemKind(status: number | undefined, { all, code }: ErrorBody, wait: number | undefined): ModelProblemKind {
  if (status === 401 || /invalid_api_key|api.?key not valid|(invalid|incorrect) api.?key/i.test(all))
    return 'authentication';
  // Some providers refuse a chat that is too long with a bare 400 or 413.
  if (status === 413 || (status === 400 && all.trim() === '') || isContextOverflow(all)) return 'context_overflow';
  // "Quota" with a retry time is a rate limit; without one it means that the balance is used up.
  const money =
    /insufficient.?(quota|balance|credit|funds)|exceeded your current quota|billing|credit balance|out of credits|payment required/i.test(
      all,
    );
  if (status === 402 || code.includes('insufficient_quota') || (money && wait === undefined && status !== 404))
    return 'quota';
  if (status === 403) return 'authentication';
  if (status === 404 || status === 405 || (status === 400 && modelIsUnknown.test(all))) return 'not_found';
  if (status === 429) return 'rate_limit';
  // Not retried: a proxy goes on asking for a sign-in.
  if (status === 407) return 'invalid_request';
  if (isTemplateError(all)) return 'invalid_request';
  if (status === undefined || status >= 500 || status === 408 || status === 409 || status === 425) return 'server';
  return 'invalid_request';
}

function statusOfCode(code: string): number | undefined {
  if (/rate_?limit/i.test(code)) return 429;
  if (/overloaded/i.test(code)) return 529;
  if (/invalid_request/i.test(code)) return 400;
  if (/authentication|permission/i.test(code)) return 401;
  return undefined;
}

interface Sentences {
  readonly what: string;
  readonly next: string;
}

/** Refusals whose status alone would suggest a wrong remedy. */
const knownRefusals: readonly {
  readonly words: RegExp;
  what(server: ServerAndModel): string;
  next(advice: Advice): string;
}[] = [
  {
    // vLLM
    words: /--enable-auto-tool-choice/,
    what: ({ host }) => `Tool calls are turned off at ${host}.`,
    next: ({ workWithoutTools }) => `Start the server with the options that it names. Or: ${workWithoutTools}`,
  },
  {
    // Ollama, OpenRouter, and others
    words:
      /(does not|doesn['’]t|do not) support (tools|tool use|tool calls|tool calling|function calling)|that support tool use/i,
    what: ({ host, model }) => `The model “${model}” cannot call tools at ${host}.`,
    next: ({ workWithoutTools }) => workWithoutTools,
  },
  {
    // OpenRouter, if the settings of the account exclude every provider
    words: /no endpoints found/i,
    what: ({ host, model }) => `No provider at ${host} serves the model “${model}” as the account asks.`,
    next: ({ chooseModel }) => `Change what the message names. Or: ${chooseModel}`,
  },
  {
    // Azure, OpenAI, Gemini
    words:
      /content_filter|content management policy|ResponsibleAIPolicyViolation|PROHIBITED_CONTENT|violat\w+ .{0,40}usage policy/i,
    what: () => 'The provider’s content filter refused the request.',
    next: () => 'Rephrase the task, or choose another model.',
  },
];

function sentencesOfRefusal(kind: ModelProblemKind, text: string, server: ServerAndModel): Sentences | undefined {
  if (kind !== 'invalid_request' && kind !== 'not_found') return undefined;
  const known = knownRefusals.find(({ words }) => words.test(text));
  return known && { what: known.what(server), next: known.next(server.advice ?? windowAdvice) };
}

interface ProblemFacts {
  readonly kind: ModelProblemKind;
  readonly status: number | undefined;
  /** Tokens that the model can read, if the server named it. */
  readonly contextWindow: number | undefined;
  /** True if the server knows models but not this one, so that its address is right. */
  readonly isNamed: boolean;
  readonly hasRequestNumber: boolean;
  /** True if a proxy may have answered. */
  readonly isProxied: boolean;
}

function sentences(
  { kind, status, contextWindow, isNamed, hasRequestNumber, isProxied }: ProblemFacts,
  { host, model, advice = windowAdvice }: ServerAndModel,
): Sentences {
  if (status === 407) return { what: proxySignIn, next: advice.setProxy };
  if (status !== undefined && status >= 300 && status < 400) {
    return {
      what: 'The model server redirects to another address.',
      next: `Correct ${advice.address}, if you trust that address with the key.`,
    };
  }
  switch (kind) {
    case 'authentication':
      return status === 403
        ? {
            what: `The key is not allowed to use the model “${model}”.`,
            next: `${advice.chooseModel} Or: ${advice.setKey}`,
          }
        : {
            what: 'The model server did not accept the key.',
            // tinyproxy answers 401 to a wrong password.
            next: isProxied ? `${advice.setKey} Or: ${advice.setProxy}` : advice.setKey,
          };
    case 'context_overflow':
      return {
        what:
          contextWindow === undefined
            ? `The conversation is longer than the model “${model}” can read.`
            : `The conversation is longer than the ${withCommas(contextWindow)} tokens that “${model}” can read at ${host}.`,
        next: (contextWindow ?? Infinity) < smallContextWindow ? advice.enlargeContext : advice.shortenConversation,
      };
    case 'quota':
      return {
        what: `The account at ${host} has no credit left.`,
        next: 'Add credit or raise the spending limit on the billing page of the provider, then continue.',
      };
    case 'not_found':
      return {
        what: `The model “${model}” was not found.`,
        next: isNamed
          ? advice.chooseModel
          : `Correct ${advice.modelName}, or ${advice.address}: most addresses end in /v1.`,
      };
    case 'rate_limit':
      return { what: 'The rate limit is reached.', next: 'Wait a moment and continue.' };
    case 'server':
      return { what: 'The model server failed.', next: 'Try again in a moment; nothing is lost.' };
    default:
      return {
        what: 'The model server refused the request.',
        next: hasRequestNumber
          ? 'Try another model, or report this to the provider with the request number.'
          : 'Try another model, or remove options that this server may not know.',
      };
  }
}

const proxySignIn = 'A proxy between this machine and the model server requires a sign-in.';

/** Explains why a server could not be reached, from the code of Node's error or what is known about a proxy. */
export function networkProblem(error: unknown, server: ServerAndModel): ModelProblem {
  const { host, mask, advice = windowAdvice } = server;
  if (error instanceof ProxyRefusal) return proxyProblem(error, server);
  const what = `The model server at ${host} cannot be reached.`;
  if (error instanceof UnusableProxy)
    return new ModelProblem('invalid_request', { what, why: error.message, next: advice.correctProxy, cause: error });
  if (error instanceof ProxyFailure)
    return new ModelProblem(error.isLasting ? 'invalid_request' : 'network', {
      what,
      why: sentenceOf(error),
      next: error.isUntrusted ? advice.trustCertificate : advice.correctProxy,
      cause: error,
    });
  const { code = '', message = String(error) } = (error ?? {}) as NodeJS.ErrnoException;
  const { why, next } = reasons(code, host, message, advice);
  // Only the user can decide to trust a certificate, so waiting does not help.
  const kind = isUntrusted(code) ? 'invalid_request' : 'network';
  return new ModelProblem(kind, { what, why: mask(why), next, cause: error });
}

function proxyProblem(refusal: ProxyRefusal, { host, advice = windowAdvice }: ServerAndModel): ModelProblem {
  const { status } = refusal;
  const isForGood = status >= 400 && status < 500;
  // tinyproxy answers 401 to a wrong password. Only the proxy can have said it: there is no connection to the server yet.
  const asksToSignIn = status === 407 || status === 401;
  return new ModelProblem(isForGood ? 'invalid_request' : 'network', {
    what: asksToSignIn ? proxySignIn : `The model server at ${host} cannot be reached.`,
    why: sentenceOf(refusal),
    next: asksToSignIn ? advice.setProxy : advice.correctProxy,
    cause: refusal,
  });
}

interface Reason {
  readonly why: string;
  readonly next: string;
}

function reasons(code: string, host: string, message: string, { address, trustCertificate }: Advice): Reason {
  if (code === 'ECONNREFUSED')
    return { why: 'The connection was refused.', next: `Start the server, or correct ${address}.` };
  if (code === 'ENOTFOUND') {
    return {
      why: `The name ${host.replace(/:\d+$/, '')} could not be resolved.`,
      next: `Check the network connection and ${address}.`,
    };
  }
  if (code === 'EAI_AGAIN') return { why: 'The DNS server does not answer.', next: 'Check the network connection.' };
  // An alert comes from a server that uses TLS.
  if (/WRONG_VERSION|EPROTO|PACKET_LENGTH/.test(code) && !/\balert\b/.test(message)) {
    return {
      why: 'The server does not use https.',
      next: `Correct ${address}: it may need to begin with http://.`,
    };
  }
  if (isUntrusted(code)) return { why: `Its certificate is not trusted (${code}).`, next: trustCertificate };
  if (/TLS|SSL|EPROTO/.test(code)) {
    return {
      why: `No secure connection could be made (${code}).`,
      next: `Check ${address} and the proxy, if there is one.`,
    };
  }
  if (/ECONNRESET|EPIPE|ECONNABORTED/.test(code)) {
    return { why: 'The connection was closed before a response arrived.', next: 'Check the connection and continue.' };
  }
  if (/TIMEDOUT|HOSTUNREACH|NETUNREACH/.test(code)) {
    return { why: `There is no route to it (${code}).`, next: 'Check the network connection, VPN and proxy.' };
  }
  // Also if a module of Waymark itself could not be loaded for the call.
  const [tooMany] = /\b(?:EMFILE|ENFILE)\b/.exec(`${code} ${message}`) ?? [];
  if (tooMany !== undefined)
    return { why: 'Too many files are open.', next: `${roomForOpenFiles(tooMany)}, and try again.` };
  const sentence = code && !message.includes(code) ? `${message} (${code}).` : message.replace(/\.?$/, '.');
  return { why: sentence, next: `Check the network connection and ${address}.` };
}

/**
 * Returns how long a server asks to wait, in ms, never negative. Reads `retry-after-ms`, `retry-after` as seconds or
 * HTTP date, `x-ratelimit-reset*` and `ratelimit-reset` as seconds, durations ("6m0s"), dates or Unix times; else the
 * text ("try again in 1.2s"). Ignores an absurdly long wait. `now`: ms since 1970.
 */
export function retryAfterMs(headers: IncomingHttpHeaders, text: string, now: number): number | undefined {
  const asked = statedWait(headers, text, now);
  return asked !== undefined && asked <= longestWaitMs ? asked : undefined;
}

/** Quotas last at most a month: a longer wait is a mistake of the server. */
const longestWaitMs = 31 * 24 * 60 * 60 * 1000;

function statedWait(headers: IncomingHttpHeaders, text: string, now: number): number | undefined {
  const headerText = (name: string): string | undefined => [headers[name]].flat()[0]?.trim();
  const milliseconds = Number(headerText('retry-after-ms') || NaN);
  if (Number.isFinite(milliseconds)) return Math.max(0, milliseconds);
  const asked = waitOf(headerText('retry-after'), now);
  if (asked !== undefined) return asked;
  const resets = resetHeaders
    // Only exhausted limits require waiting. Without a remaining count, any limit may be the exhausted one.
    .filter(([, remaining]) => headerText(remaining) === undefined || Number(headerText(remaining)) <= 0)
    .flatMap(([reset]) => waitOf(headerText(reset), now) ?? []);
  if (resets.length > 0) return Math.max(...resets);
  const statedDelay = /(?:try again in\s*|retry in\s*|retryDelay\W+)((?:\d+(?:\.\d+)?\s*(?:ms|h|m|s)[a-z]*\s*)+)/i.exec(
    text,
  )?.[1];
  return statedDelay === undefined ? undefined : durationMs(statedDelay);
}

const resetHeaders = [
  ['x-ratelimit-reset', 'x-ratelimit-remaining'],
  ['ratelimit-reset', 'ratelimit-remaining'],
  ['x-ratelimit-reset-requests', 'x-ratelimit-remaining-requests'],
  ['x-ratelimit-reset-tokens', 'x-ratelimit-remaining-tokens'],
  ['anthropic-ratelimit-requests-reset', 'anthropic-ratelimit-requests-remaining'],
  ['anthropic-ratelimit-tokens-reset', 'anthropic-ratelimit-tokens-remaining'],
] as const;

function waitOf(value: string | undefined, now: number): number | undefined {
  if (!value) return undefined;
  const number = Number(value);
  if (Number.isFinite(number)) return Math.max(0, waitOfNumber(number, now));
  const date = /[a-z]{3},|\d{4}-\d\d-\d\d/i.test(value) ? Date.parse(value) : NaN;
  return Number.isNaN(date) ? durationMs(value) : Math.max(0, date - now);
}

/** Above a billion it is a point in time (in seconds; above 100 billion in ms); below, it is a wait in seconds. */
function waitOfNumber(number: number, now: number): number {
  if (number > 1e11) return number - now;
  return number > 1e9 ? number * 1000 - now : number * 1000;
}

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** Parses "6m0s", "1.5s", "20ms", "1h2m" into ms. */
function durationMs(text: string): number | undefined {
  const parts = [...text.matchAll(/(?<!\d)(\d+(?:\.\d+)?)\s*(ms|h|m|s)/gi)];
  return parts.length === 0
    ? undefined
    : parts.reduce(
        (sum, [, amount, unit]) => sum + Number(amount) * units[unit!.toLowerCase() as keyof typeof units],
        0,
      );
}
