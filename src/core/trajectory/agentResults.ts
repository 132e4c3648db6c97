import { AgentResult } from '../../protocol/events/event';
import type { History } from '../log/projection';
import type { TrajectoryFormat } from './format';
import { endOf } from './writing';

/** What the list of results is called in the files of other programs, as AgentFoundation calls it. */
export const resultsField = 'agent_results';

/**
 * The list of results for people with which a run ended, as a field of a foreign
 * file; no field where it ended without one.
 */
export function resultsToWrite(history: History): { [resultsField]?: readonly AgentResult[] } {
  const results = endOf(history)?.results;
  return results === undefined ? {} : { [resultsField]: results };
}

/** The same field, read; nothing where it is absent or holds something else. */
export function resultsIn(holder: unknown): { results?: AgentResult[] } {
  const value = typeof holder === 'object' && holder !== null ? Reflect.get(holder, resultsField) : undefined;
  const results = AgentResult.array().safeParse(value).data;
  return results === undefined ? {} : { results };
}

/** What a run says and a format has no place for, in words for the person who exports it. */
export function leftOut(format: TrajectoryFormat, history: History): readonly string[] {
  const results = endOf(history)?.results ?? [];
  if (results.length === 0 || format.keepsResults === true) return [];
  return [`${format.label} has no place for the list of results (${resultsField}), so it is left out.`];
}
