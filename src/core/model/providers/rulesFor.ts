import { claudeRules } from './claudeRules';
import type { Protocol, Provider, WireRules } from './provider';
import { providers } from './providers';

/**
 * Rules that suit nearly every server: nothing that a strict server is known to reject, and nothing that an unknown
 * server requires.
 */
const unknownServer: WireRules = {
  limit: 'max_tokens',
  streamUsage: true,
  severalReplies: true,
  cacheMarks: 'claude',
  images: true,
  recentImagesOnly: false,
  reasoning: 'as_received',
  reasoningRequired: false,
  thoughtSignatures: false,
  callIds: 'any',
  brokenArguments: false,
  lateSystem: false,
  namedResults: false,
  formerTools: false,
  neighbours: true,
  userAfterTool: true,
  severalCalls: true,
  schema: 'plain',
  temperature: true,
  effort: 'reasoning_effort',
  maxTools: 128,
  usualLimit: 32_000,
  thinksUnasked: false,
  boundThinking: false,
};

const local = /^(localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1\]|host\.docker\.internal)$/;

/** Returns the provider of an address, or undefined for an unknown server. Local ports are only a guess. */
export function providerAt(url: URL): Provider | undefined {
  return (
    providerAtHost(url) ??
    (local.test(url.hostname) ? providers.find(({ hosts }) => hosts.includes(`:${url.port}`)) : undefined)
  );
}

/** Returns the provider whose host is in an address. Unlike `providerAt`, it guesses none from a local port. */
export const providerInAddress = (address: string): Provider | undefined =>
  URL.canParse(address) ? providerAtHost(new URL(address)) : undefined;

/** Returns the provider of a host name. */
function providerAtHost({ hostname }: URL): Provider | undefined {
  return providers.find(({ hosts }) => hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`)));
}

/** Returns the provider with this id. */
export const providerNamed = (id: string): Provider | undefined => providers.find((provider) => provider.id === id);

/** Returns the address to which requests go: the one that was set, or that of the provider. */
export const chosenAddress = (baseUrl: string | undefined, provider: string): string | undefined =>
  baseUrl || providerNamed(provider)?.baseUrl;

/**
 * Rules for the Responses API: unlike chat completions it takes back encrypted reasoning, and accepts tools with any
 * effort.
 */
const overResponses: Partial<WireRules> = {
  reasoning: 'as_received',
  effort: 'reasoning.effort',
  effortWithTools: undefined,
  callIds: 'word',
};

/**
 * Rules for Anthropic's protocol: signed thinking is returned, cache marks are supported, an output limit is required,
 * and chats with calls must declare tools.
 */
const overMessages: Partial<WireRules> = {
  limit: 'max_tokens',
  severalReplies: false,
  cacheMarks: true,
  reasoning: 'as_received',
  callIds: 'word',
  brokenArguments: false,
  formerTools: true,
};

/** Rules of a protocol for a model, independent of the server. */
function rulesOfProtocol(protocol: Protocol, model: string): readonly Partial<WireRules>[] {
  switch (protocol) {
    case 'chat':
      return [];
    case 'responses':
      return [overResponses];
    case 'messages':
      return [overMessages, claudeRules(model)];
  }
}

/**
 * Returns the initial rules for requests to a model. They change when a server rejects something. `url`: includes
 * `api-version`, if any.
 */
export function rulesFor(
  provider: Provider | undefined,
  model: string,
  url: URL,
  protocol: Protocol = 'chat',
): WireRules {
  const version = url.searchParams.get('api-version');
  const older = Object.entries(provider?.before ?? {}).filter(([since]) => version !== null && version < since);
  const ofModel = (provider?.modelRules ?? []).filter(({ models }) => models.test(model)).map(({ rules }) => rules);
  const parts = [...ofModel, ...older.map(([, rules]) => rules), ...rulesOfProtocol(protocol, model)];
  return parts.reduce<WireRules>((known, rules) => ({ ...known, ...rules }), { ...unknownServer, ...provider?.rules });
}

/** Protocol for a model unless the person chose one. */
export function protocolFor(provider: Provider | undefined, model: string): Protocol {
  return provider?.protocols?.find(({ models }) => models.test(model))?.protocol ?? 'chat';
}
