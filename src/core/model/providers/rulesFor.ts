import type { Protocol, Provider, WireRules } from './provider';
import { providers } from './providers';

/** What suits nearly every server: nothing that a strict one is known to refuse, and nothing that an unknown one needs. */
const unknownServer: WireRules = {
  limit: 'max_tokens', streamUsage: true, severalReplies: true, cacheMarks: 'claude', images: true, reasoning: 'as_received',
  reasoningRequired: false, thoughtSignatures: false, callIds: 'any', brokenArguments: false, lateSystem: false, userAfterTool: true,
  schema: 'plain', temperature: true, effort: 'reasoning_effort', mostTools: 128,
};

const local = /^(localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1\]|host\.docker\.internal)$/;

/** The provider that an address belongs to; undefined for a server that is not known. */
export function providerAt(url: URL): Provider | undefined {
  const isAt = (host: string): boolean =>
    host.startsWith(':') ? local.test(url.hostname) && `:${url.port}` === host : url.hostname === host || url.hostname.endsWith(`.${host}`);
  return providers.find(({ hosts }) => hosts.some(isAt));
}

/** How requests for a model are written at the beginning; what a server refuses changes that. `url`: with its `api-version`, where it has one. */
export function rulesFor(provider: Provider | undefined, model: string, url: URL): WireRules {
  const version = url.searchParams.get('api-version');
  const older = Object.entries(provider?.before ?? {}).filter(([since]) => version !== null && version < since);
  const ofModel = (provider?.modelRules ?? []).filter(({ models }) => models.test(model));
  return Object.assign({}, unknownServer, provider?.rules, ...ofModel.map(({ rules }) => rules), ...older.map(([, rules]) => rules)) as WireRules;
}

/** The protocol that a model is asked by, where a person chose none. */
export function protocolFor(provider: Provider | undefined, model: string): Protocol {
  return provider?.protocols?.find(({ models }) => models.test(model))?.protocol ?? 'chat';
}
