import type { OutgoingHttpHeaders } from 'node:http';
import type { Protocol, Provider, WireRules } from '../../../core/model/providers/provider';

/** The headers of a request. Those of the person win, so that a gateway can be told in its own way who is there. */
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
 * What a server of Anthropic's protocol wants that is not in the list: some look for the key here, some where tokens
 * go.
 */
const anthropicHeaders = (provider: Provider | undefined, apiKey: string | undefined): Record<string, string> => ({
  'anthropic-version': '2023-06-01',
  ...(apiKey && provider?.keyHeader === undefined && { 'x-api-key': apiKey }),
});

const betaHeader = 'anthropic-beta';

/** The headers with those that the fields of a request need, beside what a person sends there. */
export function withBetas(headers: OutgoingHttpHeaders, { boundThinking }: WireRules): OutgoingHttpHeaders {
  if (!boundThinking) return headers;
  const betas = [headers[betaHeader], 'thinking-binding-controls-2026-08-01'].filter((beta) => beta !== undefined);
  return { ...headers, [betaHeader]: betas.join(',') };
}

/**
 * How a key is sent to a provider. A token of Microsoft Entra, which begins as every JWT does, goes where tokens go.
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
