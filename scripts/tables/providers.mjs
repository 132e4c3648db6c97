// The table of docs/providers.md, from the list of providers and the personas of the judge.

export const providerSources = `
export { providers } from './src/core/model/providers/providers';
export { protocolFor, rulesFor } from './src/core/model/providers/rulesFor';
export { personas } from './test/support/providerJudge/personas';
`;

/** Differences from requests to an unknown server, in a few words. */
const words = {
  limit: (value) => (value === null ? 'no output limit' : `\`${value}\``),
  streamUsage: (value) => !value && 'no `stream_options`',
  severalReplies: (value) => !value && 'one reply per request',
  images: (value) => !value && 'no images',
  reasoning: (value) =>
    ({
      never: 'reasoning is not sent back',
      reasoning_content: 'reasoning goes back in `reasoning_content`',
      reasoning: 'reasoning goes back in `reasoning`',
      parts: 'reasoning goes back as `thinking` parts',
      text: 'reasoning goes back in `<think>` tags',
      as_received: false,
    })[value],
  reasoningRequired: (value) => value && 'reasoning is required',
  thoughtSignatures: (value) => value && 'thought signatures',
  callIds: (value) =>
    ({ nine: 'call ids of nine letters and digits', word: 'call ids of at most 40 characters', any: false })[value],
  namedResults: (value) => value && 'results name their tool',
  formerTools: (value) => value && 'tools declared whenever the chat contains calls',
  severalCalls: (value) => !value && 'one call per message',
  userAfterTool: (value) => !value && 'no user message after a result',
  schema: (value) => value !== 'plain' && `${value === 'gemini' ? 'Google’s' : 'Moonshot’s'} subset of JSON Schema`,
  temperature: (value) => !value && 'no temperature',
};

/** Protocols of its models, if not only chat completions. */
const protocolWords = {
  responses: 'Responses API for reasoning models',
  messages: 'Messages API, with prompt cache marks',
};

/** Returns how far the provider judge plays a provider. */
function personaCell(persona) {
  if (!persona) return 'none';
  return persona.isLenient ? 'replies only; few refusals are published' : 'yes';
}

/** Returns the rows of the table. */
export function providerTable({ providers, protocolFor, rulesFor, personas }, table) {
  const usual = rulesFor(undefined, 'any', new URL('https://unknown.example'));
  const differences = (rules) =>
    Object.entries(words)
      .flatMap(([rule, say]) => (rules[rule] === usual[rule] ? [] : say(rules[rule]) || []))
      .join('; ');
  return table(
    ['Provider', '`--provider`', 'Key', 'Request rules', 'Persona'],
    providers.map((provider) => {
      const { id, name, keyVariables, protocols = [] } = provider;
      const rules = rulesFor(provider, 'any', new URL(provider.baseUrl), protocolFor(provider, 'any'));
      const spoken = protocols.map(({ protocol }) => `${protocolWords[protocol]}; `).join('');
      const persona = personas.find(({ name: played }) => played === id);
      return [
        name,
        `\`${id}\``,
        keyVariables.map((variable) => `\`${variable}\``).join(', ') || 'none',
        `${spoken}${differences(rules)}`.replace(/; $/, ''),
        personaCell(persona),
      ];
    }),
  );
}
