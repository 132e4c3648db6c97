import { claudeRules } from './claudeRules';
import type { Protocol, Provider, WireRules } from './provider';
import { providers } from './providers';

/**
 * What suits nearly every server: nothing that a strict one is known to refuse, and nothing that an unknown one needs.
 */
const unknownServer: WireRules = {
  limit: 'max_tokens',
  streamUsage: true,
  severalReplies: true,
  cacheMarks: 'claude',
  images: true,
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
  schema: 'plain',
  temperature: true,
  effort: 'reasoning_effort',
  mostTools: 128,
  usualLimit: 32_000,
  thinksUnasked: false,
  boundThinking: false,
};

const local = /^(localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1\]|host\.docker\.internal)$/;

/**
 * The provider that an address belongs to; undefined for a server that is not known. Ports of this machine are a guess.
 */
export function providerAt(url: URL): Provider | undefined {
  return (
    providerAtHost(url) ??
    (local.test(url.hostname) ? providers.find(({ hosts }) => hosts.includes(`:${url.port}`)) : undefined)
  );
}

/** The provider that a host name belongs to. */
export function providerAtHost({ hostname }: URL): Provider | undefined {
  return providers.find(({ hosts }) => hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`)));
}

/** The provider of a name in the list. */
export const providerNamed = (id: string): Provider | undefined => providers.find((provider) => provider.id === id);

/**
 * What the Responses API knows that chat completions do not: sealed reasoning goes
 * back, and tools are taken with any effort.
 */
const overResponses: Partial<WireRules> = {
  reasoning: 'as_received',
  effort: 'reasoning.effort',
  effortWithTools: undefined,
  callIds: 'word',
};

/**
 * What Anthropic's protocol knows and demands: signed thinking goes back, marks for the cache,
 * a limit, and tools for a chat with calls.
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

/** What a protocol changes in the rules of a model, whichever server runs it. */
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
 * How requests for a model are written at the beginning; what a server refuses changes that. `url`:
 * with its `api-version`, where it has one.
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

/** The protocol that a model is asked by, where a person chose none. */
export function protocolFor(provider: Provider | undefined, model: string): Protocol {
  return provider?.protocols?.find(({ models }) => models.test(model))?.protocol ?? 'chat';
}
