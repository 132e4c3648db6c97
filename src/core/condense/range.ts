import { type ReadEvent, isHeldBack } from './readEvents';
import type { CondensationReason } from './reasons';

/** The events to forget, from index `start` (inclusive) to index `end` (exclusive). */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** What a condensation should achieve: why it is needed, what must stay, and how large the chat is. */
export interface CondensationGoal {
  readonly reasons: readonly CondensationReason[];
  readonly maxEvents: number;
  readonly keepFirst: number;
  readonly keepLast: number;
  readonly maxTokens: number | null;
  /** Returns the tokens of one event in the chat. */
  tokensOf(event: ReadEvent): number;
  /** Tokens of the next request: the events and everything else. */
  readonly totalTokens: number;
  /** Maximum number of tokens of a request with a step that the model has not read yet. Infinity if unknown. */
  readonly room: number;
}

/**
 * Minimum share of the events, and if tokens are a reason also of the tokens, that a condensation must remove to be
 * worth its cost.
 */
const minimumProgress = 0.1;

/** Maximum share of the token limit for the kept events after the task. Longer ones are not worth their place. */
const headShare = 0.1;

/**
 * Returns how many of the first events to keep: only the task if the others are long or if an earlier summary is among
 * them, because the new summary replaces that.
 */
function headLength(read: readonly ReadEvent[], { keepFirst, maxTokens, tokensOf }: CondensationGoal): number {
  const head = read.slice(1, keepFirst);
  const summary = head.findIndex(({ type }) => type === 'condensation');
  const tokens = head.reduce((sum, event) => sum + tokensOf(event), 0);
  return summary >= 0 || tokens > (maxTokens ?? Infinity) * headShare ? 1 : Math.max(1, keepFirst);
}

/**
 * Returns the index where the newest step begins: the first reply with a result that no request has contained. It is
 * the number of events if the model has read all results.
 */
export function newestStep(read: readonly ReadEvent[]): number {
  const last = read.findLastIndex((event) => event.type === 'agent_response' && event.by !== 'person');
  const isUnread = (event: ReadEvent): boolean => event.type !== 'condensation' && !isHeldBack(event);
  if (last >= 0) return read.slice(last + 1).some(isUnread) ? last : read.length;
  const typed = read.findIndex(({ type }) => type === 'agent_response');
  return typed < 0 ? read.length : typed;
}

/**
 * Returns the range to forget, moved forward to valid cuts. Undefined if it would be too small, or would contain
 * something that the model has not read.
 */
export function rangeToForget(read: readonly ReadEvent[], goal: CondensationGoal): Range | undefined {
  const may = mayCut(read);
  const head = headLength(read, goal);
  const start = nextCut(read, may, head);
  const newest = newestStep(read);
  const leaving = (tail: number): Range | undefined => {
    const end = nextCut(read, may, Math.min(newest, read.length - tail));
    return start !== undefined &&
      end !== undefined &&
      end <= newest &&
      isProgress(read.slice(start, Math.max(start, end)), read.length, goal)
      ? { start, end }
      : undefined;
  };
  const tail = keptTailLength(read, goal, head);
  return leaving(Math.max(tail, goal.keepLast)) ?? leaving(tail);
}

/** Returns how many of the latest events to keep. With several reasons, the smallest number wins. */
function keptTailLength(read: readonly ReadEvent[], goal: CondensationGoal, head: number): number {
  const tails: Record<CondensationReason, () => number> = {
    request: () => Math.floor(read.length / 2) - goal.keepFirst - 1,
    events: () => Math.floor(goal.maxEvents / 2) - goal.keepFirst - 1,
    tokens: () => tailWithinHalf(read, goal, head),
  };
  return Math.max(0, Math.min(...goal.reasons.map((reason) => tails[reason]())));
}

/** Returns the longest tail that keeps the total below half of the limit. */
function tailWithinHalf(
  read: readonly ReadEvent[],
  { maxTokens, tokensOf, totalTokens }: CondensationGoal,
  head: number,
): number {
  const room = (maxTokens ?? Infinity) / 2;
  let tokens = totalTokens;
  let gone = head;
  while (gone < read.length && tokens >= room) tokens -= tokensOf(read[gone++]!);
  return Math.max(0, read.length - gone);
}

/** True if forgetting `events` out of `count` is worth the cost of a summary. */
export function isProgress(
  events: readonly ReadEvent[],
  count: number,
  { reasons, tokensOf, totalTokens }: CondensationGoal,
): boolean {
  if (events.length === 0 || events.length < minimumProgress * count) return false;
  return (
    !reasons.includes('tokens') ||
    events.reduce((sum, event) => sum + tokensOf(event), 0) >= minimumProgress * totalTokens
  );
}

/** Events that must stay together, from index `first` to index `last`. `last` is Infinity if it is not complete yet. */
interface UncutRange {
  readonly first: number;
  readonly last: number;
}

