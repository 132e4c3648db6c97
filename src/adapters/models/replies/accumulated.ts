import type { ToolCall } from '../../../core/ports/model';
import type { Reasoning } from '../../../protocol/events/event';
import type { ReportedUsage } from './usage';

/** A reply as received; `finishReason` is undefined if the server never sent one. */
export interface Accumulated {
  readonly text: string;
  readonly reasoning: Reasoning | undefined;
  readonly toolCalls: ToolCall[];
  readonly usage: ReportedUsage;
  readonly finishReason: string | undefined;
  readonly model: string | undefined;
  readonly firstTokenAt: number | undefined;
}

/**
 * In characters: several times what any model writes. A server that never stops must not fill the memory, the log and
 * every later request.
 */
export const maxReplyCharacters = 2 * 1024 * 1024;
