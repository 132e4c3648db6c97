/** What is known of a model server before anything was asked of it. The list is `providers.ts`. */
export interface Provider {
  /** Short and lasting, as logs and tests name it: "openai". */
  readonly id: string;
  /** As people know it: "OpenAI". */
  readonly name: string;
  /** Ends of its host names ("openai.azure.com" is also RES.openai.azure.com), or ports of this machine (":11434"). */
  readonly hosts: readonly string[];
  /**
   * The address that is offered. Words in capitals are for a person to replace:
   * "https://RESOURCE.openai.azure.com/openai/v1".
   */
  readonly baseUrl: string;
  /** Environment variables that usually hold its key, the most usual one first; none where no key is needed. */
  readonly keyVariables: readonly string[];
  /** Where a person gets a key. */
  readonly keyPage?: string;
  /** How a key is sent: "Authorization: Bearer …" when absent. */
  readonly keyHeader?: 'api-key' | 'x-api-key';
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Where its models are listed, as a path below the base URL or below the host
   * ("/catalog/models"); "models" when absent.
   */
  readonly modelList?: string;
  /**
   * Sent with the request for that list. The word KEY stands for the key, which is then not sent as `keyHeader` says.
   */
  readonly modelListHeaders?: Readonly<Record<string, string>>;
  /** The protocol of its models, the first match first; `chat` where none matches. */
  readonly protocols?: readonly { readonly models: RegExp; readonly protocol: Protocol }[];
  /** How its requests differ from those for an unknown server. */
  readonly rules: Partial<WireRules>;
  /** The same for some of its models, over `rules`. */
  readonly modelRules?: readonly { readonly models: RegExp; readonly rules: Partial<WireRules> }[];
  /** The same for older versions of its interface, which the address names as `?api-version=2024-06-01`. */
  readonly before?: Readonly<Record<string, Partial<WireRules>>>;
  /** Whether its replies say what was charged for them. */
  readonly tellsCost?: true;
  /** Whether it is offered by name when a person chooses a model. */
  readonly offered?: true;
}

/** OpenAI's chat completions, its Responses API, or Anthropic's Messages API. */
export type Protocol = 'chat' | 'responses' | 'messages';

/**
 * How a request is written for one model of one server. Each rule stands for
 * something that a provider was seen to refuse.
 */
export interface WireRules {
  /** The name of the limit of output tokens; null where none is sent. */
  readonly limit: 'max_tokens' | 'max_completion_tokens' | null;
  /** Whether `stream_options` asks for the usage. */
  readonly streamUsage: boolean;
  /** Whether `n` may be more than 1. */
  readonly severalReplies: boolean;
  /** Whether `cache_control` marks are sent; `claude` for the models of Anthropic alone. */
  readonly cacheMarks: boolean | 'claude';
  /** Whether pictures are sent. */
  readonly images: boolean;
  /** In which field the model's own reasoning goes back; see `ReasoningBack`. */
  readonly reasoning: ReasoningBack;
  /** Whether a message with calls must have reasoning: an empty text is sent if there is none. */
  readonly reasoningRequired: boolean;
  /** Whether the first call of a step carries Google's thought signature, or the word that skips its check. */
  readonly thoughtSignatures: boolean;
  /**
   * What ids of tool calls look like: anything that this server gave itself, at most 40 of A–Z a–z
   * 0–9 `_` `-`, or nine letters and digits.
   */
  readonly callIds: 'any' | 'word' | 'nine';
  /** Whether arguments that are no JSON object go back as the model wrote them. */
  readonly brokenArguments: boolean;
  /** Whether system messages may come after others; if not, they are sent as the user's. */
  readonly lateSystem: boolean;
  /** Whether the result of a tool names the tool. */
  readonly namedResults: boolean;
  /** Whether a chat that contains calls must list tools, even if none may be called any more. */
  readonly formerTools: boolean;
  /** Whether two messages of the user may follow each other; where not, they are sent as one. */
  readonly neighbours: boolean;
  /** Whether a user's message may follow a tool's; where not, a short message of the model stands between. */
  readonly userAfterTool: boolean;
  /** What tool schemas may hold. */
  readonly schema: SchemaSubset;
  /** Whether `temperature` is taken. */
  readonly temperature: boolean;
  /** How the wish for more or less reasoning is written; null where it cannot be. */
  readonly effort:
    | 'reasoning_effort'
    | 'reasoning.effort'
    | 'thinking.type'
    | 'enable_thinking'
    | 'output_config.effort'
    | 'thinking.budget_tokens'
    | null;
  /** The words for that wish that are taken, the least first; any when absent. */
  readonly efforts?: readonly string[];
  /** The effort that requests with tools must ask for, whatever a person wished. */
  readonly effortWithTools?: string | undefined;
  /** Further fields of requests that offer tools. */
  readonly withTools?: Readonly<Record<string, unknown>>;
  /** At most this many tools. */
  readonly mostTools: number;
  /** Tokens that one reply may have where a person set no limit and the protocol demands one. */
  readonly usualLimit: number;
  /** Whether the model thinks unasked, by `output_config.effort`: then it is asked to show that. */
  readonly thinksUnasked: boolean;
  /**
   * Whether signed thinking holds only behind the very chat that it was written for, so that the
   * server is asked to drop what does not fit.
   */
  readonly boundThinking: boolean;
}

/**
 * What happens to the model's own reasoning in later requests. `as_received`: it goes back in the field that it came
 * in; `never`: it is left out; `parts`: it goes back as parts of the content, as Mistral gives it; `text`: in `<think>`
 * tags before the text; otherwise in the field of that name. Reasoning of other models is always left out.
 */
export type ReasoningBack = 'as_received' | 'never' | 'reasoning_content' | 'reasoning' | 'parts' | 'text';

/**
 * `full`: JSON Schema; `plain`: no combinators at the root, no boolean schemas and no `$ref`, and arrays name
 * their items; `moonshot`: besides, no `type` beside `anyOf`; `gemini`: besides, none of the words and lists of
 * types that Google's own interface refuses.
 */
export type SchemaSubset = 'full' | 'plain' | 'moonshot' | 'gemini';
