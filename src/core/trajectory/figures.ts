import type { EventOf } from '../../protocol/events/event';
import type { FigurePoint, Figures } from '../../protocol/inspector/inspector';
import { addKnown } from '../log/spending';
import { settingsOf } from '../log/runSettings';
import type { History } from '../log/projection';
import { charactersIn, contextWindowIn } from '../condense/contextFill';
import { runGraph } from './runGraph';
import { stepsOf } from './steps';

/** Maximum number of points in a chart; more would be indistinguishable. */
const maxPoints = 240;

/** Estimate for requests whose tokens nobody counted. */
const charactersPerToken = 4;

/** Returns the data for the charts of a run. */
export function figuresOf(history: History): Figures {
  return {
    points: withinLimit(pointsOf(history)),
    contextWindow: contextWindowIn(history, settingsOf(history)?.model.contextWindow ?? null),
    graph: runGraph(history),
  };
}

/** Returns one point for each model call, and for each action that a person typed instead. */
function pointsOf(history: History): FigurePoint[] {
  const { rows, owner } = stepsOf(history);
  const points = new Map<number, FigurePoint>();
  /** Number of characters that the model reads of each event, and in total. */
  const sizes = new Map<number, number>();
  let characters = 0;
  let lastReply = -1;
  const forget = (seq: number): void => {
    characters -= sizes.get(seq) ?? 0;
    sizes.delete(seq);
  };
  for (const event of history) {
    const place = owner[event.seq]!;
    if (event.type === 'agent_response') {
      points.set(place, pointOf(event, rows[place]?.number ?? 0, characters));
      lastReply = event.seq;
    }
    if (event.type === 'observation' && event.durationMs) {
      const point = points.get(place);
      if (point) points.set(place, { ...point, actionMs: point.actionMs + event.durationMs });
    }
    if (event.type === 'feedback' && event.hidesReply) forget(lastReply);
    if (event.type === 'condensation') {
      event.forgotten.forEach(forget);
      for (const { seq, content } of event.shortened ?? []) {
        forget(seq);
        sizes.set(seq, content.length);
        characters += content.length;
      }
    }
    const size = charactersIn(event);
    if (size > 0) {
      sizes.set(event.seq, size);
      characters += size;
    }
  }
  return [...points.values()];
}

/** `characters`: number of characters that the request contained. */
function pointOf(
  { seq, usage, durationMs, sampling }: EventOf<'agent_response'>,
  number: number,
  characters: number,
): FigurePoint {
  // With several candidates, `usage` is the sum of their requests and those of the judge.
  const chosenUsage = sampling ? sampling.candidates[sampling.chosen]?.usage : usage;
  const cached = usage.cachedTokens;
  return {
    number,
    count: 1,
    seq,
    modelMs: durationMs,
    actionMs: 0,
    inputTokens: usage.inputTokens === null ? null : Math.max(0, usage.inputTokens - (cached ?? 0)),
    cachedTokens: cached,
    outputTokens: usage.outputTokens,
    cost: usage.cost,
    context: chosenUsage?.inputTokens ?? Math.round(characters / charactersPerToken),
  };
}

/** Merges neighboring points if there are too many. */
function withinLimit(points: readonly FigurePoint[]): FigurePoint[] {
  const groupSize = Math.ceil(points.length / maxPoints);
  if (groupSize <= 1) return [...points];
  const groupCount = Math.ceil(points.length / groupSize);
  return Array.from({ length: groupCount }, (_, group) =>
    points.slice(group * groupSize, (group + 1) * groupSize).reduce(addPoints),
  );
}

const addPoints = (sum: FigurePoint, point: FigurePoint): FigurePoint => ({
  ...sum,
  count: sum.count + 1,
  modelMs: sum.modelMs + point.modelMs,
  actionMs: sum.actionMs + point.actionMs,
  inputTokens: addKnown(sum.inputTokens, point.inputTokens),
  cachedTokens: addKnown(sum.cachedTokens, point.cachedTokens),
  outputTokens: addKnown(sum.outputTokens, point.outputTokens),
  cost: addKnown(sum.cost, point.cost),
  context: Math.max(sum.context, point.context),
});
