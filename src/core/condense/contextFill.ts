import type { Event, EventOf, ModelInfo } from '../../protocol/events/event';
import { systemPromptOf } from '../../protocol/plain/systemPrompt';
import type { FillPart, ContextFill } from '../../protocol/events/figures';
import { messageText, resentReasoning } from '../log/eventFacts';
import { hookWords } from '../ports/hook';
import { projection, type History } from '../log/projection';

export type { ContextFill, FillPart };

type Sizes = Partial<Record<FillPart, number>>;

interface ContextSizes {
  /** Characters that the model currently reads, by part. */
  readonly total: Record<FillPart, number>;
  /** Characters by part for each event, by `seq`. */
  readonly events: Map<number, Sizes>;
  lastReply: number;
  /** The latest request for which the provider reported tokens. */
  reported: { characters: number; tokens: number } | undefined;
  /** Characters of a request that was rejected as too long and has not been followed by a condensation. */
  refused: number | undefined;
  /** Characters of the shortest request that was too long for the model, among those followed by a condensation. */
  tooLong: number | undefined;
  /** Tokens that the model can read, as its server named them when it refused a request. */
  statedWindow: number | undefined;
  /** Name and provider of the current model. */
  model: string;
}

/** Maximum share left by a condensation for a rejected length to be used as a limit. */
const muchShorter = 0.7;

/** Sizes of what the model reads, for `readAhead`. */
export const contextSizesOf = projection<ContextSizes>(
  () => ({
    total: { system: 0, tools: 0, messages: 0, replies: 0, reasoning: 0, results: 0, summaries: 0 },
    events: new Map(),
    lastReply: -1,
    reported: undefined,
    refused: undefined,
    tooLong: undefined,
    statedWindow: undefined,
    model: '',
  }),
  (scales, event) => {
    switch (event.type) {
      case 'agent_response': {
        const tokens = requestTokens(event);
        if (tokens) scales.reported = { characters: sum(scales.total), tokens };
        // What the model has read disproves a smaller number.
        if (tokens && tokens > (scales.statedWindow ?? Infinity)) scales.statedWindow = undefined;
        scales.lastReply = event.seq;
        break;
      }
      case 'feedback':
        if (event.hidesReply) removeEvent(scales, scales.lastReply);
        break;
      case 'condensation_requested':
        if (event.by !== 'context_overflow') break;
        scales.refused = sum(scales.total);
        scales.statedWindow = event.contextWindow ?? scales.statedWindow;
        break;
      case 'finished':
        // The user was advised to enlarge the context on the server.
        if (event.cause === 'context_overflow') forgetRefusals(scales);
        break;
      case 'message_changed':
        if (event.change !== 'moved') removeEvent(scales, event.message);
        break;
      case 'settings_changed':
      case 'task_started':
        if (event.model) changeModel(scales, event.model);
        break;
      case 'condensation':
        condense(event, scales);
        break;
    }
    add(scales, event.seq, sizesOf(event));
  },
);

function condense({ forgotten, shortened = [] }: EventOf<'condensation'>, scales: ContextSizes): void {
  for (const seq of forgotten) removeEvent(scales, seq);
  for (const { seq, content } of shortened) {
    removeEvent(scales, seq);
    add(scales, seq, { results: content.length });
  }
  // If hardly anything could be left out, the length is not used as a limit, because condensing again would not help.
  const { refused } = scales;
  if (refused !== undefined && sum(scales.total) < refused * muchShorter)
    scales.tooLong = Math.min(scales.tooLong ?? Infinity, refused);
  scales.refused = undefined;
}

/**
 * Estimates how full the context window is, by part. Processes only new events. `toolCharacters`: length of the tool
 * schemas, which are not in the log.
 */
export function contextFill(history: History, toolCharacters = 0): ContextFill {
  const { total, reported } = contextSizesOf(history);
  const characters = { ...total, tools: toolCharacters };
  const count = sum(characters);
  const perCharacter = tokensPerCharacter(history, toolCharacters);
  // The provider's count plus changes since then. This includes what only the provider knows, such as its formatting
  // around messages.
  const tokens = Math.round(
    Math.max(
      count * perCharacter,
      reported ? reported.tokens + (count - toolCharacters - reported.characters) * perCharacter : 0,
    ),
  );
  const parts = Object.fromEntries(
    Object.entries(characters).map(([part, size]) => [part, count > 0 ? Math.round((size / count) * tokens) : 0]),
  ) as Record<FillPart, number>;
  return { tokens, parts, measured: reported !== undefined };
}

