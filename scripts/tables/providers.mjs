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
  severalReplies: (value) => !value && 'one reply for each request',
  images: (value) => !value && 'no pictures',
  reasoning: (value) =>
    ({
      never: 'reasoning is not sent back',
      reasoning_content: 'reasoning goes back in `reasoning_content`',
      reasoning: 'reasoning goes back in `reasoning`',
      parts: 'reasoning goes back as `thinking` parts',
      text: 'reasoning goes back in `<think>` tags',
      as_received: false,
    })[value],
  reasoningRequired: (value) => value && 'reasoning never missing',
  thoughtSignatures: (value) => value && 'thought signatures',
  callIds: (value) =>
    ({ nine: 'call ids of nine letters and digits', word: 'call ids of at most 40 characters', any: false })[value],
  namedResults: (value) => value && 'results name their tool',
  formerTools: (value) => value && 'tools stay named in a last request',
  userAfterTool: (value) => !value && 'no user message behind a result',
  schema: (value) => value !== 'plain' && `${value === 'gemini' ? 'Google’s' : 'Moonshot’s'} subset of JSON Schema`,
  temperature: (value) => !value && 'no temperature',
};

/** Protocols of its models, if not only chat completions. */
const protocolWords = {
  responses: 'Responses API for reasoning models',
  messages: 'Messages API, with marks for the prompt cache',
};

/** Returns the rows of the table. */
export function providerTable({ providers, protocolFor, rulesFor, personas }, table) {
  const usual = rulesFor(undefined, 'any', new URL('https://unknown.example'));
  const differences = (rules) =>
    Object.entries(words)
      .flatMap(([rule, say]) => (rules[rule] === usual[rule] ? [] : say(rules[rule]) || []))
      .join('; ');
  return table(
    ['Provider', '`--provider`', 'Key', 'What its requests do', 'Persona'],
    providers.map((provider) => {
      const { id, name, keyVariables, protocols = [] } = provider;
      const rules = rulesFor(provider, 'any', new URL(provider.baseUrl), protocolFor(provider, 'any'));
      const spoken = protocols.map(({ protocol }) => `${protocolWords[protocol]}; `).join('');
      const persona = personas.find(({ name: played }) => played === id);
      const judged = persona?.isLenient ? 'its replies; hardly any refusal is known' : persona ? 'yes' : 'none';
      return [
        name,
        `\`${id}\``,
        keyVariables.map((variable) => `\`${variable}\``).join(', ') || 'none',
        `${spoken}${differences(rules)}`.replace(/; $/, ''),
        judged,
      ];
    }),
  );
}
