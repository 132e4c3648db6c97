import type { OutgoingHttpHeaders } from 'node:http';
import type { Provider } from '../../core/model/providers/provider';

/** The headers of a request. Those of the person win, so that a gateway can be told in its own way who is there. */
export function headersFor(provider: Provider | undefined, apiKey: string | undefined, further: Readonly<Record<string, string>> = {}): OutgoingHttpHeaders {
  return byLowerCase({
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'user-agent': 'waymark',
    ...provider?.headers,
    ...keyHeader(provider, apiKey),
  }, further);
}

/** How a key is sent to a provider. A token of Microsoft Entra, which begins as every JWT does, goes where tokens go. */
export function keyHeader(provider: Provider | undefined, apiKey: string | undefined): Record<string, string> {
  if (!apiKey) return {};
  const isToken = apiKey.startsWith('eyJ');
  return provider?.keyHeader !== undefined && !isToken ? { [provider.keyHeader]: apiKey } : { authorization: `Bearer ${apiKey}` };
}

function byLowerCase(...parts: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  return Object.fromEntries(parts.flatMap(part => Object.entries(part)).map(([name, value]) => [name.toLowerCase(), value]));
}
