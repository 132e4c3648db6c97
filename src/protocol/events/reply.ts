import * as z from 'zod';
import { Called, ToolOrigin } from './calls';
import { ActionEffect, Assessment } from './risk';

/** One tool call. Actions with the same `group` run in parallel; groups run in order. `id` is unique within its log. */
export const Action = z.object({
  id: z.string(),
  tool: z.string(),
  input: z.unknown(),
  /** Arguments as the model wrote them. Only stored if serializing `input` would produce different bytes. */
  rawInput: z.string().optional(),
  /** How the model called it, if that differs from `tool` with `input`. */
  called: Called.optional(),
  /** Provider's signature of the call, which has to be sent back: Google's thought signature. */
  signature: z.string().optional(),
  /** One-line summary for people: "Edit src/add.ts". */
  summary: z.string(),
  /** Purpose stated by the model. */
  purpose: z.string().optional(),
  group: z.number().int().nonnegative(),
  risk: Assessment,
  /** Absent if the tool does not exist. */
  effect: ActionEffect.optional(),
  /** Provider of the tool, if it is not one of Waymark's own. */
  from: ToolOrigin.optional(),
  /** Reason why the call cannot run, if its tool or input is invalid. */
  problem: z.string().optional(),
});
export type Action = z.infer<typeof Action>;

/**
 * Tokens and US dollars of one model call. `null` means that the provider did not report it, which is different from 0.
 */
export const Usage = z.object({
  inputTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  cachedTokens: z.number().nullable(),
  cost: z.number().nullable(),
});
export type Usage = z.infer<typeof Usage>;

/**
 * Reasoning from the provider. `field` is its field name in the response, for providers that want it back. `details`
 * are blocks to be sent back unchanged in `detailsField`: `reasoning_details` if absent, Anthropic's `thinking_blocks`,
 * parts of the `content`, or `items` of the Responses API.
 */
export const Reasoning = z.object({
  text: z.string(),
  field: z.enum(['reasoning_content', 'reasoning']).optional(),
  details: z.array(z.unknown()).optional(),
  detailsField: z.enum(['reasoning_details', 'thinking_blocks', 'content', 'items']).optional(),
});
export type Reasoning = z.infer<typeof Reasoning>;

/** One of several replies to one request. `calls` are its tool calls as the model wrote them. */
export const Candidate = z.object({
  text: z.string(),
  reasoning: Reasoning.optional(),
  calls: z.array(z.unknown()),
  usage: Usage,
  model: z.string(),
  finishReason: z.string(),
  /** Summary of its actions for people. */
  summary: z.string(),
  /** Reason why it contains no runnable action. */
  problem: z.string().optional(),
  /** Score of a reward model; null if it could not be read. */
  score: z.number().nullable().optional(),
});
export type Candidate = z.infer<typeof Candidate>;

/** How one of several candidates was chosen. */
export const Sampling = z.object({
  candidates: z.array(Candidate),
  /** Index into `candidates`. */
  chosen: z.number().int().nonnegative(),
  by: z.enum(['first_valid', 'llm', 'reward_model', 'similarity_gate', 'person']),
  /** Reason for this choice, for people. */
  reason: z.string(),
  /** Texts of the judge: one for all candidates, or one for each. */
  outputs: z.array(z.string()),
  /** Reason for a fallback, if the judge's answer could not be used. */
  fallback: z.string().optional(),
  /** Checklist that the judge wrote before this choice to measure progress. */
  checklist: z.array(z.string()).optional(),
  /** Usage of the judge; included in the usage of the response. */
  verifierUsage: Usage.optional(),
  /**
   * Number of calls in this step, for candidates or judge, that reported no tokens or no cost. The response's usage is
   * then a lower bound. Absent if there are none.
   */
  untold: z.object({ tokens: z.number(), cost: z.number() }).optional(),
});
export type Sampling = z.infer<typeof Sampling>;

/** Statement about the whole task in a structured reply. */
export const TaskState = z.object({
  status: z.enum(['completed', 'ongoing', 'pending']),
  description: z.string().optional(),
  newTask: z.boolean().optional(),
  learnings: z.array(z.string()).optional(),
});
export type TaskState = z.infer<typeof TaskState>;

/** A reply of the model, or an action that a person typed. */
export const agentResponse = () => ({
  /** First `seq` that the request for this reply did not include. Later user messages were not read yet. */
  readUpTo: z.number().int().nonnegative(),
  text: z.string(),
  reasoning: Reasoning.optional(),
  actions: z.array(Action),
  usage: Usage,
  /**
   * Provider and model of the request, such as "mistral mistral-large". Reasoning, signatures and call ids are only
   * valid there.
   */
  origin: z.string().optional(),
  model: z.string(),
  finishReason: z.string(),
  durationMs: z.number(),
  firstTokenMs: z.number().nullable(),
  /**
   * Full text of the reply, for formats that parse actions from text. Its results are then user messages instead of
   * tool messages.
   */
  written: z.string().optional(),
  /** Set if a person typed the action; then there was no model call. */
  by: z.literal('person').optional(),
  /** Id of the model's action that a person replaced with this one. */
  instead: z.string().optional(),
  /** Calls that could not be parsed and became no actions. */
  unreadCalls: z.array(z.unknown()).optional(),
  taskState: TaskState.optional(),
  sampling: Sampling.optional(),
});

/** Replacement of earlier events for the model. */
export const condensation = () => ({
  /** `seq` of the events that the model does not read from here on. */
  forgotten: z.array(z.number()),
  /** Text that replaces them; empty for nothing. */
  summary: z.string(),
  /** Results that the model has not read yet and that are too long for it, as it reads them from here on. */
  shortened: z.array(z.object({ seq: z.number(), content: z.string() })).optional(),
  /** What triggered it. */
  reasons: z.array(z.enum(['request', 'tokens', 'events'])).optional(),
  usage: Usage.optional(),
  model: z.string().optional(),
  durationMs: z.number().optional(),
});
