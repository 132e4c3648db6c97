import { truncate } from '../../../protocol/plain/truncate';
import { costOf, hasOwnPrice, type Prices } from '../../../core/model/prices';
import type { ModelReply, ModelRequest } from '../../../core/ports/model';
import type { Accumulated } from './accumulated';
import { readErrorBody } from '../endpoint/errorBody';
import { problemOf, type ServerAndModel } from '../endpoint/problems';
import { cut } from '../endpoint/readReplyBody';

/** A longer name of a model or a reason is no name. */
const maxNameLength = 200;

interface ReplyFacts {
  readonly server: ServerAndModel;
  readonly origin: string;
  readonly prices: Prices;
  readonly started: number;
  /** True if the server sent `[DONE]`. */
  readonly isComplete: boolean;
}

export const isBroken = (reason: string): boolean => /^(error|network_error|abort|cancelled)$/.test(reason);

/** Converts what was received into a reply. Throws a `ModelProblem` if it was cut off. */
export function toReply(
  { firstTokenAt, usage, model, reasoning, finishReason, ...rest }: Accumulated,
  { server, origin, prices, started, isComplete }: ReplyFacts,
): ModelReply {
  const name = server.model;
  const answered = truncate(model ?? name, maxNameLength);
  const { cost, writtenTokens: _written, ...tokens } = usage;
  // OpenRouter reports what it charged, which counts unless the person set a price.
  const chargedCost = server.host === 'openrouter.ai' && !hasOwnPrice(name, prices) ? cost : null;
  return {
    ...rest,
    ...(reasoning && { reasoning }),
    // The requested name may be an alias, and the name in the answer may carry a date.
    usage: { ...tokens, cost: chargedCost ?? costOf(name, usage, prices) ?? costOf(answered, usage, prices) },
    finishReason: ending(finishReason, isComplete, rest.toolCalls.length > 0, server),
    model: answered,
    origin,
    firstTokenMs: firstTokenAt === undefined ? null : firstTokenAt - started,
  };
}

/**
 * Returns why the reply ended. Without a finish reason it was cut off; with only `[DONE]`, its calls cannot be trusted.
 */
function ending(reason: string | undefined, isComplete: boolean, hasCalls: boolean, server: ServerAndModel): string {
  if (reason === undefined && (!isComplete || hasCalls)) throw cut(server);
  if (reason && isBroken(reason)) throw cut(server);
  if (reason === 'model_context_window_exceeded')
    throw problemOf({ status: undefined, headers: {}, body: readErrorBody(reason) }, server);
  return truncate(reason ?? 'stop', maxNameLength);
}

/** Replies with more calls are rare. */
const usualCalls = 4;

/**
 * Returns whether the conversation already uses an id: some servers count from zero in every reply. A long conversation
 * has many ids, so they are only collected for a reply with many calls.
 */
export function takenIds({ messages }: ModelRequest): (id: string) => boolean {
  let asked = 0;
  let all: Set<string> | undefined;
  return (wanted) => {
    if (asked++ < usualCalls)
      return messages.some(
        (message) => message.role === 'assistant' && message.tool_calls?.some(({ id }) => id === wanted),
      );
    all ??= new Set(
      messages
        .flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []))
        .map(({ id }) => id),
    );
    return all.has(wanted);
  };
}
