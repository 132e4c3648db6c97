import { setting } from '../setting';
import {
  anyObject,
  choice,
  choiceFrom,
  decimalOrNull,
  integer,
  plainChoice,
  jsonValue,
  text,
  textByName,
  texts,
} from '../value';

/** US dollars per million tokens. */
interface Price {
  readonly input: number;
  /** Defaults to `input`. */
  readonly cached?: number;
  /** Defaults to what the provider of the model charges for input that it writes to its cache. */
  readonly written?: number;
  readonly output: number;
}

export const modelSettings = {
  'model.provider': setting({
    value: choiceFrom('providers', {
      auto: 'The address and name below, once both are set. Until then the panel offers the available models.',
      compatible:
        'Any server that speaks the OpenAI chat protocol, at the address below. A known address is recognized.',
      vscode: 'A language model that VS Code offers through a signed-in provider.',
      tutorial:
        'The scripted tutorial model. It plays the lesson in `examples/first-run`; its tools, terminal and edits are real.',
      extension: 'A model that another extension registered with Waymark. The name is `publisher.extension/id`.',
    }),
    default: 'auto',
    words:
      'The model’s provider. It sets the address, the key variable and the rules. With an address below, as for a proxy, it sets only the rules. [How to connect a model](command:waymark.openDocs?%22use/connect-a-model.md%22)',
    flag: {
      name: '--provider',
      argument: '<id>',
      words:
        'model provider, which sets address and key: openai, anthropic, gemini, mistral, openrouter, deepseek, groq, xai, azure, github, ollama, …',
      variable: 'WAYMARK_PROVIDER',
    },
  }),
  'model.baseUrl': setting({
    value: text(),
    default: '',
    words:
      'Address of the model’s server: the part before `/chat/completions`, `/responses` or `/messages`. May be empty if a provider is named. The API key is set with the command `Waymark: Set API Key…` and is sent only there.',
    flag: {
      name: '--base-url',
      argument: '<url>',
      words: 'address of an OpenAI-compatible server',
      variable: 'WAYMARK_BASE_URL',
    },
  }),
  'model.name': setting({
    value: text(),
    default: '',
    words: 'Name of the model, as its provider calls it.',
    flag: {
      name: '--model',
      also: ['-m'],
      argument: '<name>',
      words: 'name of the model',
      variable: 'WAYMARK_MODEL',
    },
  }),
  'model.contextWindow': setting({
    value: integer({ minimum: 0 }),
    default: 0,
    words:
      'Size of the context window in tokens, for the meter and for condensing. 0: the value from the built-in table, if the model is in it.',
    flag: {
      name: '--context-window',
      argument: '<tokens>',
      words: 'size of the context window in tokens (default: from the name of the model)',
    },
  }),
  'model.prices': setting({
    value: jsonValue<Readonly<Record<string, Price>>>({
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: {
          input: { type: 'number' },
          cached: { type: 'number' },
          written: { type: 'number' },
          output: { type: 'number' },
        },
        required: ['input', 'output'],
      },
    }),
    default: {},
    words:
      'Prices in US dollars per million tokens by model name, for example `{"my-model": {"input": 1, "cached": 0.1, "output": 4}}`. They override the built-in table of October 24, 2026. A model in neither has an unknown cost.',
    flag: {
      name: '--prices',
      words:
        'US dollars per million tokens by model name, as a JSON object: {"my-model":{"input":1,"cached":0.1,"output":4}}',
    },
  }),
  'model.protocol': setting({
    value: choice({
      auto: 'By model: the Responses API for OpenAI’s reasoning models, the Messages API for Anthropic’s models, chat completions for all others. If the server asks for another one, Waymark uses that.',
      chat: 'Chat completions, which nearly every server supports.',
      responses:
        'OpenAI’s Responses API, at `/responses`. Each request sends the model’s reasoning back to it, sealed.',
      messages:
        'Anthropic’s Messages API, at `/messages`. Requests are marked for its prompt cache. The model’s thinking is shown and sent back to it.',
    }),
    default: 'auto',
    words: 'The API that Waymark uses.',
    flag: {
      name: '--protocol',
      argument: '<name>',
      words: 'chat completions, OpenAI’s Responses API, Anthropic’s Messages API, or by model (auto)',
    },
  }),
  'model.reasoningEffort': setting({
    value: plainChoice('', 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'),
    default: '',
    words:
      'How much the model reasons before it answers. Empty: the server decides. Waymark tells you if a model does not support this.',
    flag: {
      name: '--reasoning-effort',
      argument: '<effort>',
      words: 'how much the model reasons',
    },
  }),
  'model.temperature': setting({
    value: decimalOrNull({ minimum: 0, maximum: 2 }),
    default: null,
    words: 'Sampling temperature, from 0 to 2. Empty: the server decides. Omitted for models that refuse it.',
    flag: {
      name: '--temperature',
      argument: '<t>',
      words: 'sampling temperature, from 0 to 2; omitted for models that refuse it',
    },
  }),
  'model.headers': setting({
    value: textByName,
    default: {},
    words:
      'Additional HTTP headers of every request, for gateways such as Portkey or LiteLLM. Values may contain `${env:NAME}` for an environment variable or `${secret:NAME}` for a secret that you set with the command **Waymark: Set Header Secret…**. Models on other servers do not get them.',
    flag: {
      name: '--header',
      argument: '<header>',
      words:
        'additional HTTP header "Name: value" for the server of --model, with ${env:NAME} for an environment variable; repeatable',
      read: header,
    },
  }),
  'model.extraBody': setting({
    value: anyObject,
    default: {},
    words:
      'Additional fields of every request, sent unchanged: `{ "top_p": 0.9 }`. Models on other servers do not get them.',
    flag: {
      name: '--extra-body',
      words: 'additional fields of every request to the server of --model, as a JSON object',
    },
  }),
  'model.maxOutputTokens': setting({
    value: integer({ minimum: 0 }),
    default: 0,
    words: 'Maximum tokens of one reply. 0: the server decides.',
    flag: { name: '--max-output-tokens', argument: '<n>', words: 'maximum tokens of one reply' },
  }),
  'model.promptCaching': setting({
    value: choice({
      auto: 'For Anthropic models, which cache only marked content. Other models cache by themselves.',
      on: 'Always.',
      off: 'Never.',
    }),
    default: 'auto',
    words: 'Whether requests mark the system prompt and the last three messages for the prompt cache of the provider.',
    flag: {
      name: '--prompt-caching',
      argument: '<when>',
      words: 'mark requests for the prompt cache of the provider',
    },
  }),
  'model.fallbacks': setting({
    value: texts,
    default: [],
    words:
      'Models to try, in this order, for a reply that the model cannot give because its server fails, is busy or has no credit left. A name is a model on the same server. `https://other.example/v1 name` is a model on another server: set its key with the command `Waymark: Set API Key…`.',
    flag: {
      name: '--fallback',
      argument: '<model>',
      words:
        'model to use if the server fails: a name, or "https://other.example/v1 name", which gets the key of its provider, or no key if the provider is unknown; repeatable, tried in this order',
      list: 'repeated',
    },
  }),
  'model.alternates': setting({
    value: texts,
    default: [],
    words:
      'Models that share the work with the one above, written like the fallbacks. Each request goes to one of them; all read the same chat.',
    flag: {
      name: '--alternate',
      argument: '<model>',
      words: 'model that shares the work, written as for --fallback; repeatable',
      list: 'repeated',
    },
  }),
  'model.alternation': setting({
    value: choice({ in_turn: 'One after the other.', by_lot: 'At random.' }),
    default: 'in_turn',
    words: 'How the next model is chosen from those that share the work.',
    flag: {
      name: '--alternation',
      argument: '<how>',
      words: 'how the next model is chosen from those that share the work',
    },
  }),
  'model.vision': setting({
    value: text(),
    default: '',
    words:
      'The model for chats with pictures, written like the fallbacks. `none`: pictures are replaced by a short text. Empty: the model above gets them.',
    flag: {
      name: '--vision',
      argument: '<model>',
      words: 'model for chats with pictures, written as for --fallback; none omits pictures',
    },
  }),
};

/** Parses "Name: value" and adds it to the headers given before. */
function header(written: string, before: unknown): Record<string, string> {
  const colon = written.indexOf(':');
  const name = written.slice(0, Math.max(colon, 0)).trimEnd();
  if (name === '' || /\s/.test(name))
    throw new Error('It must be a name, a colon and a value, such as "X-Team: agents".');
  const value = written.slice(colon + 1).trimStart();
  return { ...(before as Record<string, string> | undefined), [name]: value };
}
