import { AgentResult } from '../../protocol/events/event';
import type { History } from '../log/projection';
import type { TrajectoryFormat } from './format';
import { finishedEvent } from './writing';

/** Name of the field with the list of results in files of other programs; the same as in AgentFoundation. */
export const resultsField = 'agent_results';

/**
 * Returns the list of results for people with which a run ended, as a field of a foreign file. Returns an empty object
 * if the run ended without one.
 */
export function resultsToWrite(history: History): { [resultsField]?: readonly AgentResult[] } {
  const results = finishedEvent(history)?.results;
  return results === undefined ? {} : { [resultsField]: results };
}

/** Reads the same field; returns an empty object if it is absent or has another type. */
export function resultsIn(holder: unknown): { results?: AgentResult[] } {
  const value = typeof holder === 'object' && holder !== null ? Reflect.get(holder, resultsField) : undefined;
  const results = AgentResult.array().safeParse(value).data;
  return results === undefined ? {} : { results };
}

/** Lists what a run contains and a format cannot store, worded for the person who exports it. */
export function leftOut(format: TrajectoryFormat, history: History): readonly string[] {
  const results = finishedEvent(history)?.results ?? [];
  if (results.length === 0 || format.keepsResults === true) return [];
  return [`${format.label} cannot store the list of results (${resultsField}), so it is omitted.`];
}
