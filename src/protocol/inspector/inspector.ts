import * as z from 'zod';
import type { Hunk } from '../events/details';
import type { Event, Outcome } from '../events/event';
import type { ContextFill, Spent } from '../events/figures';

/**
 * Host ⇄ inspector. The view gets one short row for each step of a log, in pages, and
 * everything else of a step when it is opened.
 */

/** What a row can be filtered by. */
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

export type RowKind =
  'task' | 'message' | 'step' | 'condensation' | 'feedback' | 'notice' | 'settings' | 'paused' | 'finished';

/** One line of the list: a call of the model with all that it asked for, or something beside it. */
export interface StepRow {
  /** The event that it begins with. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly kind: RowKind;
  /** Of steps, from 1. */
  number?: number;
  /** What was done, said or noticed, on one line of at most 200 characters. */
  line: string;
  /** How many actions it has. */
  actions?: number;
  tags: StepTag[];
  /** The worst that came of its actions; absent while one has not reported, and where all went well. */
  outcome?: Outcome | 'open';
  /** Of the last command. */
  exitCode?: number | null;
  added?: number;
  removed?: number;
  /** Of the model and the actions together, as far as known. */
  durationMs?: number;
  /** In and out; null where the provider did not say. */
  tokens?: number | null;
  cost?: number | null;
}

/**
 * How a message of a request relates to the request before: at the same place and the same; there already, behind the
 * first difference; changed in its place; new.
 */
export type MessageState = 'same' | 'moved' | 'changed' | 'new';

/** One message of a request, in a line. */
export interface MessageLine {
  readonly index: number;
  readonly role: string;
  readonly characters: number;
  readonly line: string;
  readonly state: MessageState;
}

/** The exact request of a step, recomputed from the log before it. */
export interface RequestOutline {
  /** How many messages it has. */
  readonly total: number;
  /** Some of them, in order. */
  readonly messages: readonly MessageLine[];
  readonly characters: number;
  readonly tools: readonly { readonly name: string; readonly known: boolean }[];
  /** Whether the same tools were offered before. */
  readonly toolsChanged: boolean;
  /** Absent for the first request. */
  readonly previous?: {
    readonly seq: number;
    /** Number of its step. */
    readonly number: number;
    /** Messages at the beginning that are byte for byte those of that request. */
    readonly same: number;
    /** Characters of the request before, and how many of them begin this one too: what a provider's cache can hold. */
    readonly characters: number;
    readonly sameCharacters: number;
    /** Messages of that request that this one does not have. */
    readonly dropped: readonly Omit<MessageLine, 'state'>[];
  };
  readonly fill: ContextFill;
}

/** A message of a request in full. `hunks`: what changed in it against the request before. */
export interface WholeMessage {
  readonly index: number;
  readonly role: string;
  readonly text: string;
  readonly hunks?: readonly Hunk[];
}

/** All that the log says of one row. */
export interface StepDetails {
  readonly seq: number;
  /** Its events, in order: the reply, what was asked, decided and begun, and what came of it. */
  readonly events: readonly Event[];
  /** Where its commands ran. */
  readonly cwd?: string;
  /** For a condensation: what the model no longer reads, at most 500 entries. `seq` is that of a row. */
  readonly forgotten?: readonly { readonly seq: number; readonly words: string }[];
  /** Whether a model was asked, so that there is a request. */
  readonly asked: boolean;
  /** The model's answer as the next request holds it, as JSON. */
  readonly response?: string;
}

/**
 * One of several figures of a run, over its steps. Long runs are put together: a point then
 * stands for `count` steps from `number` on.
 */
export interface FigurePoint {
  readonly number: number;
  readonly count: number;
  /** Row of the first of them. */
  readonly seq: number;
  readonly modelMs: number;
  readonly actionMs: number;
  /** Not from the cache; null where no provider said. */
  readonly inputTokens: number | null;
  readonly cachedTokens: number | null;
  readonly outputTokens: number | null;
  readonly cost: number | null;
  /** Tokens of the fullest request, told or estimated. */
  readonly context: number;
}

export interface Figures {
  readonly points: readonly FigurePoint[];
  /** In tokens; null where nobody knows. */
  readonly contextWindow: number | null;
  readonly graph: RunGraph;
}

/** What began what: the run, its steps that began sessions or ran groups side by side, and those sessions. */
export interface RunGraph {
  readonly nodes: readonly GraphNode[];
  /** As pairs of places in `nodes`. */
  readonly edges: readonly (readonly [number, number])[];
  /** Nodes that are left out because there are too many. */
  readonly more: number;
}

export interface GraphNode {
  readonly kind: 'run' | 'step' | 'group' | 'child';
  readonly words: string;
  /** "12 steps · $0.04" for a child, its status for a group. */
  readonly state: string;
  /** The row to go to. */
  readonly seq: number;
  /** The session to open. */
  readonly session?: string;
}

