import type { Limits } from '../../protocol/events/event';

/** How actions are written in a reply. */
export type FormatChoice =
  /**
   * `strict`: one bad call, or no call, makes the whole reply a format error. Otherwise each bad call gets its own
   * error result.
   */
  | { readonly kind: 'tool_calls'; readonly strict?: boolean }
  /** Exactly one fenced block with this label contains a command for `tool`. */
  | { readonly kind: 'fenced'; readonly label: string; readonly tool: string }
  /** Exactly one element with this tag contains a command for `tool`. */
  | { readonly kind: 'tagged'; readonly tag: string; readonly tool: string }
  | { readonly kind: 'workgraph'; readonly syntax: 'xml' | 'json' };

/** Jinja templates. Waymark uses its own wording for absent ones. */
export interface Templates {
  readonly system?: string;
  /** First message to the model. */
  readonly instance?: string;
  /** Text of an action's result for the model. */
  readonly observation?: string;
  readonly formatError?: string;
  /** Text for a command that timed out, if it differs from `observation`. */
  readonly timeout?: string;
}

/** Texts of the templates of a profile, before they are parsed. */
export type TemplateSources = Readonly<Partial<Record<keyof Templates, string>>>;

/** How often in a row something may fail before the run ends. 0: any number of times, until a limit is reached. */
interface FailureLimits {
  /** Replies without a usable action. */
  readonly formatErrors: number;
  readonly emptyReplies: number;
  /** Replies that call tools that do not exist. */
  readonly unknownTools: number;
  /** Number of times a reply with unreadable arguments is requested again before the model is told. */
  readonly badArguments: number;
  /** Number of times a reply cut at the token limit is continued. */
  readonly continuations: number;
}

/** How a profile shortens a long conversation, with its limits. */
export type CondenserChoice =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'summarizing';
      /** Maximum number of events sent to the model. 0 means no limit. */
      readonly maxEvents: number;
      /** Maximum share of the context window in use, 0 … 1. 0 means no limit. */
      readonly maxWindowShare: number;
      /** Number of events at the beginning that are never forgotten. */
      readonly keepFirst: number;
      /** Number of latest events to keep as well, if enough others can be forgotten. Defaults to 0. */
      readonly keepLast?: number;
    }
  /** Tries each in turn. The first that has something to do wins. */
  | { readonly kind: 'pipeline'; readonly of: readonly CondenserChoice[] };

/** A way of working, as data. The loop is the same for all profiles. */
export interface Profile {
  readonly name: string;
  /** One sentence for a person who chooses a profile. */
  readonly description: string;
  readonly format: FormatChoice;
  readonly templates: Templates;
  /** Template files written by a person, as displayed. */
  readonly sources?: TemplateSources;
  /** Critic that checks the work before a run may end, and how often it may send the model back. */
  readonly critic?: { readonly name: 'empty_patch' | 'agent_finished'; readonly rounds: number };
  /**
   * `text`: meaning of a reply without actions. `markers`: a command that exits with 0 and prints one of these as its
   * first line submits the rest of its output.
   */
  readonly end: { readonly text: 'answer' | 'format_error'; readonly markers: readonly string[] };
  readonly limits: Limits;
  readonly failureLimits: FailureLimits;
  /** Whether the model still sees a reply that was a format error. */
  readonly faultyReply: 'kept' | 'hidden';
  /** True if each message of the user is sent separately. By default adjacent messages are joined. */
  readonly ownMessages?: boolean;
  /** True if no action of a reply runs before a person has approved all that need approval. */
  readonly wholeReplies?: boolean;
  /** True if the end of a run lists what was done, for people. */
  readonly tellsResults?: boolean;
  /** Version of the mini-swe-agent trajectory format for exports. Defaults to the latest. */
  readonly miniVersion?: 1;
  /**
   * For observation templates: the number of characters above which the middle of an output is removed, and how many
   * are kept at each end.
   */
  readonly truncation?: { readonly limit: number; readonly head: number; readonly tail: number };
  /** Which calls of one reply run in parallel. Writes to the same path never do. */
  readonly parallel: 'none' | 'reads' | 'all';
  /** True if each action of a parallel group continues as a branch, which reasons by itself and reports. */
  readonly branches: boolean;
  /**
   * True if calls are repaired: a misspelled tool name means the closest tool, and equal calls in one reply run once. A
   * reply that calls an unknown tool does not run at all.
   */
  readonly repairsCalls: boolean;
  /** Set if a reply without calls is asked about once while todos are open or after a failed step. */
  readonly remindsOfWork?: true;
  /** True if it uses instructions of the repository and the person: instruction files, skills and personas. */
  readonly skills?: boolean;
  /** True if the model states the purpose and its own risk rating with each call. */
  readonly selfRating?: boolean;
  readonly condenser: CondenserChoice;
  readonly stuck: StuckThresholds | null;
  /** Names of toolsets. */
  readonly toolsets: readonly string[];
  /** True if the model makes one last call without tools, to sum up, when a limit is reached. */
  readonly wrapUp: boolean;
}

/** Number of similar steps in a row after which the agent gets a hint, and after which the run stops. 0 means never. */
export interface Threshold {
  readonly hint: number;
  readonly stop: number;
}

/** Thresholds for each kind of loop. `null` disables its detection. */
export interface StuckThresholds {
  /** Same calls with the same results. */
  readonly sameResult: Threshold | null;
  /** Same calls, failing each time. */
  readonly sameError: Threshold | null;
  /** Failing calls of one tool with different arguments. Not detected if absent. */
  readonly sameTool?: Threshold | null;
  /** Two alternating steps, counted in steps. */
  readonly alternating: Threshold | null;
  /** Replies without actions. */
  readonly monologue: Threshold | null;
  /** Number of replies to look at since a person last spoke or acted. */
  readonly window: number;
}
