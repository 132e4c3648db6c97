import * as z from 'zod';

/** How much harm an action may do. `unknown`: it could not be judged. */
export const RiskLevel = z.enum(['low', 'medium', 'high', 'unknown']);
export type RiskLevel = z.infer<typeof RiskLevel>;

/** Untrusted content that a call writes into a file that may run later. */
export const Plant = z.object({
  /** Path of the file, relative to the workspace folder. */
  path: z.string(),
  /** URL, package or name that was copied; absent if the whole file came from there. */
  word: z.string().optional(),
  /** Where it was first seen: a file, a URL or a command. */
  source: z.string(),
  /** Line in the source. */
  line: z.number().optional(),
  /** Number of replies so far, from 1; 0 if it was before the session began. */
  step: z.number(),
});
export type Plant = z.infer<typeof Plant>;

/** Data flow of a call, as far as known when it was assessed. Each entry is a path, a URL or a program, in words. */
export const Reach = z.object({
  /** Untrusted sources that it shows. */
  untrusted: z.array(z.string()).optional(),
  /** Secrets and files outside the workspace that it shows. */
  secret: z.array(z.string()).optional(),
  /** How it accesses the network. */
  network: z.array(z.string()).optional(),
  /** Set for a command that is known to only read. */
  looks: z.boolean().optional(),
  /** Untrusted files and files with secrets that it changes. If it fails, its error may quote their lines. */
  quotes: z.array(z.string()).optional(),
  plants: z.array(Plant).optional(),
  /** Files with planted content that it may run. */
  runsPlanted: z.array(z.string()).optional(),
});
export type Reach = z.infer<typeof Reach>;

/** Kinds of actions that a person may want to approve regardless of risk. */
export const RiskCategory = z.enum(['network', 'deletes', 'outside', 'git_history', 'packages', 'protected']);
export type RiskCategory = z.infer<typeof RiskCategory>;

/**
 * Kinds of actions that a person may approve in advance. Each corresponds to one finding of the analyzers and covers
 * nothing else.
 */
export const ConsentKind = z.enum(['inline-code', 'unknown-programs', 'packages', 'deletions']);
export type ConsentKind = z.infer<typeof ConsentKind>;

/** When the confirmation mode `risky` asks. */
export const Asking = z.object({
  /** Lowest risk level that needs approval; high if absent. Actions with unknown risk always need approval. */
  from: z.enum(['low', 'medium', 'high']).optional(),
  /** Categories that need approval regardless of risk. */
  about: z.array(RiskCategory).optional(),
  /** Kinds that were approved in advance. */
  consented: z.array(ConsentKind).optional(),
  /** True if no action of a reply runs while another one waits. If absent, actions that need no approval run first. */
  wholeReplies: z.boolean().optional(),
});
export type Asking = z.infer<typeof Asking>;

/**
 * How alarming an action is. `danger`: it destroys, leaks, or runs what nobody has read. `caution`: it is unknown or
 * unusual.
 */
export const RiskWeight = z.enum(['danger', 'caution']);
export type RiskWeight = z.infer<typeof RiskWeight>;

/** Risk of an action, with the reasons for people. */
export const Assessment = z.object({
  level: RiskLevel,
  /** One sentence each: the headline first, the others by weight. Unordered in logs of earlier versions. */
  reasons: z.array(z.string()),
  /** Exact part of the input that the headline refers to. */
  culprit: z.string().optional(),
  /** If absent: `danger` if the level is high, else `caution`. */
  weight: RiskWeight.optional(),
  /** Reasons without names, used to compare permanent permissions. If absent, the reasons themselves are compared. */
  grounds: z.array(z.string()).optional(),
  /**
   * Set for actions that destroy the machine. No mode, rule or pattern allows them without a person's approval of this
   * very action.
   */
  floor: z.boolean().optional(),
  /**
   * Set for changes to files that instruct agents, editors, hooks or build servers. No mode or rule allows them without
   * a person's approval.
   */
  guarded: z.boolean().optional(),
  /** Scripts and settings that the assessment is based on: name to hash, as in `task_started`. */
  pins: z.record(z.string(), z.string()).optional(),
  reach: Reach.optional(),
  categories: z.array(RiskCategory).optional(),
  /**
   * Set if every reason for asking is of a kind that a person can approve in advance. `rest`: the level without them.
   */
  coveredBy: z.object({ kinds: z.array(ConsentKind), rest: RiskLevel }).optional(),
  /** Set if the level is high because of what the session had read. No permanent permission covers it. */
  tainted: z.boolean().optional(),
});
export type Assessment = z.infer<typeof Assessment>;

/**
 * Effect of a tool, by which the profile decides what runs in parallel. `delegates` starts a child session. `asks`
 * waits for a person's answer, which becomes the observation. `ends` finishes the task.
 */
export const ActionEffect = z.enum(['reads', 'writes', 'executes', 'delegates', 'notes', 'asks', 'ends']);
export type ActionEffect = z.infer<typeof ActionEffect>;

/**
 * A permanent permission given on an approval card: this tool and this exact key (see `Tool.allowKey`). `similar`: the
 * same command with other plain words in some positions; `key` contains the words as JSON, with null in those
 * positions. `kind`: any action of tools with one `effect`, as long as it has no reasons beyond the approved ones;
 * `tool` is "*".
 */
export const AllowRule = z.object({
  tool: z.string(),
  key: z.string(),
  scope: z.enum(['similar', 'kind']).optional(),
  effect: ActionEffect.optional(),
  /**
   * Assessment when it was given. An action with a higher level, another reason or other scripts is not covered. Absent
   * in logs of earlier versions.
   */
  within: Assessment.optional(),
  /** Working directory for commands, folder of the session for tools with paths. */
  cwd: z.string().optional(),
  /** Set if `key` is a regular expression that matches the beginning of a command. */
  pattern: z.boolean().optional(),
});
export type AllowRule = z.infer<typeof AllowRule>;
