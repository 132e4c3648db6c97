import type { Image, ModelInfo, Reasoning, Sampling, Usage } from '../../protocol/events/event';

/**
 * One message of a chat, close to OpenAI's chat format. `origin`: the server and model whose reply this is, or
 * whose call is answered, as `ModelReply.origin` says; absent where it is not known. Adapters write from it
 * what their provider takes, field by field.
 */
export type ChatMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: string; images?: readonly Image[] }
  | { role: 'assistant'; content: string; reasoning?: Reasoning; tool_calls?: ToolCall[]; origin?: string }
  | { role: 'tool'; tool_call_id: string; content: string; origin?: string };

export interface ToolCall {
  id: string;
  type: 'function';
  /** `arguments` is JSON text as the model wrote it. */
  function: { name: string; arguments: string };
  /** What the provider signed the call with: Google's thought signature. */
  signature?: string;
}

export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
}

/**
 * Pieces of a reply while it arrives. `discard`: an attempt failed half-way, what streamed so far is void. `bytes`:
 * length of that call's arguments so far, `piece` what came of them now, `call` the place of the call in the reply.
 * `progress`: of several candidates nothing streams, as it is not known yet
 * which will count; this many are here, or judged.
 */
export type ReplyDelta =
  | { kind: 'text' | 'reasoning'; text: string }
  | { kind: 'tool'; tool: string; bytes: number; call?: number; piece?: string }
  | { kind: 'progress'; doing: 'sampling' | 'judging'; done: number; of: number }
  | { kind: 'discard' };

export interface Retry {
  readonly attempt: number;
  readonly delayMs: number;
  readonly why: string;
}

export interface ModelRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolSchema[];
  /**
   * Where `tools` is empty: those that the chat used before. Some servers want
   * them named, though they cannot be called.
   */
  readonly formerTools?: readonly ToolSchema[];
  /**
   * How many replies to write; 1 when absent. A wish: see `ModelReply.choices`.
   * Only the first one streams to `onDelta`.
   */
  readonly n?: number;
  /** Arguments of this request, over those the model was made with: `{ temperature: 1 }`. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  onDelta?(delta: ReplyDelta): void;
  /** Called before each wait for another try. */
  onRetry?(retry: Retry): void;
  /** Asked for at the beginning of each such wait: when it aborts, the next try begins at once. */
  hurry?(): AbortSignal;
  /**
   * Called with words for the person about how the request is carried out: another
   * model took over, pictures were left out.
   */
  onNotice?(words: string): void;
}

export interface ModelReply {
  readonly text: string;
  readonly reasoning?: Reasoning;
  readonly toolCalls: readonly ToolCall[];
  readonly usage: Usage;
  /** "stop", "tool_calls", "length", "content_filter" or the provider's own word. */
  readonly finishReason: string;
  /** The model that answered, as the provider names it. */
  readonly model: string;
  /** The server and the model that were asked: see `agent_response.origin`. */
  readonly origin?: string;
  readonly firstTokenMs: number | null;
  /**
   * Where several candidates were asked for: all of them, and why this one was chosen. `usage` then counts everything.
   */
  readonly sampling?: Sampling;
  /**
   * Set where `ModelRequest.n` brought more than one reply: all of them, this one first; none has `choices`
   * itself. A server that does not know `n` gives one reply and no `choices`, others may give fewer than
   * asked: count them. Servers count tokens for all replies together, so `usage` here is that of the whole
   * call, and each choice's own `usage` is all null.
   */
  readonly choices?: readonly ModelReply[];
}

export interface Model {
  readonly info: ModelInfo;
  /** Throws `ModelProblem`. An abort rejects with the signal's reason. */
  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
}

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

/** What helps against a kind of problem, where a command does. */
export const remedies: Partial<Record<ModelProblemKind, 'set_api_key' | 'choose_model'>> = {
  authentication: 'set_api_key',
  not_found: 'choose_model',
  quota: 'choose_model',
};

/** Why a model did not answer. `message` says what happened, why and what to do, and never contains a key. */
export class ModelProblem extends Error {
  constructor(
    readonly kind: ModelProblemKind,
    readonly what: string,
    readonly why: string,
    readonly next: string,
    /** How long the server asked to wait, when it said. */
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(`${what} ${why} ${next}`.trim(), options);
    this.name = 'ModelProblem';
  }
}
