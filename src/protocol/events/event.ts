import * as z from 'zod';
import { ChildReport, Details } from './details';
import { confirmationRequested, confirmationResolved } from './confirmation';
import { hookRan } from './hookRan';
import { AddedTool, Called, ToolOrigin } from './calls';
import { ActionEffect, AllowRule, Asking, Assessment, Reach } from './risk';

/** The one vocabulary: what is logged, shown, exported and sent to the model is made of these events. */

export * from './risk';
export { RunPlace } from './confirmation';
export { AddedTool, ToolOrigin } from './calls';
export { HookMoment } from './hookRan';

/** One tool call. Actions of equal `group` run together; groups run in order. `id` is unique in its log. */
export const Action = z.object({
  id: z.string(),
  tool: z.string(),
  input: z.unknown(),
  /** The arguments as the model wrote them, kept only where serialising `input` would give other bytes. */
  rawInput: z.string().optional(),
  /** How the model called it, where that is not `tool` with `input`. */
  called: Called.optional(),
  /** What the provider signed the call with, to be given back to it: Google's thought signature. */
  signature: z.string().optional(),
  /** One line for a person: "Edit src/add.ts". */
  summary: z.string(),
  /** What the model says it is for. */
  purpose: z.string().optional(),
  group: z.number().int().nonnegative(),
  risk: Assessment,
  /** Absent for a tool that does not exist. */
  effect: ActionEffect.optional(),
  /** Who gives the tool, where it is none of Waymark's own. */
  from: ToolOrigin.optional(),
  /** Why the call cannot run, when its tool or input is wrong. */
  problem: z.string().optional(),
});
export type Action = z.infer<typeof Action>;

/** Tokens and US dollars of one model call. `null` is "the provider did not say", which is never the same as 0. */
export const Usage = z.object({
  inputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  cachedTokens: z.number().nullable(),
  cost: z.number().nullable(),
});
export type Usage = z.infer<typeof Usage>;

/**
 * Reasoning as a provider gave it. `field` is its name on the wire, for providers that want it back. `details` are
 * blocks to be given back unchanged, in `detailsField`: `reasoning_details` when absent, Anthropic's `thinking_blocks`,
 * parts of the `content`, or `items` of the Responses API.
 */
export const Reasoning = z.object({
  text: z.string(),
  field: z.enum(['reasoning_content', 'reasoning']).optional(),
  details: z.array(z.unknown()).optional(),
  detailsField: z.enum(['reasoning_details', 'thinking_blocks', 'content', 'items']).optional(),
});
export type Reasoning = z.infer<typeof Reasoning>;

/** A picture for the model: "image/png" and its bytes in base64. */
export const Image = z.object({ mediaType: z.string(), data: z.string() });
export type Image = z.infer<typeof Image>;

/**
 * Something beside the words of a person: what they pointed at or had open, as it was when they sent them. `text` is
 * what the model reads, fenced where others wrote it.
 */
export const ContextPart = z.object({
  /** "file", "selection", "url": the kind of mention, or "editor" for what was open. */
  kind: z.string(),
  /** "@src/a.ts:10-20, lines 10-20 of 240" */
  label: z.string(),
  text: z.string(),
  /** Estimated. */
  tokens: z.number(),
  /** Where the words come from, for the taint meter: a path, an address. */
  source: z.string(),
  /** Who vouches for it; as in core/security/taint/trust.ts. */
  trust: z.enum(['project', 'prose', 'others']),
});
export type ContextPart = z.infer<typeof ContextPart>;

/**
 * A part of the system prompt. `prefix` and `suffix` are a person's words around it, `own` are the words of the way of
 * working, `skills` what the folder teaches, `memory` notes of earlier sessions, `persona` who works.
 */
export const PromptPart = z.object({
  kind: z.enum(['prefix', 'own', 'skills', 'memory', 'persona', 'suffix']),
  text: z.string(),
});
export type PromptPart = z.infer<typeof PromptPart>;

export const Limits = z.object({ steps: z.number(), cost: z.number(), seconds: z.number() });
/** Model calls, US dollars and seconds of work a task may use; 0 is no limit. */
export type Limits = z.infer<typeof Limits>;

export const ConfirmationMode = z.enum(['always', 'risky', 'never']);
export type ConfirmationMode = z.infer<typeof ConfirmationMode>;

/** Who acts and what it may do: ask where it is risky; ask nothing; only look; let the person type each action. */
export const Mode = z.enum(['confirm', 'auto', 'plan', 'human']);
export type Mode = z.infer<typeof Mode>;

/**
 * The two places of a step where a run can be held: before the model is asked, and before what it asked for is done.
 */
