import type { IncomingHttpHeaders } from 'node:http';

/** A model provider as a test server plays it: what it refuses, its error messages and its replies. */
export interface Persona {
  readonly name: string;
  /** The APIs that it supports: OpenAI's two, or Anthropic's. */
  readonly protocols: readonly JudgedProtocol[];
  /** Hardly any of its refusals are known. Its purpose is to test how its replies are parsed. */
  readonly isLenient?: true;
  /** The keys that it knows; absent if it ignores unknown keys. */
  readonly keys?: KnownKeys;
  /** Returns its refusal of unknown keys; by default OpenAI's. */
  refuseUnknown?(paths: readonly KeyPath[], body: ChatBody): Refusal;
  /** Applies its other rules, in the order in which it checks them. */
  refuse(body: ChatBody, context: JudgeContext): Refusal | undefined;
  /** Returns an error body in its format. */
  error(message: string, more?: ErrorDetails): unknown;
  /** Its error messages for failures in scripts; OpenAI's where absent. */
  readonly failures?: Partial<Record<FailureKind, Failure>>;
  /** Returns a tool call ID in its format. */
  callId(): string;
  /** Returns the chunks of a streamed reply, in order. */
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

/** Path of a key, such as ['tools', 0, 'function', 'effect']. */
export type KeyPath = readonly (string | number)[];

/** The allowed keys by position. Positions that are absent are not checked. */
export interface KnownKeys {
  readonly top: ReadonlySet<string>;
  readonly tool?: ReadonlySet<string>;
  readonly function?: ReadonlySet<string>;
  readonly call?: ReadonlySet<string>;
  readonly callFunction?: ReadonlySet<string>;
  /** By role. */
  readonly message?: Readonly<Record<string, ReadonlySet<string>>>;
  readonly part?: ReadonlySet<string>;
  /** Unknown keys in tools are only refused by unsure rules. */
  readonly toolsUnsure?: true;
}

/** A request body of the chat protocol, unvalidated. */
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

/** What a server remembers of a reply, to recognize it when it is sent back. */
export interface GivenReply {
  readonly reasoning?: string | undefined;
  /** What a message must send back unchanged, in the provider's format. */
  readonly details?: readonly Record<string, any>[] | undefined;
}

/** A thinking block in a reply of Anthropic's API. */
export interface GivenThought {
  readonly model: string;
  readonly block: Record<string, any>;
  /** The types of all blocks of the reply. */
  readonly order: readonly string[];
  /** The conversation before the reply. */
  readonly prefix: string;
}

export interface JudgeContext {
  /** Also applies rules that were observed only once or may be outdated. */
  readonly unsure: boolean;
  /** Thought signatures and encrypted reasoning that this server issued. */
  readonly seals: ReadonlySet<string>;
  /** Call ID → reply of this server. */
  readonly given: ReadonlyMap<string, GivenReply>;
  /** Signature → thinking block of this server. */
  readonly thoughts: ReadonlyMap<string, GivenThought>;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
}

export interface ScriptedCall {
  readonly name: string;
  /** An object, or its JSON text, which may be broken. */
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
  /** True if the request asked for the usage. */
  readonly wantsUsage: boolean;
  /** Returns a new thought signature. */
  sign(): string;
  /** Records what the message must send back unchanged. */
  keepDetails(details: readonly Record<string, any>[]): void;
}

/** Returns a function for refusals with status 400 whose body the provider words with `error`. */
export const refusedWith =
  (error: (message: string) => object) =>
  (message: string): Refusal => ({ status: 400, body: error(message) });
