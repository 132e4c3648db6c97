import * as z from 'zod';
import type { Hunk } from '../events/details';
import type { Event, Outcome } from '../events/event';
import type { ContextFill, Spent } from '../events/figures';

/**
 * Messages between extension host and inspector. The view receives one short row per step, in pages, and the rest of a
 * step when it is opened.
 */

/** Tags by which rows can be filtered. */
export const StepTag = z.enum([
  'error',
  'asked',
  'edit',
  'command',
  'look',
  'child',
  'candidates',
  'person',
  'condensed',
]);
export type StepTag = z.infer<typeof StepTag>;

/** What a row of the inspector shows. */
export type RowKind =
  'task' | 'message' | 'step' | 'condensation' | 'feedback' | 'notice' | 'settings' | 'paused' | 'finished';

/** One row of the list: a model call with all its actions, or another event. */
export interface StepRow {
  /** First event of the row. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly kind: RowKind;
  /** Step number, from 1. */
  number?: number;
  /** Summary on one line, at most 200 characters. */
  line: string;
  /** Number of actions. */
  actions?: number;
  tags: StepTag[];
  /** Worst outcome of its actions: `open` while one is unfinished, absent if all succeeded. */
  outcome?: Outcome | 'open';
  /** Exit code of the last command. */
  exitCode?: number | null;
  added?: number;
  removed?: number;
  /** Duration of the model call and the actions together, as far as known. */
  durationMs?: number;
  /** Input and output tokens; null if the provider did not report them. */
  tokens?: number | null;
  cost?: number | null;
}

/**
 * Relation of a message to the previous request: unchanged at the same index; present before, but after the first
 * difference; changed at its index; new.
 */
export type MessageState = 'same' | 'moved' | 'changed' | 'new';

/** One message of a request, on one line. */
export interface MessageLine {
  readonly index: number;
  readonly role: string;
  readonly characters: number;
  readonly line: string;
  readonly state: MessageState;
}

/** The exact request of a step, reconstructed from the log before it. */
export interface RequestOutline {
  /** Number of messages. */
  readonly total: number;
  /** A range of the messages. */
  readonly messages: readonly MessageLine[];
  readonly characters: number;
  readonly tools: readonly { readonly name: string; readonly known: boolean }[];
  /** True if the previous request offered different tools. */
  readonly toolsChanged: boolean;
  /** Absent for the first request. */
  readonly previous?: {
    readonly seq: number;
    /** Step number. */
    readonly number: number;
    /** Number of leading messages that are byte for byte equal to those of that request. */
    readonly same: number;
    /** Characters of the previous request, and the length of the common prefix, which a provider can cache. */
    readonly characters: number;
    readonly sameCharacters: number;
    /** Messages of that request that are missing from this one. */
    readonly dropped: readonly Omit<MessageLine, 'state'>[];
  };
  readonly fill: ContextFill;
}

/** A complete message of a request. `hunks`: changes since the previous request. */
export interface WholeMessage {
  readonly index: number;
  readonly role: string;
  readonly text: string;
  readonly hunks?: readonly Hunk[];
}

/** Everything that the log contains about one row. */
export interface StepDetails {
  readonly seq: number;
  /** Events of the row, in order: the reply, approvals, starts and results. */
  readonly events: readonly Event[];
  /** Working directory of its commands. */
  readonly cwd?: string;
  /** For a condensation: what the model does not read anymore, at most 500 entries. `seq` refers to a row. */
  readonly forgotten?: readonly { readonly seq: number; readonly words: string }[];
  /** True if a model was called, so that there is a request. */
  readonly asked: boolean;
  /** The model's reply as the next request contains it, as JSON. */
  readonly response?: string;
}

/**
 * One data point of a run's charts. In long runs, steps are grouped: a point represents `count` steps from `number` on.
 */
export interface FigurePoint {
  readonly number: number;
  readonly count: number;
  /** Row of the first step. */
  readonly seq: number;
  readonly modelMs: number;
  readonly actionMs: number;
  /** Uncached tokens; null if no provider reported them. */
  readonly inputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly outputTokens: number | null;
  readonly cost: number | null;
  /** Tokens of the largest request, reported or estimated. */
  readonly context: number;
}

/** Data of the charts and of the graph of a run. */
export interface Figures {
  readonly points: readonly FigurePoint[];
  /** In tokens; null if unknown. */
  readonly contextWindow: number | null;
  readonly graph: RunGraph;
}

/** Graph of a run: its steps that started sessions or ran parallel groups, and those sessions. */
export interface RunGraph {
  readonly nodes: readonly RunGraphNode[];
  /** Pairs of indexes in `nodes`. */
  readonly edges: readonly (readonly [number, number])[];
  /** Number of nodes omitted because of the limit. */
  readonly more: number;
}

