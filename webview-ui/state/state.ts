import type { Event, Image } from '../../src/protocol/events/event';
import type { Delta, ModelOffer, PanelFacts, Status, ToPanel } from '../../src/protocol/panel/panel';

/**
 * State of the panel as a function of the messages received: `receive(state, message)`. Independent of the document.
 */

export interface LiveOutput {
  readonly text: string;
  /** Number of dropped lines, so that the card can show it. */ readonly linesDropped: number;
  /** Set if the host also dropped the beginning; its length is unknown. */ readonly cut?: boolean;
}

/** A call that the model is writing. */
interface CallInWriting {
  readonly name: string;
  readonly bytes: number;
  /** Index in the reply; absent if the host does not report it. */
  readonly call?: number | undefined;
  /** File that it is about. */
  readonly path?: string | undefined;
  /** End of the text that it writes to the file. */
  readonly written?: LiveOutput;
}

/** Parts of the current step that are not in the log yet. */
interface Stream {
  readonly text: string;
  readonly reasoning: string;
  readonly tool?: CallInWriting | undefined;
  /** Number of candidates, or of their scores, received so far. */
  readonly progress?:
    { readonly doing: 'sampling' | 'judging'; readonly done: number; readonly of: number } | undefined;
  readonly output: ReadonlyMap<string, LiveOutput>;
  /** State of the sessions that actions started, by session id. */
  readonly children: ReadonlyMap<string, LiveChild>;
  /** The current request includes everything said before that event. */
  readonly reading?: number | undefined;
}

/** The permanent permissions that a waiting action offers. */
export type RuleOffers = Extract<ToPanel, { type: 'rule_offers' }>;
/** Additional data for the card of a waiting action. */
export type Preview = Extract<ToPanel, { type: 'preview' }>;

/** A running session that an action started, as the host last described it. */
export interface LiveChild {
  readonly actionId: string;
  readonly title: string;
  readonly status: Status;
  readonly words: string;
}

/** What the panel knows about the session that it shows, and what the host asked it to do. */
export interface PanelState extends Held {
  readonly sessionId?: string | undefined;
  readonly facts?: PanelFacts;
  /** Length of the log, as reported by the host. */
  readonly total: number;
  readonly stream: Stream;
  readonly offers?: readonly ModelOffer[];
  /** The host's draft for the session that was just opened; `count` distinguishes successive offers. */
  readonly draft?: {
    readonly text: string;
    readonly pastes: readonly string[];
    readonly pictures: readonly Image[];
    readonly count: number;
  };
  /** Content to append to the message. */
  readonly insert?: Extract<ToPanel, { type: 'insert' }> & { readonly count: number };
  readonly starters?: Extract<ToPanel, { type: 'starters' }>;
  readonly compose?: { readonly text: string; readonly problem?: string | undefined; readonly count: number };
  /** Permanent permissions offered for the most recent query. */
  readonly rules?: RuleOffers;
  /** Latest data from the host, by action id. */
  readonly previews: ReadonlyMap<string, Preview>;
  readonly focus?: {
    readonly what: 'composer' | 'approval' | 'stop' | 'search' | 'help';
    readonly actionId?: string | undefined;
    readonly count: number;
  };
  /** Changes that wait for review, as last sent by the host. They include their session id. */
  readonly changes?: Extract<ToPanel, { type: 'changes' }>;
  /** What actions of a session changed, as last asked. */
  readonly pastChanges?: Extract<ToPanel, { type: 'past_changes' }>;
  /** Active editor or selection, in words. */
  readonly editor?: string | undefined;
  /** Other open files, by path. */
  readonly others: readonly string[];
  /** Incremented when the whole feed is replaced. */
  readonly epoch: number;
}

/** The events `from` to `from + events.length` of a log, and events after a gap that arrived early (`ahead`). */
interface Held {
  readonly from: number;
  readonly events: readonly Event[];
  readonly ahead: readonly Event[];
}

/**
 * Merges events in any order and with duplicates. Earlier events count only if they are adjacent to the loaded ones.
 */
