/** Static facts about a model server. The list is `providers.ts`. */
export interface Provider {
  /** Short, stable id for logs and tests, such as "openai". */
  readonly id: string;
  /** Display name, such as "OpenAI". */
  readonly name: string;
  /** Suffixes of its host names ("openai.azure.com" includes RES.openai.azure.com), or local ports (":11434"). */
  readonly hosts: readonly string[];
  /** Suggested address. A person has to replace words in capitals: "https://RESOURCE.openai.azure.com/openai/v1". */
  readonly baseUrl: string;
  /** Environment variables that usually contain its key, the most common first. Empty if it needs no key. */
  readonly keyVariables: readonly string[];
  /** Web page where a person gets a key. */
  readonly keyPage?: string;
  /** Header for the key. Defaults to "Authorization: Bearer …". */
  readonly keyHeader?: 'api-key' | 'x-api-key';
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Path of its list of models, relative to the base URL or, with a leading slash, to the host ("/catalog/models").
   * Defaults to "models".
   */
  readonly modelList?: string;
  /** Headers of the request for that list. KEY is replaced with the key, which is then not sent as `keyHeader`. */
  readonly modelListHeaders?: Readonly<Record<string, string>>;
  /** Protocol per model; the first match wins. Defaults to `chat`. */
  readonly protocols?: readonly { readonly models: RegExp; readonly protocol: Protocol }[];
  /** Differences of its requests from those to an unknown server. */
  readonly rules: Partial<WireRules>;
  /** Differences for some of its models. They override `rules`. */
  readonly modelRules?: readonly { readonly models: RegExp; readonly rules: Partial<WireRules> }[];
  /** Differences for older versions of its API, which the address selects with `?api-version=2024-06-01`. */
  readonly before?: Readonly<Record<string, Partial<WireRules>>>;
  /** True if its replies contain their cost. */
  readonly tellsCost?: true;
  /** True if it is offered by name when a person chooses a model. */
  readonly offered?: true;
}

/** OpenAI's chat completions, its Responses API, or Anthropic's Messages API. */
export type Protocol = 'chat' | 'responses' | 'messages';

/**
 * How to write a request for one model of one server. Each rule exists because a provider was seen to reject something.
 */
export interface WireRules {
  /** Name of the parameter for the output token limit, or null if none is sent. */
  readonly limit: 'max_tokens' | 'max_completion_tokens' | null;
  /** True if `stream_options` requests the usage. */
  readonly streamUsage: boolean;
  /** True if `n` may be more than 1. */
  readonly severalReplies: boolean;
  /** True if `cache_control` marks are sent; `claude` for Anthropic's models only. */
  readonly cacheMarks: boolean | 'claude';
  /** True if images are sent. */
  readonly images: boolean;
  /** True if only the latest images are sent, because the server refused more. */
  readonly recentImagesOnly: boolean;
  /** Field in which the model's own reasoning is returned; see `ReasoningBack`. */
  readonly reasoning: ReasoningBack;
  /** True if a message with calls requires reasoning. An empty text is sent if there is none. */
  readonly reasoningRequired: boolean;
  /** True if the first call of a step has Google's thought signature, or the value that skips its check. */
  readonly thoughtSignatures: boolean;
  /**
   * Format of tool call ids. `any`: anything that this server has assigned. `word`: at most 40 of A–Z a–z 0–9 `_` `-`.
   * `nine`: nine letters and digits.
   */
  readonly callIds: 'any' | 'word' | 'nine';
  /** True if arguments that are not a JSON object are returned as the model wrote them. */
  readonly brokenArguments: boolean;
  /** True if system messages may follow other messages. Otherwise they are sent as messages of the user. */
  readonly lateSystem: boolean;
  /** True if a tool result contains the name of the tool. */
  readonly namedResults: boolean;
  /** True if a chat that contains calls must declare tools, even if none may be called. */
  readonly formerTools: boolean;
  /** True if two messages of the user may be adjacent. Otherwise they are joined. */
  readonly neighbours: boolean;
  /** True if a message of the user may follow a tool result. Otherwise a short message of the model is inserted. */
  readonly userAfterTool: boolean;
  /** True if a message may contain several calls. Otherwise each call gets its own message, followed by its result. */
  readonly severalCalls: boolean;
  /** Schema features that tools may use. */
  readonly schema: SchemaSubset;
  /** True if `temperature` is accepted. */
  readonly temperature: boolean;
  /** Parameter for the reasoning effort, or null if there is none. */
  readonly effort:
    | 'reasoning_effort'
    | 'reasoning.effort'
    | 'thinking.type'
    | 'enable_thinking'
    | 'output_config.effort'
    | 'thinking.budget_tokens'
    | null;
  /** Accepted values for the effort, lowest first. Any if absent. */
  readonly efforts?: readonly string[];
  /** Effort that requests with tools must specify, whatever the person chose. */
  readonly effortWithTools?: string | undefined;
  /** Additional fields of requests with tools. */
  readonly withTools?: Readonly<Record<string, unknown>>;
  /** Maximum number of tools. */
  readonly maxTools: number;
  /** Output token limit if the person set none and the protocol requires one. */
  readonly usualLimit: number;
  /**
   * True if the model thinks by default, controlled by `output_config.effort`. Requests then ask it to show its
   * thinking.
   */
  readonly thinksUnasked: boolean;
  /**
   * True if signed thinking is valid only after the exact chat for which it was created. Requests then ask the server
   * to drop what does not fit.
   */
  readonly boundThinking: boolean;
}

/**
 * How the model's own reasoning is included in later requests. `as_received`: in the field in which it was received.
 * `never`: not at all. `parts`: as parts of the content, as Mistral sends it. `text`: in `<think>` tags before the
 * text. Other values name the field. Reasoning of other models is never included.
 */
type ReasoningBack = 'as_received' | 'never' | 'reasoning_content' | 'reasoning' | 'parts' | 'text';

/**
 * `plain`: JSON Schema 2020-12 without combinators at the root, boolean schemas and `$ref`; arrays have `items`.
 * `moonshot`: like `plain`, without `type` next to `anyOf`. `gemini`: like `plain`, without the keywords and lists of
 * types that Google's own API rejects.
 */
export type SchemaSubset = 'plain' | 'moonshot' | 'gemini';
