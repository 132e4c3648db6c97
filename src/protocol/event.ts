import * as z from 'zod';
import { Details } from './details';

/** The one vocabulary: what is logged, shown, exported and sent to the model is made of these events. */

export const RiskLevel = z.enum(['low', 'medium', 'high', 'unknown']);
export type RiskLevel = z.infer<typeof RiskLevel>;

/** How dangerous an action is, and why in words for a person. `culprit` is the exact part of the input that decided. */
export const Assessment = z.object({ level: RiskLevel, reasons: z.array(z.string()), culprit: z.string().optional() });
export type Assessment = z.infer<typeof Assessment>;

/** What kind of thing a tool does, as it declares; see `Effect` in core/tools/tool.ts. */
export const ActionEffect = z.enum(['reads', 'writes', 'executes', 'notes', 'asks', 'ends']);

/** One tool call. Actions of equal `group` run together; groups run in order. `id` is unique in its log. */
export const Action = z.object({
  id: z.string(),
  tool: z.string(),
  input: z.unknown(),
  /** The arguments as the model wrote them, kept only where serialising `input` would give other bytes. */
  rawInput: z.string().optional(),
  /** One line for a person: "Edit src/add.ts". */
  summary: z.string(),
  group: z.number().int().nonnegative(),
  risk: Assessment,
  /** Absent for a tool that does not exist. */
  effect: ActionEffect.optional(),
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

/** Reasoning as a provider gave it. `field` is its name on the wire, for providers that want it back. */
export const Reasoning = z.object({ text: z.string(), field: z.enum(['reasoning_content', 'reasoning']).optional(), details: z.array(z.unknown()).optional() });
export type Reasoning = z.infer<typeof Reasoning>;

export const Limits = z.object({ steps: z.number(), cost: z.number(), seconds: z.number() });
/** Model calls, US dollars and seconds of work a task may use; 0 is no limit. */
export type Limits = z.infer<typeof Limits>;

export const ConfirmationMode = z.enum(['always', 'risky', 'never']);
export type ConfirmationMode = z.infer<typeof ConfirmationMode>;

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
  what: z.string(), why: z.string(), next: z.string(),
  /** A command that the words in `next` speak of, offered as a button. */
  remedy: z.enum(['set_api_key', 'choose_model']).optional(),
});
export type Problem = z.infer<typeof Problem>;

/** A standing permission a person gave from an approval card: this tool, this exact key (see `Tool.allowKey`). */
export const AllowRule = z.object({ tool: z.string(), key: z.string(), /** The shell's folder, for commands. */ cwd: z.string().optional() });
export type AllowRule = z.infer<typeof AllowRule>;

/** `seq` is the event's place in its log, from 0; `at` is milliseconds since 1970. Order is by `seq`, never by clock. */
function event<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.object({ seq: z.number().int().nonnegative(), at: z.number(), type: z.literal(type), ...shape });
}

export const Event = z.discriminatedUnion('type', [
  event('task_started', { task: z.string(), title: z.string(), systemPrompt: z.string(), model: ModelInfo, tools: z.array(z.string()), cwd: z.string(), confirmation: ConfirmationMode, limits: Limits }),
  event('settings_changed', { model: ModelInfo.optional(), confirmation: ConfirmationMode.optional(), limits: Limits.optional(), title: z.string().optional() }),
  event('user_message', { text: z.string() }),
  event('agent_response', {
    /** The first `seq` that the request for this reply did not contain: later words of the user were not read yet. */
    readUpTo: z.number().int().nonnegative(),
    text: z.string(), reasoning: Reasoning.optional(), actions: z.array(Action), usage: Usage,
    model: z.string(), finishReason: z.string(), durationMs: z.number(), firstTokenMs: z.number().nullable(),
    alternatives: z.array(z.unknown()).optional(),
  }),
  event('confirmation_requested', { actionIds: z.array(z.string()) }),
  event('confirmation_resolved', { actionIds: z.array(z.string()), approved: z.boolean(), comment: z.string().optional(), by: z.enum(['person', 'rule']) }),
  event('allow_rule_added', { rule: AllowRule }),
  event('question_asked', { actionId: z.string(), question: z.string(), choices: z.array(z.string()) }),
  event('action_started', { actionId: z.string() }),
  event('observation', { actionId: z.string(), outcome: Outcome, content: z.string(), durationMs: z.number().optional(), details: Details.optional() }),
  event('feedback', { cause: z.enum(['format_error', 'interruption', 'empty_reply', 'going_in_circles']), text: z.string() }),
  event('retry_scheduled', { attempt: z.number(), delayMs: z.number(), why: z.string() }),
  event('condensation_requested', {}),
  event('condensation', { forgotten: z.array(z.number()), summary: z.string() }),
  event('notice', { level: z.enum(['info', 'warning']), text: z.string() }),
  event('paused', { reason: z.string() }),
  event('resumed', {}),
  event('finished', { status: z.enum(['submitted', 'limit_exceeded', 'failed']), summary: z.string(), problem: Problem.optional() }),
]);
export type Event = z.infer<typeof Event>;
export type EventType = Event['type'];
export type EventOf<Type extends EventType> = Extract<Event, { type: Type }>;

type WithoutStamp<E> = E extends unknown ? Omit<E, 'seq' | 'at'> : never;
/** An event before the log has stamped it with its place and time. */
export type NewEvent = WithoutStamp<Event>;
