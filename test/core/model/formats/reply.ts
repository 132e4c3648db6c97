import type { ModelReply, ToolCall } from '../../../../src/core/ports/model';
import { uncounted } from '../../../support/newEvents';

/** A reply of a model with this text and these calls. */
export function replied(text: string, finishReason = 'stop', toolCalls: readonly ToolCall[] = []): ModelReply {
  return {
    text,
    toolCalls,
    finishReason,
    model: 'test',
    firstTokenMs: null,
    usage: uncounted,
  };
}

export const called = (name: string, args: string, id = 'c1'): ToolCall => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