export const Checkpoint = z.enum(['before_reasoning', 'before_acting']);
export type Checkpoint = z.infer<typeof Checkpoint>;

export const ModelInfo = z.object({
  name: z.string(),
  /** Where it runs, for a person: "openai-compatible at 127.0.0.1:11434", "VS Code", "tutorial (scripted)". */
  provider: z.string(),
  contextWindow: z.number().nullable(),
  /** True for a model that plays a script; said wherever the name is shown. */
  scripted: z.boolean().optional(),
});
export type ModelInfo = z.infer<typeof ModelInfo>;

export const Outcome = z.enum(['ok', 'error', 'timeout', 'rejected', 'skipped', 'interrupted', 'unknown']);
export type Outcome = z.infer<typeof Outcome>;

/** What a person is told when something went wrong: what happened, why, what to do next. */
export const Problem = z.object({
  what: z.string(),
  why: z.string(),
  next: z.string(),
  /** A command that the words in `next` speak of, offered as a button. */
  remedy: z.enum(['set_api_key', 'choose_model']).optional(),
});
export type Problem = z.infer<typeof Problem>;

/** One of several replies to one request. `calls` are its tool calls as the model wrote them. */
export const Candidate = z.object({
  text: z.string(),
  reasoning: Reasoning.optional(),
  calls: z.array(z.unknown()),
  usage: Usage,
  model: z.string(),
  finishReason: z.string(),
  /** What its actions are, in words for a person. */
  summary: z.string(),
  /** Why it holds no action that can be run. */
  problem: z.string().optional(),
  /** A reward model's number; null where none could be read. */
  score: z.number().nullable().optional(),
});
export type Candidate = z.infer<typeof Candidate>;

/** How one of several candidates was chosen. */
export const Sampling = z.object({
  candidates: z.array(Candidate),
  /** Index into `candidates`. */
  chosen: z.number().int().nonnegative(),
  by: z.enum(['first_valid', 'llm', 'reward_model', 'similarity_gate', 'person']),
  /** Why this one, in words for a person. */
  reason: z.string(),
  /** What the judge wrote; one text, or one for each candidate. */
  outputs: z.array(z.string()),
  /** Set where the judge's answer could not be used. */
  fallback: z.string().optional(),
  /** What the judge wrote down, before this choice, to tell progress by. */
  checklist: z.array(z.string()).optional(),
  /** What judging used; part of the response's usage. */
  verifierUsage: Usage.optional(),
  /**
   * Calls of this step, of candidates and judge, that told no tokens or no cost: the response's
   * usage is at least what it says. Absent: none.
   */
  untold: z.object({ tokens: z.number(), cost: z.number() }).optional(),
});
export type Sampling = z.infer<typeof Sampling>;

/** What a structured reply says about the whole task. */
export const TaskState = z.object({
  status: z.enum(['completed', 'ongoing', 'pending']),
  description: z.string().optional(),
  newTask: z.boolean().optional(),
  learnings: z.array(z.string()).optional(),
});
export type TaskState = z.infer<typeof TaskState>;

/** What came of one action, for people. */
export const AgentResult = z.object({
  /** The id of the action. */
  id: z.string(),
  /** What was called: the tool. */
  action: z.string(),
  /** "Edit src/add.ts" */
  summary: z.string(),
  /** Files that it changed. */
  files: z.array(z.string()),
  state: Outcome,
});
export type AgentResult = z.infer<typeof AgentResult>;

/** Why a run ended, for lists and exports; `summary` says it in words. */
export const EndCause = z.enum([
  /** The last reply is the answer. */
  'answer',
  'steps',
  'cost',
  'seconds',
  'format_errors',
  'empty_replies',
  'unknown_tools',
  'going_in_circles',
  'context_overflow',
  'model',
  'person',
]);
export type EndCause = z.infer<typeof EndCause>;

/**
 * What a file of another format says beside the event that was read from it, so that it can be written back: for
 * each part of the file that the event stands for, the places where that part differs from what Waymark writes.
 * `[path, value]` is said there, `[path]` is not.
 */
export const Foreign = z.record(
  z.string(),
  z.array(z.tuple([z.array(z.union([z.string(), z.number()]))], z.unknown())),
);
export type Foreign = z.infer<typeof Foreign>;

/**
 * `seq` is the event's place in its log, from 0; `at` is milliseconds since 1970. Order is by `seq`, never by clock.
 */
function event<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object({
    seq: z.number().int().nonnegative(),
    at: z.number(),
    type: z.literal(type),
    foreign: Foreign.optional(),
    ...shape,
  });
}

