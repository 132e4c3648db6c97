import type { Limits } from '../../protocol/events/event';

/** How actions are found in a reply. */
export type FormatChoice =
  /**
   * `strict`: one bad call, or none, makes the whole reply a format error; otherwise
   * each bad call gets its own error result.
   */
  | { readonly kind: 'tool_calls'; readonly strict?: boolean }
  /** Exactly one fenced block with this label holds a command for `tool`. */
  | { readonly kind: 'fenced'; readonly label: string; readonly tool: string }
  /** Exactly one element with this tag holds a command for `tool`. */
  | { readonly kind: 'tagged'; readonly tag: string; readonly tool: string }
  | { readonly kind: 'workgraph'; readonly syntax: 'xml' | 'json' };

/** Jinja sources. What is absent is worded by Waymark itself. */
export interface Templates {
  readonly system?: string;
  /** The first message to the model. */
  readonly instance?: string;
  /** What the model reads of an action's result. */
  readonly observation?: string;
  readonly formatError?: string;
  /** What it reads of a command that ran out of time, where that is worded apart. */
  readonly timeout?: string;
}

export type TemplateSources = Readonly<Partial<Record<keyof Templates, string>>>;

/** How often in a row something may go wrong before the run ends. 0: as often as it does; the limits still hold. */
export interface Patience {
  /** Replies without a usable action. */
  readonly formatErrors: number;
  readonly emptyReplies: number;
  /** Replies that call tools which do not exist. */
  readonly unknownTools: number;
  /** How often a reply with unreadable arguments is asked for again before the model is told. */
  readonly badArguments: number;
  /** How often a reply that was cut at the token limit is continued. */
  readonly continuations: number;
}

export type CondenserChoice =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'summarizing';
      /** Events that the model reads, at most; 0 is no limit. */
      readonly maxEvents: number;
      /** Share of the context window that may be full, 0 … 1; 0 is no limit. */
      readonly maxWindowShare: number;
      /** Events at the beginning that are never forgotten. */
      readonly keepFirst: number;
      /** The latest events that stay as well, where enough is left to forget; 0 when absent. */
      readonly keepLast?: number;
    }
  /** Each in turn; the first that has something to do does it. */
  | { readonly kind: 'pipeline'; readonly of: readonly CondenserChoice[] };

/** One way of working, as data: the loop is the same for all. */
export interface Profile {
  readonly name: string;
  /** One sentence for a person who chooses. */
  readonly description: string;
  readonly format: FormatChoice;
  readonly templates: Templates;
  /** The files of templates that a person wrote, as that person knows them. */
  readonly sources?: TemplateSources;
  /** Who looks at what was made before a run may end, and how often it may send the model back. */
  readonly critic?: { readonly name: 'empty_patch' | 'agent_finished'; readonly rounds: number };
  /**
   * `text`: what a reply without actions means. `markers`: a command that exits with 0 and prints one of
   * these as its first line submits the rest.
   */
  readonly end: { readonly text: 'answer' | 'format_error'; readonly markers: readonly string[] };
  readonly limits: Limits;
  readonly patience: Patience;
  /** Whether the model still reads a reply that was a format error. */
  readonly faultyReply: 'kept' | 'hidden';
  /** Whether each message of the user is sent as one of its own; absent, neighbours are joined. */
  readonly ownMessages?: boolean;
  /** Whether nothing of a reply is done before a person agreed to all of it that needs consent. */
  readonly wholeReplies?: boolean;
  /** Whether the end of a run lists what was done, for people. */
  readonly tellsResults?: boolean;
  /** The version of mini-swe-agent whose trajectories its runs are exported as; the latest when absent. */
  readonly miniVersion?: 1;
  /** Characters of an action's output before its middle is left out, for observation templates. */
  readonly truncation?: { readonly limit: number; readonly head: number; readonly tail: number };
  /** Which calls of one reply run together. Writes to one path never do. */
  readonly parallel: 'none' | 'reads' | 'all';
  /** Whether each action of a parallel group goes on as a branch that reasons by itself and reports. */
  readonly branches: boolean;
  /**
   * Whether a near miss of a tool's name is taken for it, equal calls of one reply for one, and a reply that calls a
   * tool which does not exist for a slip as a whole: nothing of it runs.
   */
  readonly repairsCalls: boolean;
  /** Whether it gets what the repository and the person teach: instruction files, skills, personas. */
  readonly skills?: boolean;
  /** Whether the model says with each call what it is for and how risky it thinks it is. */
  readonly selfRating?: boolean;
  readonly condenser: CondenserChoice;
  readonly stuck: StuckThresholds | null;
  /** Names of toolsets. */
  readonly toolsets: readonly string[];
  /** Whether, when a limit is reached, one last call without tools sums up. */
  readonly wrapUp: boolean;
}

/** After how many like steps in a row the agent gets a hint, and after how many the run stops. 0 is never. */
export interface Threshold {
  readonly hint: number;
  readonly stop: number;
}

/** The circles that are looked for; `null` switches one off. */
export interface StuckThresholds {
  /** The same calls with the same results. */
  readonly sameResult: Threshold | null;
  /** The same calls, failing each time. */
  readonly sameError: Threshold | null;
  /** Calls of one tool, each with other arguments, that fail. Not looked for when absent. */
  readonly sameTool?: Threshold | null;
  /** Two steps that take turns, counted in steps. */
  readonly alternating: Threshold | null;
  /** Replies that do nothing. */
  readonly monologue: Threshold | null;
  /** Replies looked at, since a person last spoke or acted. */
  readonly window: number;
}