/** A node of the graph of a run. */
export interface RunGraphNode {
  readonly kind: 'run' | 'step' | 'group' | 'child';
  readonly words: string;
  /** "12 steps · $0.04" for a child session, the status for a group. */
  readonly state: string;
  /** Row to select on click. */
  readonly seq: number;
  /** Session to open on click. */
  readonly session?: string;
}

/** Facts about a run in the header of the view. */
export interface RunFacts {
  /** File name, or title of the session. */
  readonly name: string;
  /** Path for display. */
  readonly path: string;
  readonly title: string;
  /** Name of the format: "Waymark log", "mini-swe-agent trajectory". */
  readonly format: string;
  readonly model: string;
  /** Empty if the file names none. */
  readonly profile: string;
  /** Set if another program wrote it, so that some facts about the run are unknown. */
  readonly foreign?: true;
  /** Set if it is a session of this window, from which another can be forked. */
  readonly session?: true;
  /** How it ended; absent if it did not. */
  readonly end?: { readonly status: 'submitted' | 'limit_exceeded' | 'failed' | 'stopped'; readonly summary: string };
  readonly spent: Spent;
  readonly durationMs: number;
  readonly events: number;
  /** Unreadable parts of the file, described for people. */
  readonly problems: readonly string[];
  /** Position among the trajectories that H and L step through, from 1. */
  readonly place?: { readonly position: number; readonly count: number };
}

/** Two runs side by side. Rows are given by index and paired if they do the same, or by position between such pairs. */
export interface AlignedPair {
  readonly left?: number;
  readonly right?: number;
  readonly same: boolean;
}

/** Messages from the host to the inspector. */
export type ToInspector =
  /** Replaces everything displayed. `rows` are the first of `total`; the others follow. */
  | {
      type: 'run';
      run: number;
      facts: RunFacts;
      total: number;
      rows: readonly StepRow[];
      /** Keeps the current row after a reload. */ stay?: boolean;
    }
  /** `facts` is set if the run continued; the rows are then new or changed. */
  | { type: 'rows'; run: number; from: number; rows: readonly StepRow[]; facts?: RunFacts }
  /** Position of this trajectory among those that H and L step through. */
  | { type: 'place'; position: number; count: number }
  | { type: 'details'; run: number; details: StepDetails }
  | { type: 'request'; run: number; seq: number; request: RequestOutline }
  | { type: 'message'; run: number; seq: number; message: WholeMessage }
  /** Rows, by `seq`, that contain the words. */
  | { type: 'found'; run: number; words: string; seqs: readonly number[] }
  | { type: 'figures'; run: number; figures: Figures }
  | { type: 'pairs'; pairs: readonly AlignedPair[] }
  /** Opens and focuses the row that event `seq` belongs to. */
  | { type: 'show'; run: number; seq: number }
  /** The file has changed since it was read. */
  | { type: 'grown' }
  /** A request failed, with a message for people. */
  | { type: 'problem'; words: string };

const run = z.number().int().min(0).max(1).default(0);
const seq = z.number().int().nonnegative();

/** Queries about one step, shared by the inspector and the conversation. */
export const stepQuestions = [
  z.object({ type: z.literal('details'), run, seq }),
  /** `from`: first message to return; if absent, the first that differs from the previous request. */
  z.object({ type: z.literal('request'), run, seq, from: z.number().int().nonnegative().optional() }),
  z.object({ type: z.literal('message'), run, seq, index: z.number().int().nonnegative() }),
] as const;

/** A message from the inspector to its host. */
export const FromInspector = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  ...stepQuestions,
  z.object({ type: z.literal('find'), run, words: z.string().max(10_000) }),
  z.object({ type: z.literal('figures'), run }),
  z.object({ type: z.literal('reload') }),
  /** Opens the next or previous trajectory. */
  z.object({ type: z.literal('neighbour'), by: z.literal([1, -1]) }),
  /** Opens the step, or without `seq` the whole file, as text in an editor. */
  z.object({ type: z.literal('open_text'), run, seq: seq.optional() }),
  z.object({ type: z.literal('open_file'), run, path: z.string(), line: z.number().int().positive().optional() }),
  z.object({ type: z.literal('open_diff'), run, actionId: z.string(), path: z.string() }),
  z.object({ type: z.literal('open_link'), url: z.string().max(10_000) }),
  z.object({ type: z.literal('open_session'), id: z.string().max(200) }),
  /** Forks a session after the step of this event. */
  z.object({ type: z.literal('fork'), run, seq }),
  /** Restores files to their state after the step of this event. */
  z.object({ type: z.literal('restore'), run, seq }),
  z.object({ type: z.literal('copy'), text: z.string() }),
]);
export type FromInspector = z.infer<typeof FromInspector>;
/** A message as the view sends it. */
export type InspectorMessage = z.input<typeof FromInspector>;
/** One handler for each type of message from the inspector. */
export type FromInspectorHandlers = {
  [Type in FromInspector['type']]: (message: Extract<FromInspector, { type: Type }>) => void | Promise<void>;
};