export const Event = z.discriminatedUnion('type', [
  event('task_started', {
    task: z.string(),
    title: z.string(),
    /** The system prompt by what it is made of, in order. Absent: `systemPrompt` holds it in one piece. */
    promptParts: z.array(PromptPart).optional(),
    /**
     * The system prompt in one piece: in logs before format 3, and in those that were read from files of other
     * programs.
     */
    systemPrompt: z.string().optional(),
    model: ModelInfo,
    tools: z.array(z.string()),
    cwd: z.string(),
    confirmation: ConfirmationMode,
    limits: Limits,
    mode: Mode.optional(),
    asking: Asking.optional(),
    /** The agent profile by name. */
    profile: z.string().optional(),
    /** The dialect in which tools are offered, by name: Waymark's own when absent. */
    dialect: z.string().optional(),
    /** The trajectory format that the log was read from, by name; absent for a run of Waymark itself. */
    origin: z.string().optional(),
    /** Those of `tools` that others give. */
    addedTools: z.array(AddedTool).optional(),
    /** Where not those of the profile: what `tools` was chosen by. */
    toolsets: z.array(z.string()).optional(),
    disabledToolsets: z.array(z.string()).optional(),
    /** The extension that began it, where no person did: nobody vouches for the words of such a task. */
    by: z.string().optional(),
    /** Whether each message of the user is sent as one of its own; absent: neighbours are joined. */
    ownMessages: z.boolean().optional(),
    /** Whether the end of the run lists what was done; absent: it does not. */
    tellsResults: z.boolean().optional(),
    /** What was given beside the task, by name. */
    inputs: z.record(z.string(), z.string()).optional(),
    /** The first message to the model as the profile words it; the task itself when absent. */
    prompt: z.string().optional(),
    /** What the task points at, and pictures beside it. */
    context: z.array(ContextPart).optional(),
    images: z.array(Image).optional(),
    /**
     * What commands of this session would run, by hash, when it began: `npm:FOLDER#SCRIPT`, `file:PATH`, `git`.
     * Another hash later makes a command high.
     */
    pins: z.record(z.string(), z.string()).optional(),
    /** The commit of the folder that was checked out when the session began. */
    commit: z.string().optional(),
    /**
     * The skills that the system prompt tells of, as they were then: those that always
     * hold with their text, the others by name.
     */
    skills: z.array(z.object({ name: z.string(), path: z.string(), hash: z.string(), kind: z.string() })).optional(),
    /** The file that says who works; what it may do was narrowed by it. */
    persona: z.object({ name: z.string(), path: z.string(), hash: z.string() }).optional(),
    /** The action of another session that this one works for. `depth` counts the sessions above; 1 when absent. */
    parent: z
      .object({
        session: z.string(),
        actionId: z.string(),
        depth: z.number().int().optional(),
        /** What the session above had let in when it worded the task. */
        reach: Reach.optional(),
        /** Words of the task that it had from there; `trust` is as in core/security/taint/trust.ts. */
        borrowed: z
          .array(
            z.object({
              word: z.string(),
              source: z.string(),
              trust: z.enum(['prose', 'others']),
              line: z.number().optional(),
            }),
          )
          .optional(),
      })
      .optional(),
  }),
  event('settings_changed', {
    model: ModelInfo.optional(),
    confirmation: ConfirmationMode.optional(),
    limits: Limits.optional(),
    title: z.string().optional(),
    mode: Mode.optional(),
    asking: Asking.optional(),
    /** The tools that others give, from now on. */
    addedTools: z.array(AddedTool).optional(),
    /** Whether the run halts at every checkpoint. */
    stepping: z.boolean().optional(),
  }),
  /** `steer`: read with the next tool result; otherwise before the next reply. */
  event('user_message', {
    text: z.string(),
    delivery: z.enum(['next_step', 'steer']).optional(),
    images: z.array(Image).optional(),
    context: z.array(ContextPart).optional(),
  }),
  event('agent_response', {
    /** The first `seq` that the request for this reply did not contain: later words of the user were not read yet. */
    readUpTo: z.number().int().nonnegative(),
    text: z.string(),
    reasoning: Reasoning.optional(),
    actions: z.array(Action),
    usage: Usage,
    /**
     * The server and the model that were asked, "mistral mistral-large": reasoning, signatures and call
     * ids are theirs and mean nothing to others.
     */
    origin: z.string().optional(),
    model: z.string(),
    finishReason: z.string(),
    durationMs: z.number(),
    firstTokenMs: z.number().nullable(),
    /**
     * The whole reply as it was written, for formats that find actions inside the text. Its results are
     * messages of the user then, not of tools.
     */
    written: z.string().optional(),
    /** Set where a person typed the action; then there was no model call. */
    by: z.literal('person').optional(),
    /** The action of the model in whose place a person put this one. */
    instead: z.string().optional(),
    /** Calls that could not be read and became no actions. */
    unreadCalls: z.array(z.unknown()).optional(),
    taskState: TaskState.optional(),
    sampling: Sampling.optional(),
  }),
  event('confirmation_requested', confirmationRequested),
  event('confirmation_resolved', confirmationResolved),
  /** `revoked`: it was taken back. */
  event('allow_rule_added', { rule: AllowRule, revoked: z.boolean().optional() }),
  event('question_asked', { actionId: z.string(), question: z.string(), choices: z.array(z.string()) }),
  event('action_started', { actionId: z.string() }),
  event('observation', {
    actionId: z.string(),
    outcome: Outcome,
    content: z.string(),
    durationMs: z.number().optional(),
    details: Details.optional(),
    /** `content` as the model reads it, where the profile words it otherwise. */ worded: z.string().optional(),
    /** What the branch that went on from this result came to. */ branch: ChildReport.optional(),
    /** Pictures that came with it, which the model sees after the results. */ images: z.array(Image).optional(),
  }),
  event('feedback', {
    cause: z.enum([
      'format_error',
      'interruption',
      'empty_reply',
      'going_in_circles',
      'reply_cut',
      'bad_arguments',
      'mode_changed',
      'changes_undone',
      'wrap_up',
      'not_enough',
      'hook',
    ]),
    text: z.string(),
    /** Whether the reply before it is left out of what the model reads. */
    hidesReply: z.boolean().optional(),
  }),
  event('retry_scheduled', { attempt: z.number(), delayMs: z.number(), why: z.string() }),
  event('condensation_requested', { by: z.enum(['person', 'context_overflow', 'silent_truncation']).optional() }),
  event('condensation', {
    /** The `seq` of the events that the model reads no more. */
    forgotten: z.array(z.number()),
    /** What it reads in their place; empty: nothing. */
    summary: z.string(),
    /** What made it necessary. */
    reasons: z.array(z.enum(['request', 'tokens', 'events'])).optional(),
    usage: Usage.optional(),
    model: z.string().optional(),
    durationMs: z.number().optional(),
  }),
  /**
   * What a skill says was given to the model, because of `what`: a word, a command, a path. Of files that
   * hold, at the beginning, `task_started` tells.
   */
  event('skill_woken', {
    name: z.string(),
    path: z.string(),
    hash: z.string(),
    by: z.enum(['keyword', 'command', 'path']),
    what: z.string(),
    text: z.string(),
  }),
  /**
   * A program of the folder ran at a moment of the session, after a person agreed to it.
   * Nothing runs it again when the log is replayed.
   */
  event('hook_ran', hookRan),
  /** An action began a session of its own. */
  event('child_started', { actionId: z.string(), session: z.string(), title: z.string() }),
  event('notice', {
    level: z.enum(['info', 'warning']),
    text: z.string(),
    /**
     * What it means to the loop: earlier messages could not be condensed, so the model reads them still; nothing that
     * was agreed to before counts; hooks are not what was agreed to, or do less than their files say; files that teach
     * changed, or nobody agreed to hooks, and the session goes on without them.
     */
    about: z
      .enum([
        'condensation_failed',
        'consent_void',
        'hooks_changed',
        'hook_problems',
        'hooks_left_out',
        'skills_left_out',
      ])
      .optional(),
    /** The files that it is about, as people are shown them. */
    files: z.array(z.string()).optional(),
    /** What the attempt cost. */
    usage: Usage.optional(),
  }),
  /** The run will halt at its next checkpoint. */
  event('pause_requested', {}),
  event('paused', {
    reason: z.string(),
    checkpoint: Checkpoint.optional(),
    /** Set where hooks hold the run. */ by: z.literal('hook').optional(),
  }),
  event('resumed', {}),
  event('finished', {
    status: z.enum(['submitted', 'limit_exceeded', 'failed', 'stopped']),
    summary: z.string(),
    cause: EndCause.optional(),
    problem: Problem.optional(),
    /** What the task did, for people; absent where the way of working does not tell. */
    results: z.array(AgentResult).optional(),
  }),
]);
export type Event = z.infer<typeof Event>;
export type EventType = Event['type'];
export type EventOf<Type extends EventType> = Extract<Event, { type: Type }>;

type WithoutStamp<E> = E extends unknown ? Omit<E, 'seq' | 'at'> : never;
/** An event before the log has stamped it with its place and time. */
export type NewEvent = WithoutStamp<Event>;
