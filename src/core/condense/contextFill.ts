import type { Event } from '../../protocol/events/event';
import { systemPromptOf } from '../../protocol/plain/systemPrompt';
import type { FillPart, ContextFill } from '../../protocol/events/figures';
import { readWords } from '../log/contextText';
import { hookWords } from '../ports/hook';
import { projection, type History } from '../log/projection';

export type { ContextFill, FillPart };

type Sizes = Partial<Record<FillPart, number>>;

interface Scales {
  /** Characters by part, of what the model reads now. */
  readonly total: Record<FillPart, number>;
  /** The same of each event, by its `seq`. */
  readonly events: Map<number, Sizes>;
  lastReply: number;
  /** The latest request whose tokens the provider told. */
  reported: { characters: number; tokens: number } | undefined;
  /** Characters of the request that was refused for its length and that no condensation has answered yet. */
  refused: number | undefined;
  /** Characters of the shortest request that was too long for the model, among those that were answered. */
  tooLong: number | undefined;
}

/** What a condensation leaves at most, as a share, where it is worth doing before the model refuses again. */
const muchShorter = 0.7;

/** What of the log the model reads, for `readAhead`. */
export const scalesOf = projection<Scales>(
  () => ({
    total: { system: 0, tools: 0, messages: 0, replies: 0, reasoning: 0, results: 0, summaries: 0 },
    events: new Map(),
    lastReply: -1,
    reported: undefined,
    refused: undefined,
    tooLong: undefined,
  }),
  (scales, event) => {
    if (event.type === 'agent_response') {
      const tokens = requestTokens(event);
      if (tokens) scales.reported = { characters: sum(scales.total), tokens };
      scales.lastReply = event.seq;
    }
    if (event.type === 'feedback' && event.hidesReply) remove(scales, scales.lastReply);
    if (event.type === 'condensation_requested' && event.by === 'context_overflow') scales.refused = sum(scales.total);
    if (event.type === 'message_changed' && event.change !== 'moved') remove(scales, event.message);
    if (event.type === 'settings_changed' && event.model) scales.refused = scales.tooLong = undefined;
    if (event.type === 'condensation') {
      for (const seq of event.forgotten) remove(scales, seq);
      // Where hardly anything could be left out, the length says nothing: condensing again would not help.
      const { refused } = scales;
      if (refused !== undefined && sum(scales.total) < refused * muchShorter)
        scales.tooLong = Math.min(scales.tooLong ?? Infinity, refused);
      scales.refused = undefined;
    }
    add(scales, event.seq, sizesOf(event));
  },
);

/**
 * How full the window is and by what. Costs only the events that are new. `toolCharacters`:
 * of the tool schemas, which no log holds.
 */
export function contextFill(history: History, toolCharacters = 0): ContextFill {
  const { total, reported } = scalesOf(history);
  const characters = { ...total, tools: toolCharacters };
  const count = sum(characters);
  const perCharacter = tokensPerCharacter(history, toolCharacters);
  // The provider's count, plus what was added or removed since. What only the provider knows (its own words around
  // messages) stays counted.
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

/** Share of a request that was too long of which it is held that it would have been read. */
const readableShare = 0.9;

/**
 * Tokens that a request may have, as far as the model of now has refused one for its length; Infinity where it has not.
 */
export function tokensLearned(history: History, toolCharacters = 0): number {
  const { tooLong } = scalesOf(history);
  if (tooLong === undefined) return Infinity;
  return Math.floor((tooLong + toolCharacters) * tokensPerCharacter(history, toolCharacters) * readableShare);
}

/**
 * From what the provider counted for the latest request; held within reason, since
 * a request holds more than the log knows.
 */
export function tokensPerCharacter(history: History, toolCharacters = 0): number {
  const { reported } = scalesOf(history);
  return reported ? Math.min(1, Math.max(0.1, reported.tokens / (reported.characters + toolCharacters))) : 0.25;
}

/** Characters that the model reads of one event; 0 for those it does not read. */
export function charactersOf(history: History): (event: Event) => number {
  const { events } = scalesOf(history);
  return ({ seq }) => sum(events.get(seq) ?? {});
}

/** Characters that the model reads of an event while nothing hides it. */
export const charactersIn = (event: Event): number => sum(sizesOf(event));

function sizesOf(event: Event): Sizes {
  switch (event.type) {
    case 'task_started':
      return { system: systemPromptOf(event).length, messages: readWords(event).length };
    case 'user_message':
      return { messages: readWords(event).length };
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
      const { details, field, text = '' } = event.reasoning ?? {};
      return {
        replies: (event.written ?? event.text).length + calls,
        reasoning: details ? JSON.stringify(details).length : field ? text.length : 0,
      };
    }
    default:
      return {};
  }
}

/** Of several candidates each had a request of its own; the chosen one's is the size of one. */
function requestTokens({ usage, sampling }: Extract<Event, { type: 'agent_response' }>): number | null {
  return sampling ? (sampling.candidates[sampling.chosen]?.usage.inputTokens ?? null) : usage.inputTokens;
}

function add({ total, events }: Scales, seq: number, sizes: Sizes): void {
  const parts = Object.entries(sizes) as [FillPart, number][];
  if (parts.length === 0) return;
  events.set(seq, sizes);
  for (const [part, count] of parts) total[part] += count;
}

function remove({ total, events }: Scales, seq: number): void {
  for (const [part, count] of Object.entries(events.get(seq) ?? {}) as [FillPart, number][]) total[part] -= count;
  events.delete(seq);
}

const sum = (sizes: Sizes): number => Object.values(sizes).reduce((all, count) => all + count, 0);
