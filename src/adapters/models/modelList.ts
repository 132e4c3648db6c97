import type { IncomingMessage, RequestOptions } from 'node:http';
import { readListedModels, type ListedModel } from '../../core/model/listedModels';
import { ModelProblem } from '../../core/ports/model';
import type { Provider } from '../../core/model/providers/provider';
import { providerAt } from '../../core/model/providers/rulesFor';
import { windowAdvice, type Advice } from '../../core/model/advice';
import { httpFor } from '../net/http';
import { decompressedBody } from '../net/decompressedBody';
import type { Proxy, ProxyFor } from '../net/proxies';
import { failureOf, noteProxy, readingProxy, refusalOf } from '../net/usedProxy';
import { readErrorBody } from './endpoint/errorBody';
import { masker } from './endpoint/mask';
import { problemOf, type ServerAndModel, networkProblem } from './endpoint/problems';
import { parseJson } from '../../core/text/parseJson';

/** The server to ask, with the key and headers of the user’s requests. Gives up after `timeoutMs`, 15,000 by default. */
export interface ModelListOptions {
  /**
   * "https://api.openai.com/v1". The provider list may name where the models of this address are listed and how the key
   * is sent.
   */
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** Additional headers, for gateways. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly advice?: Advice | undefined;
  /** Returns the proxy for an address; if absent, the request goes through that of VS Code or directly. */
  readonly proxyFor?: ProxyFor | undefined;
}

/** In bytes. The longest known list, of a router with hundreds of models, has about 1 MB. */
const maxBytes = 8 * 1024 * 1024;

/**
 * Returns the models that a server offers: chat models first, the most recent first among them. Does not follow
 * redirects, so that the key stays with the address it was given for. Throws a `ModelProblem`, or the signal's reason.
 */
export async function listModels(options: ModelListOptions): Promise<ListedModel[]> {
  const { apiKey, headers: further = {}, timeoutMs = 15_000, signal, advice = windowAdvice } = options;
  const { url, headers } = listRequest(options);
  const proxy = options.proxyFor?.(url);
  const server: ServerAndModel = {
    host: url.host,
    model: '',
    advice,
    mask: masker(apiKey, ...Object.values(further).filter(mayBeSecret)),
  };
  const limit = AbortSignal.timeout(timeoutMs);
  let answer: Answer;
  try {
    // With http.proxySupport "on", VS Code gives its proxy only to requests without an agent.
    const agent = await proxy?.agent();
    const until = signal ? AbortSignal.any([signal, limit]) : limit;
    answer = await get(url, { headers, ...(agent && { agent }), signal: until }, proxy);
  } catch (error) {
    signal?.throwIfAborted();
    throw limit.aborted ? tooSlow(server, timeoutMs) : networkProblem(error, server);
  }
  if (answer.status !== 200) throw refusalProblem(answer, server);
  const models = readListedModels(parseJson(answer.text));
  if (!models) throw noList(server, `${server.host} answered with something that is not a list of models.`);
  return models;
}

/** Header values for gateways are keys or short names of teams and routes. */
const mayBeSecret = (value: string): boolean => value.length >= 12;

/** Returns the URL and headers of the request for a list. */
export function listRequest(options: Pick<ModelListOptions, 'baseUrl' | 'apiKey' | 'headers'>): {
  url: URL;
  headers: Record<string, string>;
} {
  const provider = providerAt(new URL(options.baseUrl));
  return { url: listAddress(options.baseUrl, provider), headers: headersFor(provider, options) };
}

/** Returns the URL at which a server lists its models. */
function listAddress(baseUrl: string, provider: Provider | undefined): URL {
  const base = new URL(baseUrl);
  const path = provider?.modelList ?? 'models';
  if (path.startsWith('/')) return new URL(path, base.origin);
  const [below, query] = path.split('?');
  base.pathname = `${base.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/(chat\/completions|responses)$/, '')}/${below}`;
  for (const [name, value] of new URLSearchParams(query)) base.searchParams.set(name, value);
  return base;
}

function headersFor(
  provider: Provider | undefined,
  { apiKey, headers }: Pick<ModelListOptions, 'apiKey' | 'headers'>,
): Record<string, string> {
  const usual = provider?.keyHeader ? { [provider.keyHeader]: 'KEY' } : { authorization: 'Bearer KEY' };
  const forList = provider?.modelListHeaders ?? {};
  const ownKeyHeader = Object.values(forList).some((value) => value.includes('KEY'));
  const withKey = Object.entries({ ...(!ownKeyHeader && usual), ...forList })
    .filter(([, value]) => apiKey || !value.includes('KEY'))
    .map(([name, value]): [string, string] => [name, value.replace('KEY', () => apiKey ?? '')]);
  return {
    accept: 'application/json',
    'user-agent': 'waymark',
    ...provider?.headers,
    ...Object.fromEntries(withKey),
    ...headers,
  };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  /** See `problemOf`. */
  readonly readingProxy: string | undefined;
}

function get(url: URL, options: RequestOptions, proxy: Proxy | undefined): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = noteProxy(httpFor(url.protocol).get(url, options));
    request.on('error', (error) => reject(failureOf(request, error)));
    request.on('response', (response) => {
      const refusal = refusalOf(request, response);
      if (refusal) {
        reject(refusal);
        return void response.destroy();
      }
      const { statusCode: status = 0, headers: received } = response;
      const through = readingProxy(response, proxy);
      textOf(response).then((text) => resolve({ status, headers: received, text, readingProxy: through }), reject);
    });
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of (await decompressedBody(response)) as AsyncIterable<Buffer>) {
    size += piece.length;
    pieces.push(piece);
    if (size > maxBytes) throw new Error('The list of models is too long to read');
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Same as for a request to a model, without the wording that refers to a model. */
function refusalProblem({ status, headers, text, readingProxy }: Answer, server: ServerAndModel): ModelProblem {
  const refusalText = status < 400 ? String(headers.location ?? '') : text.slice(0, 64 * 1024);
  const problem = problemOf({ status, headers, body: readErrorBody(refusalText), readingProxy }, server);
  if (problem.kind === 'authentication' && status === 403) {
    return new ModelProblem('authentication', {
      what: 'The key is not allowed to list models.',
      why: problem.why,
      next: server.advice!.setKey,
    });
  }
  if (status === 407) return problem;
  const about = ['not_found', 'invalid_request', 'context_overflow'].includes(problem.kind);
  return about && status >= 400 ? noList(server, problem.why) : problem;
}

function noList({ advice = windowAdvice }: ServerAndModel, why: string): ModelProblem {
  const next = `Enter the model name yourself, or correct ${advice.address}: most addresses end in /v1.`;
  return new ModelProblem('not_found', { what: 'This server does not list its models.', why, next });
}

function tooSlow({ host }: ServerAndModel, timeoutMs: number): ModelProblem {
  const why = `${host} did not send a list of models within ${Math.round(timeoutMs / 1000)} seconds.`;
  return new ModelProblem('stalled', {
    what: 'The model server does not answer.',
    why,
    next: 'Check the network connection, or enter the model name yourself.',
  });
}
