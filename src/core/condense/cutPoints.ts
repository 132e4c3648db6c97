import { isHeldBack, type ReadEvent } from './readEvents';

/** Events that must stay together: from index `first` to index `last`, which is Infinity for what is not over yet. */
export interface Whole {
  readonly first: number;
  readonly last: number;
}

/** One reason why a chat may not be cut at a place. */
export interface Invariant {
  readonly name: string;
  /** What may not be torn apart. */
  wholes(read: readonly ReadEvent[], results: Results): Iterable<Whole>;
}

/** Where the results of each action are, by its id. */
export interface Results {
  readonly first: ReadonlyMap<string, number>;
  /** Only of actions that have more than one. */
  readonly last: ReadonlyMap<string, number>;
}

/** A call without its result, or a result without its call, is refused by every provider. */
export const callsKeepTheirResults: Invariant = {
  name: 'a call keeps its result',
  *wholes(read, results) {
    for (const [first, event] of read.entries()) {
      if (event.type === 'agent_response')
        for (const { id } of event.actions) yield { first, last: results.first.get(id) ?? Infinity };
    }
  },
};

/** The calls of one reply were made together: knowing some of their results only would tell another story. */
export const batchesStayWhole: Invariant = {
  name: 'a batch stays whole',
  *wholes(read, results) {
    for (const event of read) {
      if (event.type !== 'agent_response' || event.actions.length < 2) continue;
      const places = event.actions.map(({ id }) => results.first.get(id) ?? Infinity);
      yield { first: Math.min(...places), last: Math.max(...places) };
    }
  },
};

/**
 * Providers that sign the model's thinking want all of it back while it works with tools: from the
 * first signed reply to the end of the work.
 */
export const thinkingLoopsStayWhole: Invariant = {
  name: 'a tool loop with thinking stays whole',
  *wholes(read) {
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

/** An action that was reported on twice (a result came after "unknown") is forgotten with both reports or with none. */
export const doubledResultsStayTogether: Invariant = {
  name: 'doubled results stay together',
  *wholes(_read, results) {
    for (const [id, last] of results.last) yield { first: results.first.get(id)!, last };
  },
};

/** Feedback that hides the reply before it would hide another one if that reply were gone. */
export const hiddenRepliesKeepTheirFeedback: Invariant = {
  name: 'a hidden reply keeps its feedback',
  *wholes(read) {
    let reply = -1;
    for (const [index, event] of read.entries()) {
      if (event.type === 'agent_response') reply = index;
      else if (event.type === 'feedback' && event.hidesReply && reply >= 0) yield { first: reply, last: index };
    }
  },
};

/**
 * What a person said while a step was under way is read after that step: until a reply has read it, it is not history.
 */
export const wordsAreReadBeforeTheyAreForgotten: Invariant = {
  name: 'words of a person are read before they are forgotten',
  *wholes(read) {
    for (const [first, event] of read.entries()) {
      if (!isHeldBack(event)) continue;
      const reader = read.findIndex(
        (later, index) => index > first && later.type === 'agent_response' && later.readUpTo > event.seq,
      );
      yield { first, last: reader < 0 ? Infinity : reader };
    }
  },
};

/** ★ What a cut must not break. */
const invariants: readonly Invariant[] = [
  callsKeepTheirResults,
  batchesStayWhole,
  thinkingLoopsStayWhole,
  doubledResultsStayTogether,
  hiddenRepliesKeepTheirFeedback,
  wordsAreReadBeforeTheyAreForgotten,
];

/** Whether the chat may be cut before the event at `index`, by each invariant alone or by all. */
export function mayCut(
  read: readonly ReadEvent[],
  asked: readonly Invariant[] = invariants,
): (index: number) => boolean {
  const changes = new Array<number>(read.length + 2).fill(0);
  const results = resultsOf(read);
  for (const invariant of asked) {
    for (const { first, last } of invariant.wholes(read, results)) {
      changes[first + 1]!++;
      changes[Math.min(last, read.length) + 1]!--;
    }
  }
  let open = 0;
  const within = changes.map((change) => (open += change));
  return (index) => index >= 0 && index <= read.length && within[index] === 0;
}

/** The first place from `index` on where the chat may be cut; undefined where there is none. */
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