/** Forgets what an earlier model refused. A resumed session names its model again, which changes nothing. */
function changeModel(scales: ContextSizes, { name, provider }: ModelInfo): void {
  const model = `${name}\n${provider}`;
  if (model !== scales.model) forgetRefusals(scales);
  scales.model = model;
}

function forgetRefusals(scales: ContextSizes): void {
  scales.refused = scales.tooLong = scales.statedWindow = undefined;
}

/** Tokens that the current model can read, as its server named them when it refused a request. */
export const statedContextWindow = (history: History): number | undefined => contextSizesOf(history).statedWindow;

/** Tokens that the current model can read: what its server named, at most the `expected` number. Null if unknown. */
export function contextWindowIn(history: History, expected: number | null): number | null {
  const window = Math.min(expected ?? Infinity, statedContextWindow(history) ?? Infinity);
  return window === Infinity ? null : window;
}

/** Share of a rejected request that is assumed to fit. */
const readableShare = 0.9;

/** Share of a rejected request to aim for if nothing else tells how much the model can read. */
const cautiousShare = 0.6;

/** Tokens that a request may have after the rejection that was not answered yet. Infinity if there is none. */
export function tokensAfterRefusal(history: History, toolCharacters = 0): number {
  const { refused } = contextSizesOf(history);
  if (refused === undefined) return Infinity;
  return Math.floor((refused + toolCharacters) * tokensPerCharacter(history, toolCharacters) * cautiousShare);
}

/**
 * Maximum number of tokens, learned from requests that the current model rejected as too long. Infinity if there were
 * none.
 */
export function learnedTokenLimit(history: History, toolCharacters = 0): number {
  const { tooLong } = contextSizesOf(history);
  if (tooLong === undefined) return Infinity;
  return Math.floor((tooLong + toolCharacters) * tokensPerCharacter(history, toolCharacters) * readableShare);
}

/**
 * Tokens per character of the latest request that the provider counted. Clamped, because a request contains more than
 * the log shows.
 */
export function tokensPerCharacter(history: History, toolCharacters = 0): number {
  const { reported } = contextSizesOf(history);
  return reported ? Math.min(1, Math.max(0.1, reported.tokens / (reported.characters + toolCharacters))) : 0.25;
}

/** Returns a function for the number of characters of an event that the model reads. 0 if it is not sent. */
export function charactersOf(history: History): (event: Event) => number {
  const { events } = contextSizesOf(history);
  return ({ seq }) => sum(events.get(seq) ?? {});
}

/** Number of characters of an event that the model reads, as long as nothing hides it. */
export const charactersIn = (event: Event): number => sum(sizesOf(event));

function sizesOf(event: Event): Sizes {
  switch (event.type) {
    case 'task_started':
      return { system: systemPromptOf(event).length, messages: messageText(event).length };
    case 'user_message':
      return { messages: messageText(event).length };
    case 'feedback':
    case 'skill_woken':
      return { messages: event.text.length };
    case 'hook_ran':
      return { messages: hookWords(event).length };
    case 'observation':
      return { results: (event.worded ?? event.content).length };
    case 'condensation':
      return { summaries: event.summary.length };
    case 'agent_response': {
      const calls =
        event.written === undefined
          ? event.actions.reduce(
              (count, { tool, input, rawInput }) =>
                count + tool.length + (rawInput ?? JSON.stringify(input) ?? '').length,
              0,
            )
          : 0;
      return {
        replies: (event.written ?? event.text).length + calls,
        reasoning: resentReasoning(event.reasoning).length,
      };
    }
    default:
      return {};
  }
}

/** Returns the input tokens of the chosen candidate, because each candidate had its own request. */
function requestTokens({ usage, sampling }: Extract<Event, { type: 'agent_response' }>): number | null {
  return sampling ? (sampling.candidates[sampling.chosen]?.usage.inputTokens ?? null) : usage.inputTokens;
}

function add({ total, events }: ContextSizes, seq: number, sizes: Sizes): void {
  const parts = Object.entries(sizes) as [FillPart, number][];
  if (parts.length === 0) return;
  events.set(seq, sizes);
  for (const [part, count] of parts) total[part] += count;
}

function removeEvent({ total, events }: ContextSizes, seq: number): void {
  for (const [part, count] of Object.entries(events.get(seq) ?? {}) as [FillPart, number][]) total[part] -= count;
  events.delete(seq);
}

const sum = (sizes: Sizes): number => Object.values(sizes).reduce((all, count) => all + count, 0);
