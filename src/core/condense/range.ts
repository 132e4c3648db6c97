import { mayCut, nextCut } from './cutPoints';
import type { ReadEvent } from './readEvents';
import type { CondensationReason } from './reasons';

/** The events to forget, from index `start` (inclusive) to index `end` (exclusive). */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Sizing {
  readonly maxEvents: number;
  readonly keepFirst: number;
  readonly keepLast: number;
  readonly maxTokens: number | null;
  /** Returns the tokens of one event in the chat. */
  tokensOf(event: ReadEvent): number;
  /** Tokens of the next request: the events and everything else. */
  readonly totalTokens: number;
}

/**
 * Minimum share of the events, and if tokens are a reason also of the tokens, that a condensation must remove to be
 * worth its cost.
 */
const minimumProgress = 0.1;

/** Returns the range to forget, moved forward to valid cuts. Undefined if it would be too small. */
export function rangeToForget(
  read: readonly ReadEvent[],
  reasons: readonly CondensationReason[],
  sizing: Sizing,
): Range | undefined {
  const may = mayCut(read);
  const start = nextCut(read, may, Math.max(1, sizing.keepFirst));
  const leaving = (tail: number): Range | undefined => {
    const end = nextCut(read, may, read.length - tail);
    return start !== undefined &&
      end !== undefined &&
      isProgress(read.slice(start, Math.max(start, end)), read.length, reasons, sizing)
      ? { start, end }
      : undefined;
  };
  const tail = keptTailLength(read, reasons, sizing);
  return leaving(Math.max(tail, sizing.keepLast)) ?? leaving(tail);
}

/** Returns how many of the latest events to keep. With several reasons, the smallest number wins. */
function keptTailLength(read: readonly ReadEvent[], reasons: readonly CondensationReason[], sizing: Sizing): number {
  const tails: Record<CondensationReason, () => number> = {
    request: () => Math.floor(read.length / 2) - sizing.keepFirst - 1,
    events: () => Math.floor(sizing.maxEvents / 2) - sizing.keepFirst - 1,
    tokens: () => tailWithinHalf(read, sizing),
  };
  return Math.max(0, Math.min(...reasons.map((reason) => tails[reason]())));
}

/** Returns the longest tail that keeps the total below half of the limit. */
function tailWithinHalf(read: readonly ReadEvent[], { keepFirst, maxTokens, tokensOf, totalTokens }: Sizing): number {
  const room = (maxTokens ?? Infinity) / 2;
  let tokens = totalTokens;
  let gone = Math.max(1, keepFirst);
  while (gone < read.length && tokens >= room) tokens -= tokensOf(read[gone++]!);
  return Math.max(0, read.length - gone);
}

/** True if forgetting `events` out of `count` is worth the cost of a summary. */
export function isProgress(
  events: readonly ReadEvent[],
  count: number,
  reasons: readonly CondensationReason[],
  { tokensOf, totalTokens }: Sizing,
): boolean {
  if (events.length === 0 || events.length < minimumProgress * count) return false;
  return (
    !reasons.includes('tokens') ||
    events.reduce((sum, event) => sum + tokensOf(event), 0) >= minimumProgress * totalTokens
  );
}
