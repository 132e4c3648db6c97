import type { Image, ModelInfo, Reasoning, Sampling, Usage } from '../../protocol/events/event';

/**
 * A chat message, close to OpenAI's chat format. `origin`: the server and model that wrote this reply, or made the call
 * that is answered, as in `ModelReply.origin`; absent if unknown. Adapters convert it to what their provider accepts,
 * field by field.
 */
export type ChatMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string; images?: readonly Image[] }
  | { role: 'assistant'; content: string; reasoning?: Reasoning; tool_calls?: ToolCall[]; origin?: string }
  | { role: 'tool'; tool_call_id: string; content: string; origin?: string };

/** A call as in the Chat Completions API. */
export interface ToolCall {
  id: string;
  type: 'function';
  /** `arguments` is the JSON text as the model wrote it. */
  function: { name: string; arguments: string };
  /** The provider's signature of the call: Google's thought signature. */
  signature?: string;
}

/** A tool as offered to a model. `parameters` is a JSON schema. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
}

/**
 * Part of a reply while it streams. `discard`: an attempt failed halfway; ignore what has streamed so far. `bytes`:
 * length of the call's arguments so far. `piece`: the new part of them. `call`: index of the call in the reply.
 * `progress`: with several candidates nothing streams, because it is not known which one will be chosen; `done` of them
 * have arrived or been judged.
 */
export type ReplyDelta =
  | { kind: 'text' | 'reasoning'; text: string }
  | { kind: 'tool'; tool: string; bytes: number; call?: number; piece?: string }
  | { kind: 'progress'; doing: 'sampling' | 'judging'; done: number; of: number }
  | { kind: 'discard' };

/** A repetition of a failed request. `attempt` counts from 1; `why` is a sentence for people. */
export interface Retry {
  readonly attempt: number;
  readonly delayMs: number;
  readonly why: string;
}

/** One request to a model. */
export interface ModelRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolSchema[];
  /**
   * If `tools` is empty: the tools the chat used before. Some servers require them to be declared although they cannot
   * be called.
   */
  readonly formerTools?: readonly ToolSchema[];
  /**
   * Number of replies to generate, 1 by default. Servers may ignore it; see `ModelReply.choices`. Only the first reply
   * streams to `onDelta`.
   */
  readonly n?: number;
  /** Parameters of this request, which override those of the model, such as `{ temperature: 1 }`. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  onDelta?(delta: ReplyDelta): void;
  /** Called before each wait for a retry. */
  onRetry?(retry: Retry): void;
  /** Called at the start of each wait. When the returned signal aborts, the next attempt starts at once. */
  hurry?(): AbortSignal;
  /** Called after each wait. If true, `complete` throws `RequestOutdated` instead of repeating this request. */
  isOutdated?(): boolean;
  /**
   * Called with messages for people about how the request is handled, such as a fallback to another model or images
   * left out.
   */
  onNotice?(words: string): void;
}

/** The complete reply to a request. */
export interface ModelReply {
  readonly text: string;
  readonly reasoning?: Reasoning;
  readonly toolCalls: readonly ToolCall[];
  readonly usage: Usage;
  /** "stop", "tool_calls", "length", "content_filter" or a value of the provider. */
  readonly finishReason: string;
  /** Model that answered, as the provider names it. */
  readonly model: string;
  /** Server and model that were asked; see `agent_response.origin`. */
  readonly origin?: string;
  readonly firstTokenMs: number | null;
  /** All candidates and why this one was chosen, if several were requested. `usage` then covers all of them. */
  readonly sampling?: Sampling;
  /**
   * All replies, this one first, if `ModelRequest.n` produced more than one. None of them has `choices` itself. A
   * server that does not support `n` returns one reply without `choices`, and others may return fewer than requested,
   * so count them. Servers report tokens for all replies together: `usage` here covers the whole call, and the `usage`
   * of each choice is all null.
   */
  readonly choices?: readonly ModelReply[];
}

/** A language model. Decorators for retries, sampling and fallbacks are models, too. */
export interface Model {
  readonly info: ModelInfo;
  /** Throws a `ModelProblem` or `RequestOutdated`. If aborted, rejects with the signal's reason. */
  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
  /**
   * Opens a connection for the next request, or keeps that of the last one for half a minute, so that the request need
   * not wait for it. Sends nothing. A failure is reported by the next request. Absent if the model has no server.
   */
  connect?(): void;
}

/** The conversation went on while a failed request waited for its retry, so that a new request has to be made. */
export class RequestOutdated extends Error {}

/** Kind of a failed request, which decides whether it is retried and what the person is advised to do. */
export type ModelProblemKind =
  | 'rate_limit'
  | 'quota'
  | 'server'
  | 'network'
  | 'stalled'
  | 'cut'
  | 'bad_stream'
  | 'authentication'
  | 'not_found'
  | 'invalid_request'
  | 'context_overflow'
  | 'script';

/** The command that helps against a kind of problem, if there is one. */
export const remedies: Partial<Record<ModelProblemKind, 'set_api_key' | 'choose_model'>> = {
  authentication: 'set_api_key',
  context_overflow: 'choose_model',
  invalid_request: 'choose_model',
  not_found: 'choose_model',
  quota: 'choose_model',
};

interface ProblemParts {
  readonly what: string;
  readonly why: string;
  readonly next: string;
  readonly retryAfterMs?: number | undefined;
  readonly contextWindow?: number | undefined;
  readonly cause?: unknown;
}

/** Why a model did not answer. `message` says what happened, why and what to do. It never contains a key. */
export class ModelProblem extends Error {
  readonly what: string;
  readonly why: string;
  readonly next: string;
  /** How long the server asked to wait, if it did. */
  readonly retryAfterMs: number | undefined;
  /** How many tokens the model can read, if the server said so when it refused a longer conversation. */
  readonly contextWindow: number | undefined;

  constructor(
    readonly kind: ModelProblemKind,
    { what, why, next, retryAfterMs, contextWindow, cause }: ProblemParts,
  ) {
    super(`${what} ${why} ${next}`.trim(), cause === undefined ? undefined : { cause });
    this.what = what;
    this.why = why;
    this.next = next;
    this.retryAfterMs = retryAfterMs;
    this.contextWindow = contextWindow;
    this.name = 'ModelProblem';
  }
}