function mergeEvents(held: Held, incoming: readonly Event[]): Held {
  const end = held.from + held.events.length;
  const earlier = sortedBySeq(incoming.filter((event) => event.seq < held.from));
  const later = sortedBySeq([...held.ahead, ...incoming.filter((event) => event.seq >= end)]);

  let start = earlier.length;
  while (start > 0 && earlier[start - 1]!.seq === held.from - (earlier.length - start) - 1) start--;
  const before = earlier.slice(start);

  let joined = 0;
  while (joined < later.length && later[joined]!.seq === end + joined) joined++;
  const ahead = later.slice(joined);
  if (before.length + joined === 0) return ahead.length === held.ahead.length ? held : { ...held, ahead };
  return { from: held.from - before.length, events: [...before, ...held.events, ...later.slice(0, joined)], ahead };
}

function sortedBySeq(events: readonly Event[]): Event[] {
  if (events.length < 2) return [...events];
  return [...new Map(events.map((event) => [event.seq, event])).values()].sort((a, b) => a.seq - b.seq);
}

const emptyStream: Stream = { text: '', reasoning: '', output: new Map(), children: new Map() };
export const emptyState: PanelState = {
  from: 0,
  events: [],
  ahead: [],
  total: 0,
  stream: emptyStream,
  others: [],
  previews: new Map(),
  epoch: 0,
};

/** True if events are missing between those held and those received: the panel must request a page from `cursorOf`. */
export const hasGap = (state: PanelState): boolean => state.ahead.length > 0;
export const cursorOf = (state: PanelState): number => state.from + state.events.length;

export function receive(state: PanelState, message: ToPanel): PanelState {
  switch (message.type) {
    case 'page':
      return message.fresh || isOtherSession(state, message.facts)
        ? withPage(state, message)
        : withFacts(withPendingEvents(state, message.events, message.total), message.facts);
    case 'events':
      return withNewEvents(state, message);
    case 'deltas':
      return {
        ...state,
        stream: message.deltas.reduce((stream, delta) => withDelta(stream, delta, state.events), state.stream),
      };
    case 'facts':
      return withFacts(state, message.facts);
    case 'welcome':
      return { ...withFacts(state, message.facts), offers: message.offers };
    case 'changes':
      return { ...state, changes: message };
    case 'past_changes':
      return { ...state, pastChanges: message };
    case 'rule_offers':
      return { ...state, rules: message };
    case 'preview':
      return { ...state, previews: new Map(state.previews).set(message.actionId, message) };
    case 'editor':
      return { ...state, editor: message.label, others: message.others ?? [] };
    case 'completions':
      return state;
    case 'focus':
      return {
        ...state,
        focus: { what: message.what, actionId: message.actionId, count: (state.focus?.count ?? 0) + 1 },
      };
    // Answers to queries about one step are stored elsewhere; see state/calls.ts.
    case 'details':
    case 'request':
    case 'message':
      return state;
    case 'insert':
      return { ...state, insert: { ...message, count: (state.insert?.count ?? 0) + 1 } };
    case 'starters':
      return { ...state, starters: message };
    case 'compose':
      return {
        ...state,
        compose: { text: message.text, problem: message.problem, count: (state.compose?.count ?? 0) + 1 },
      };
  }
}

const isOtherSession = (state: PanelState, facts: PanelFacts): boolean =>
  state.sessionId !== undefined && facts.sessionId !== undefined && facts.sessionId !== state.sessionId;
const withoutEvents = (state: PanelState): PanelState => ({
  ...state,
  from: 0,
  events: [],
  ahead: [],
  total: 0,
  stream: emptyStream,
  previews: new Map(),
  epoch: state.epoch + 1,
});

function withPage(state: PanelState, page: Extract<ToPanel, { type: 'page' }>): PanelState {
  const { draft: text, pastes = [], pictures = [] } = page;
  const draft = { text: text ?? '', pastes, pictures, count: (state.draft?.count ?? 0) + 1 };
  const base = {
    ...withoutEvents(state),
    ...((text !== undefined || pastes.length > 0 || pictures.length > 0) && { draft }),
    sessionId: page.facts.sessionId,
    from: page.from,
    events: page.events,
    total: page.total,
  };
  return withFacts(base, page.facts);
}

function withPendingEvents(state: PanelState, incoming: readonly Event[], total: number): PanelState {
  const merged = mergeEvents(state, incoming);
  const added = merged.events.slice(Math.max(0, cursorOf(state) - merged.from));
  return { ...state, ...merged, total: Math.max(state.total, total), stream: added.reduce(withEvent, state.stream) };
}

