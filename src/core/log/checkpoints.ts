import type { Checkpoint } from '../../protocol/events/event';
import { projection, type History } from './projection';

interface Control {
  pauseRequested: boolean;
  stepping: boolean;
  /** A half of a step has been completed since the run was let go. */ completed: boolean;
  /** Actions of the last reply that have no result yet. */ open: number;
  all: number;
}

/** How a run is held, for `readAhead`. */
export const controlOf = projection<Control>(
  () => ({ pauseRequested: false, stepping: false, completed: false, open: 0, all: 0 }),
  (control, event) => {
    switch (event.type) {
      case 'pause_requested':
        control.pauseRequested = true;
        break;
      case 'settings_changed':
        if (event.stepping === undefined) break;
        control.stepping = event.stepping;
        if (!event.stepping) control.pauseRequested = false;
        break;
      case 'resumed':
      case 'paused':
      case 'finished':
        control.pauseRequested = false;
        control.completed = false;
        break;
      case 'user_message':
      case 'confirmation_resolved':
        control.completed = false;
        break;
      case 'agent_response':
        control.open = control.all = event.actions.length;
        control.completed = true;
        break;
      case 'observation':
        control.open--;
        if (control.open === 0) control.completed = true;
        break;
    }
  },
);

/**
 * Where the run has to halt now; undefined while it may go on. A person's controls are events, so nothing is lost
 * or counted twice however fast they come.
 */
export function checkpointReached(history: History): Checkpoint | undefined {
  const { pauseRequested, stepping, completed, open, all } = controlOf(history);
  const begun = open > 0 && open < all;
  if (!pauseRequested && !(stepping && completed && !begun)) return undefined;
  return open > 0 ? 'before_acting' : 'before_reasoning';
}

/** Whether the run halts at every checkpoint. */
export const isStepping = (history: History): boolean => controlOf(history).stepping;

/** Whether it will halt at the next one. */
export const pauseIsRequested = (history: History): boolean => controlOf(history).pauseRequested;