/** What the head of the view says of a run. */
export interface RunFacts {
  /** Name of the file, or the session's title. */
  readonly name: string;
  /** Where it is, for people. */
  readonly path: string;
  readonly title: string;
  /** "Waymark log", "mini-swe-agent trajectory". */
  readonly format: string;
  readonly model: string;
  /** Empty where the file names none. */
  readonly profile: string;
  /** Whether another program wrote it, so that much of what Waymark says of its own runs is not known. */
  readonly foreign?: true;
  /** Whether it is a session of this window, which another can go on from. */
  readonly session?: true;
  /** How it ended; absent where it did not. */
  readonly end?: { readonly status: 'submitted' | 'limit_exceeded' | 'failed' | 'stopped'; readonly summary: string };
  readonly spent: Spent;
  readonly durationMs: number;
  readonly events: number;
  /** What of the file could not be read, in words for a person. */
  readonly problems: readonly string[];
  /** Its place among those that H and L go through, from 1. */
  readonly place?: { readonly position: number; readonly count: number };
}

/**
 * Two runs side by side: rows by their place, paired if they do the same or are at the same place between such pairs.
 */
export interface AlignedPair {
  readonly left?: number;
  readonly right?: number;
  readonly same: boolean;
}

export type ToInspector =
  /** What was shown before is gone. `rows` are the first of `total`; the others follow. */
  | {
      type: 'run';
      run: number;
      facts: RunFacts;
      total: number;
      rows: readonly StepRow[];
      /** Where a reload stays. */ stay?: boolean;
    }
  /** `facts`: the run went on, and these rows are new or not what they were. */
  | { type: 'rows'; run: number; from: number; rows: readonly StepRow[]; facts?: RunFacts }
  /** Which of the trajectories it is that H and L go through. */
  | { type: 'place'; position: number; count: number }
  | { type: 'details'; run: number; details: StepDetails }
  | { type: 'request'; run: number; seq: number; request: RequestOutline }
  | { type: 'message'; run: number; seq: number; message: WholeMessage }
  /** The rows, by `seq`, that hold the words. */
  | { type: 'found'; run: number; words: string; seqs: readonly number[] }
  | { type: 'figures'; run: number; figures: Figures }
  | { type: 'pairs'; pairs: readonly AlignedPair[] }
  /** Open the row that event `seq` belongs to and give it the focus. */
  | { type: 'show'; run: number; seq: number }
  /** The file has changed since it was read. */
  | { type: 'grown' }
  /** Something that was asked for could not be done, in words for a person. */
  | { type: 'problem'; words: string };

const run = z.number().int().min(0).max(1).default(0);
const seq = z.number().int().nonnegative();

/** What is asked about one step, in the inspector as in the conversation. */
export const stepQuestions = [
  z.object({ type: z.literal('details'), run, seq }),
  /** `from`: of the messages, the first that is wanted; without it those that are not as in the request before. */
  z.object({ type: z.literal('request'), run, seq, from: z.number().int().nonnegative().optional() }),
  z.object({ type: z.literal('message'), run, seq, index: z.number().int().nonnegative() }),
] as const;

export const FromInspector = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  ...stepQuestions,
  z.object({ type: z.literal('find'), run, words: z.string().max(10_000) }),
  z.object({ type: z.literal('figures'), run }),
  z.object({ type: z.literal('reload') }),
  /** The next or previous trajectory. */
  z.object({ type: z.literal('neighbour'), by: z.literal([1, -1]) }),
  /** The step, or without one the whole file, as text in an editor. */
  z.object({ type: z.literal('open_text'), run, seq: seq.optional() }),
  z.object({ type: z.literal('open_file'), run, path: z.string(), line: z.number().int().positive().optional() }),
  z.object({ type: z.literal('open_diff'), run, actionId: z.string(), path: z.string() }),
  z.object({ type: z.literal('open_link'), url: z.string().max(10_000) }),
  z.object({ type: z.literal('open_session'), id: z.string().max(200) }),
  /** Begins a session that goes on after the step of this event. */
  z.object({ type: z.literal('fork'), run, seq }),
  /** Puts files back to where they were after the step of this event. */
  z.object({ type: z.literal('restore'), run, seq }),
  z.object({ type: z.literal('copy'), text: z.string() }),
]);
export type FromInspector = z.infer<typeof FromInspector>;
/** As the view writes it. */
export type InspectorMessage = z.input<typeof FromInspector>;
export type FromInspectorHandlers = {
  [Type in FromInspector['type']]: (message: Extract<FromInspector, { type: Type }>) => void | Promise<void>;
};
