import * as z from 'zod';
import { Called, ToolOrigin } from './calls';
import { ActionEffect, Assessment } from './risk';

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

/** A reply of the model, or an action that a person typed. */
export const agentResponse = () => ({
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
});

/** What the model reads in place of earlier events. */
export const condensation = () => ({
  /** The `seq` of the events that the model reads no more. */
  forgotten: z.array(z.number()),
  /** What it reads in their place; empty: nothing. */
  summary: z.string(),
  /** What made it necessary. */
  reasons: z.array(z.enum(['request', 'tokens', 'events'])).optional(),
  usage: Usage.optional(),
  model: z.string().optional(),
  durationMs: z.number().optional(),
});