/** If they belong to another session, its earlier events are missing until a page with them arrives. */
function withNewEvents(state: PanelState, { from, events, facts }: Extract<ToPanel, { type: 'events' }>): PanelState {
  const total = from + events.length;
  if (!isOtherSession(state, facts)) return withFacts(withPendingEvents(state, events, total), facts);
  const empty = withoutEvents(state);
  return from > 0
    ? { ...withFacts(empty, facts), ahead: events }
    : withFacts(withPendingEvents(empty, events, total), facts);
}

function withFacts(state: PanelState, facts: PanelFacts): PanelState {
  const updated = { ...state, facts, sessionId: facts.sessionId ?? state.sessionId };
  return facts.running || state.stream === emptyStream ? updated : { ...updated, stream: emptyStream };
}

/** Removes streamed parts that the log now contains. */
function withEvent(stream: Stream, event: Event): Stream {
  switch (event.type) {
    case 'retry_scheduled':
      return {
        text: '',
        reasoning: '',
        output: stream.output,
        children: stream.children,
        ...(stream.reading !== undefined && { reading: stream.reading }),
      };
    case 'agent_response':
    case 'feedback':
    case 'finished':
    case 'paused':
      return { text: '', reasoning: '', output: stream.output, children: stream.children };
    case 'observation': {
      const children = [...stream.children.values()].some((child) => child.actionId === event.actionId)
        ? new Map([...stream.children].filter(([, child]) => child.actionId !== event.actionId))
        : stream.children;
      if (!stream.output.has(event.actionId)) return children === stream.children ? stream : { ...stream, children };
      const output = new Map(stream.output);
      output.delete(event.actionId);
      return { ...stream, output, children };
    }
    default:
      return stream;
  }
}

function withDelta(stream: Stream, delta: Delta, events: readonly Event[]): Stream {
  switch (delta.kind) {
    case 'text':
      return { ...stream, text: stream.text + delta.text };
    case 'reasoning':
      return { ...stream, reasoning: stream.reasoning + delta.text };
    case 'tool':
      return { ...stream, tool: calledNow(stream.tool, delta) };
    case 'written':
      return stream.tool?.call === delta.call ? { ...stream, tool: withMoreText(stream.tool, delta.text) } : stream;
    case 'progress':
      return { ...stream, progress: { doing: delta.doing, done: delta.done, of: delta.of } };
    case 'child':
      return {
        ...stream,
        children: new Map(stream.children).set(delta.session, {
          actionId: delta.actionId,
          title: delta.title,
          status: delta.status,
          words: delta.words,
        }),
      };
    case 'reading':
      return { ...stream, reading: delta.upTo };
    case 'discard':
      return stream.reading === undefined ? emptyStream : { ...emptyStream, reading: stream.reading };
    case 'output': {
      if (events.findLast((event) => event.type === 'observation' && event.actionId === delta.actionId)) return stream;
      const before = stream.output.get(delta.actionId) ?? { text: '', linesDropped: 0 };
      return {
        ...stream,
        output: new Map(stream.output).set(
          delta.actionId,
          appendCapped({ ...before, ...(delta.cut && { cut: true }) }, delta.text, maxLiveOutput),
        ),
      };
    }
  }
}

function calledNow(
  before: CallInWriting | undefined,
  { tool: name, bytes, call, path }: Extract<Delta, { kind: 'tool' }>,
): CallInWriting {
  const isSame = before !== undefined && before.call === call;
  return { ...(isSame && before), name, bytes, call, ...(path !== undefined && { path }) };
}

const withMoreText = (tool: CallInWriting, more: string): CallInWriting => ({
  ...tool,
  written: appendCapped(tool.written ?? { text: '', linesDropped: 0 }, more, maxStreamedArguments),
});

const maxLiveOutput = 64_000;
/** Only the last few lines that a call writes are shown, so a limited number of characters is kept. */
const maxStreamedArguments = 4000;

function appendCapped(before: LiveOutput, more: string, most: number): LiveOutput {
  const text = before.text + more;
  if (text.length <= 2 * most) return { ...before, text };
  const cut = text.indexOf('\n', text.length - most) + 1 || text.length - most;
  return {
    ...before,
    text: text.slice(cut),
    linesDropped: before.linesDropped + (text.slice(0, cut).match(/\n/g)?.length ?? 0),
  };
}
