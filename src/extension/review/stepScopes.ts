import type { ChangeScope } from '../../core/changes/changesOf';
import { stepsOfActions, type ActionPlace } from '../../core/changes/stepsOfActions';
import type { LiveSession } from '../sessions/liveSession';

/** Returns the steps of a session's actions: action ID → place. */
export const stepsIn = (live: LiveSession | undefined): ReadonlyMap<string, ActionPlace> =>
  live ? stepsOfActions(live.conversation.savedHistory) : new Map();

/** The changes of the actions after a step. Step 0 is before the first. */
export function afterStep(live: LiveSession, step: number): ChangeScope {
  const steps = stepsIn(live);
  return {
    // An action missing from the log came after its last event: the end of the log was lost.
    includes: (action) => (steps.get(action)?.step ?? Infinity) > step,
    respectsKept: false,
    untilNow: true,
  };
}
