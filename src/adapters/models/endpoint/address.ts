import type { OutgoingHttpHeaders } from 'node:http';
import type { Advice } from '../../../core/model/advice';
import type { Protocol, Provider, WireRules } from '../../../core/model/providers/provider';
import { ModelProblem } from '../../../core/ports/model';

const paths: Record<Protocol, string> = { chat: 'chat/completions', responses: 'responses', messages: 'messages' };

/**
 * Returns the URL for requests of a protocol under a base URL. A pasted full address also works. Throws a `ModelProblem`
 * if it is not an http or https URL.
 */
export function requestUrl(baseUrl: string, protocol: Protocol, { address }: Advice): URL {
  if (URL.canParse(baseUrl.trim())) {
    const url = new URL(baseUrl.trim());
    url.pathname = `${url.pathname.replace(/(?<!\/)\/+$/, '').replace(/\/(chat\/completions|responses|messages)$/, '')}/${paths[protocol]}`;
    if (/^https?:$/.test(url.protocol)) return url;
  }
  throw new ModelProblem('invalid_request', {
    what: 'The address of the model server cannot be used.',
    why: `“${baseUrl.replace(/\/\/[^@/]*@/, '//')}” is not an http or https URL.`,
    next: `Set ${address} to something like https://api.openai.com/v1 or http://127.0.0.1:11434/v1.`,
  });
}

/** Returns the headers of a request. The user's headers win, so that gateways can use their own authentication. */
export function headersFor(
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
export function withBetas(headers: OutgoingHttpHeaders, { boundThinking }: WireRules): OutgoingHttpHeaders {
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
