import type { IncomingHttpHeaders } from 'node:http';

/** One model provider as a test server plays it: what it refuses, in which words, and how it answers. */
export interface Persona {
  readonly name: string;
  /** Which interfaces it has: OpenAI's two, or Anthropic's. */
  readonly protocols: readonly JudgedProtocol[];
  /** Hardly any refusal of it is known: what it judges is how its replies are read. */
  readonly isLenient?: true;
  /** The keys that it knows; absent where it lets strangers pass. */
  readonly keys?: KnownKeys;
  /** How it words the refusal of unknown keys; as OpenAI does when absent. */
  refuseUnknown?(paths: readonly KeyPath[], body: ChatBody): Refusal;
  /** Its further rules, in the order in which it checks them. */
  refuse(body: ChatBody, context: JudgeContext): Refusal | undefined;
  /** The body of an error in its shape. */
  error(message: string, more?: ErrorDetails): unknown;
  /** How it words the failures that a script can ask for; OpenAI's words where absent. */
  readonly failures?: Partial<Record<FailureKind, Failure>>;
  /** An id of a tool call as it makes them. */
  callId(): string;
  /** The chunks of a streamed reply, in order. */
  chunks(reply: ScriptedReply, facts: StreamFacts): object[];
}

export type JudgedProtocol = 'chat' | 'responses' | 'messages';

export type FailureKind = 'overflow' | 'rate' | 'quota' | 'auth';
export type Failure = readonly [status: number, message: string, more?: ErrorDetails];

export interface ErrorDetails {
  readonly type?: string;
  readonly code?: string | number | null;
  readonly param?: string | null;
}

export interface Refusal {
  readonly status: number;
  readonly body: unknown;
}

/** Where a key stands: ['tools', 0, 'function', 'effect']. */
export type KeyPath = readonly (string | number)[];

/** The allowed keys by place. What stands in a place that is absent is not looked at. */
export interface KnownKeys {
  readonly top: ReadonlySet<string>;
  readonly tool?: ReadonlySet<string>;
  readonly function?: ReadonlySet<string>;
  readonly call?: ReadonlySet<string>;
  readonly callFunction?: ReadonlySet<string>;
  /** By role. */
  readonly message?: Readonly<Record<string, ReadonlySet<string>>>;
  readonly part?: ReadonlySet<string>;
  /** Strangers inside tools are refused only by unsure rules. */
  readonly toolsUnsure?: true;
}

/** A request of the chat protocol as it came: nothing of it can be relied on. */
export interface ChatBody {
  readonly model?: string;
  readonly messages?: readonly ChatMessageBody[];
  readonly tools?: readonly Record<string, any>[];
  readonly [field: string]: any;
}

export interface ChatMessageBody {
  readonly role: string;
  readonly content?: any;
  readonly tool_calls?: readonly ToolCallBody[];
  readonly tool_call_id?: string;
  readonly [field: string]: any;
}

export interface ToolCallBody {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: any };
  readonly [field: string]: any;
}

/** What a server remembers of its own replies, so that it can tell what comes back from what never was its own. */
export interface GivenReply {
  readonly reasoning?: string | undefined;
  /** What a message must bring back whole, in the provider's own shape. */
  readonly details?: readonly Record<string, any>[] | undefined;
}

/** A block of thinking that a server of Anthropic's interface gave. */
export interface GivenThought {
  readonly model: string;
  readonly block: Record<string, any>;
  /** The kinds of all blocks of its reply. */
  readonly order: readonly string[];
  /** What stood before the reply. */
  readonly prefix: string;
}

export interface JudgeContext {
  /** Whether rules that were seen only once, or of which nobody knows whether they still hold, count. */
  readonly unsure: boolean;
  /** The thought signatures and sealed reasoning that this server gave out. */
  readonly seals: ReadonlySet<string>;
  /** The replies of this server by the ids of their calls. */
  readonly given: ReadonlyMap<string, GivenReply>;
  /** Its blocks of thinking by their signatures. */
  readonly thoughts: ReadonlyMap<string, GivenThought>;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
}

export interface ScriptedCall {
  readonly name: string;
  /** An object, or the text that stands for one: also broken JSON. */
  readonly args?: Record<string, unknown> | string;
}

/** A reply to play. */
export interface ScriptedReply {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly ScriptedCall[];
}

export interface MadeCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface StreamFacts {
  readonly model: string;
  readonly calls: readonly MadeCall[];
  /** Whether the request asked for the usage. */
  readonly wantsUsage: boolean;
  /** A new thought signature. */
  sign(): string;
  /** Notes what the message must bring back whole. */
  keepDetails(details: readonly Record<string, any>[]): void;
}