/** A rule about where a chat must not be cut. */
export interface Invariant {
  readonly name: string;
  /** Yields the ranges that must not be split. */
  uncutRanges(read: readonly ReadEvent[], results: Results): Iterable<UncutRange>;
}

/** Indexes of the results of each action, by action id. */
interface Results {
  readonly first: ReadonlyMap<string, number>;
  /** Contains only actions with more than one result. */
  readonly last: ReadonlyMap<string, number>;
}

/** Every provider rejects a call without its result, or a result without its call. */
export const callsKeepTheirResults: Invariant = {
  name: 'a call keeps its result',
  *uncutRanges(read, results) {
    for (const [first, event] of read.entries()) {
      if (event.type === 'agent_response')
        for (const { id } of event.actions) yield { first, last: results.first.get(id) ?? Infinity };
    }
  },
};

/** The calls of one reply belong together. Seeing only some of their results would be misleading. */
export const batchesStayWhole: Invariant = {
  name: 'a batch stays whole',
  *uncutRanges(read, results) {
    for (const event of read) {
      if (event.type !== 'agent_response' || event.actions.length < 2) continue;
      const places = event.actions.map(({ id }) => results.first.get(id) ?? Infinity);
      yield { first: Math.min(...places), last: Math.max(...places) };
    }
  },
};

/**
 * Providers that sign thinking require all of it while the model works with tools: from the first signed reply to the
 * end of the work.
 */
export const thinkingLoopsStayWhole: Invariant = {
  name: 'a tool loop with thinking stays whole',
  *uncutRanges(read) {
    let first = -1;
    for (const [index, event] of read.entries()) {
      const works =
        event.type === 'observation' ||
        (event.type === 'user_message' && event.delivery === 'steer') ||
        (event.type === 'agent_response' && event.actions.length > 0);
      if (works && first < 0 && event.type === 'agent_response' && event.reasoning?.details?.length) first = index;
      if (works || first < 0) continue;
      yield { first, last: index - 1 };
      first = -1;
    }
    if (first >= 0) yield { first, last: Infinity };
  },
};

/** An action with two results (one came after "unknown") is forgotten with both or not at all. */
export const doubledResultsStayTogether: Invariant = {
  name: 'doubled results stay together',
  *uncutRanges(_read, results) {
    for (const [id, last] of results.last) yield { first: results.first.get(id)!, last };
  },
};

/** Feedback hides the reply before it. Without that reply, it would hide another one. */
export const hiddenRepliesKeepTheirFeedback: Invariant = {
  name: 'a hidden reply keeps its feedback',
  *uncutRanges(read) {
    let reply = -1;
    for (const [index, event] of read.entries()) {
      if (event.type === 'agent_response') reply = index;
      else if (event.type === 'feedback' && event.hidesReply && reply >= 0) yield { first: reply, last: index };
    }
  },
};

/** A message that arrived during a step is read after that step, so it must stay until a reply has read it. */
export const wordsAreReadBeforeTheyAreForgotten: Invariant = {
  name: 'words of a person are read before they are forgotten',
  *uncutRanges(read) {
    for (const [first, event] of read.entries()) {
      if (!isHeldBack(event)) continue;
      const reader = read.findIndex(
        (later, index) => index > first && later.type === 'agent_response' && later.readUpTo > event.seq,
      );
      yield { first, last: reader < 0 ? Infinity : reader };
    }
  },
};

/** ★ Rules that a cut must not break. */
const invariants: readonly Invariant[] = [
  callsKeepTheirResults,
  batchesStayWhole,
  thinkingLoopsStayWhole,
  doubledResultsStayTogether,
  hiddenRepliesKeepTheirFeedback,
  wordsAreReadBeforeTheyAreForgotten,
];

/** Returns a predicate that tells whether the chat may be cut before the event at an index. Defaults to all rules. */
export function mayCut(
  read: readonly ReadEvent[],
  asked: readonly Invariant[] = invariants,
): (index: number) => boolean {
  const changes = new Array<number>(read.length + 2).fill(0);
  const results = resultsOf(read);
  for (const invariant of asked) {
    for (const { first, last } of invariant.uncutRanges(read, results)) {
      changes[first + 1]!++;
      changes[Math.min(last, read.length) + 1]!--;
    }
  }
  let open = 0;
  const within = changes.map((change) => (open += change));
  return (index) => index >= 0 && index <= read.length && within[index] === 0;
}

/** Returns the first index from `index` at which the chat may be cut, or undefined if there is none. */
export function nextCut(
  read: readonly ReadEvent[],
  may: (index: number) => boolean,
  index: number,
): number | undefined {
  for (let at = Math.max(0, index); at <= read.length; at++) if (may(at)) return at;
  return undefined;
}

function resultsOf(read: readonly ReadEvent[]): Results {
  const [first, last] = [new Map<string, number>(), new Map<string, number>()];
  for (const [index, event] of read.entries())
    if (event.type === 'observation') (first.has(event.actionId) ? last : first).set(event.actionId, index);
  return { first, last };
}
