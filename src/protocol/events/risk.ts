import * as z from 'zod';

export const RiskLevel = z.enum(['low', 'medium', 'high', 'unknown']);
export type RiskLevel = z.infer<typeof RiskLevel>;

/** What a call writes into a file that may run later, of that which the session has from others. */
export const Plant = z.object({
  /** Of the file, relative to the workspace folder. */
  path: z.string(),
  /** The address, package or name that was borrowed; absent where the whole file came from there. */
  word: z.string().optional(),
  /** Where it was first seen: a file, an address, a command. */
  source: z.string(),
  /** In the source. */
  line: z.number().optional(),
  /** Counts the replies, from 1; 0 for before the session began. */
  step: z.number(),
});
export type Plant = z.infer<typeof Plant>;

/**
 * What a call lets in or out, as far as it was known when it was judged. Each entry names one
 * in words: a path, an address, a program.
 */
export const Reach = z.object({
  /** What it shows that nobody vouches for. */
  untrusted: z.array(z.string()).optional(),
  /** Secrets and files outside the workspace that it shows. */
  secret: z.array(z.string()).optional(),
  /** How it reaches the network. */
  network: z.array(z.string()).optional(),
  /** Set for a command of which it is known that it only looks. */
  looks: z.boolean().optional(),
  plants: z.array(Plant).optional(),
  /** Files that hold what was planted in them, and that it may run. */
  runsPlanted: z.array(z.string()).optional(),
});
export type Reach = z.infer<typeof Reach>;

/** Kinds of things that a person may want to be asked about whatever their risk. */
export const RiskCategory = z.enum(['network', 'deletes', 'outside', 'git_history', 'packages', 'protected']);
export type RiskCategory = z.infer<typeof RiskCategory>;

/**
 * Kinds of things that a person may consent to beforehand. Each is one finding of the
 * analyzers, and covers nothing beside it.
 */
export const ConsentKind = z.enum(['inline-code', 'unknown-programs', 'packages', 'deletions']);
export type ConsentKind = z.infer<typeof ConsentKind>;

/** When the confirmation mode `risky` asks. */
export const Asking = z.object({
  /** The lowest risk that is asked about; high when absent. What nobody could judge always is. */
  from: z.enum(['low', 'medium', 'high']).optional(),
  /** What is asked about whatever its risk. */
  about: z.array(RiskCategory).optional(),
  /** What was consented to beforehand. */
  consented: z.array(ConsentKind).optional(),
  /** Whether nothing of a reply runs while something of it waits; absent: what needs no consent runs before. */
  wholeReplies: z.boolean().optional(),
});
export type Asking = z.infer<typeof Asking>;

/**
 * How much a person should be alarmed. `danger`: it destroys, leaks, or runs what nobody has
 * read. `caution`: it is unknown or unusual.
 */
export const RiskWeight = z.enum(['danger', 'caution']);
export type RiskWeight = z.infer<typeof RiskWeight>;

/** How dangerous an action is, and why in words for a person. */
export const Assessment = z.object({
  level: RiskLevel,
  /**
   * One sentence each; the first is the headline, the others follow by weight. In logs
   * of earlier versions they are in no order.
   */
  reasons: z.array(z.string()),
  /** The exact part of the input that the headline is about. */
  culprit: z.string().optional(),
  /** Absent: `danger` where the level is high, else `caution`. */
  weight: RiskWeight.optional(),
  /** The reasons without the names in them, by which standing permissions compare. Absent: the reasons themselves. */
  grounds: z.array(z.string()).optional(),
  /**
   * Set for what destroys the machine: no mode, rule or pattern lets it run without a person's yes to this very action.
   */
  floor: z.boolean().optional(),
  /**
   * Set for what changes a file that tells agents, editors, hooks or build servers what to do: no mode and no
   * rule lets it happen without a person's yes.
   */
  guarded: z.boolean().optional(),
  /** The scripts and settings it was judged by: name to hash, as in `task_started`. */
  pins: z.record(z.string(), z.string()).optional(),
  reach: Reach.optional(),
  categories: z.array(RiskCategory).optional(),
  /**
   * Set where each thing that it is asked about is of a kind that a person can consent to
   * beforehand. `rest`: its level without them.
   */
  coveredBy: z.object({ kinds: z.array(ConsentKind), rest: RiskLevel }).optional(),
  /** Set where what the session had read made it high: no standing permission covers it. */
  tainted: z.boolean().optional(),
});
export type Assessment = z.infer<typeof Assessment>;

/** What kind of thing a tool does, as it declares; see `Effect` in core/tools/defineTool.ts. */
export const ActionEffect = z.enum(['reads', 'writes', 'executes', 'delegates', 'notes', 'asks', 'ends']);

/**
 * A standing permission a person gave from an approval card: this tool, this exact key (see
 * `Tool.allowKey`). `similar`: the same command where other plain words may stand in some places; `key` is
 * its words as JSON, null in those places. `kind`: whatever tools of one `effect` do for no other reasons
 * than the one that was consented to; `tool` is "*".
 */
export const AllowRule = z.object({
  tool: z.string(),
  key: z.string(),
  scope: z.enum(['similar', 'kind']).optional(),
  effect: ActionEffect.optional(),
  /**
   * How it was judged when it was given: what is judged to be more, for another reason, or by other scripts is not
   * covered. Absent in logs of earlier versions.
   */
  within: Assessment.optional(),
  /** The shell's folder, for commands. */
  cwd: z.string().optional(),
  /** Set where `key` is a regular expression for the beginning of a command. */
  pattern: z.boolean().optional(),
});
export type AllowRule = z.infer<typeof AllowRule>;
