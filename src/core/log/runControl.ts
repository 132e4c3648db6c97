import type { Checkpoint } from '../../protocol/events/event';
import { projection, type History } from './projection';

interface Control {
  pauseRequested: boolean;
  stepping: boolean;
  /** Half a step has completed since the run was last released. */ completed: boolean;
  /** Actions of the last reply without a result. */ open: number;
  all: number;
}

/** How a run is paused or stepped, for `readAhead`. */
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
 * Returns the checkpoint at which the run has to halt now, or undefined if it may continue. Controls are events, so
 * none is lost or counted twice, however quickly they arrive.
 */
export function checkpointReached(history: History): Checkpoint | undefined {
  const { pauseRequested, stepping, completed, open, all } = controlOf(history);
  const begun = open > 0 && open < all;
  if (!pauseRequested && !(stepping && completed && !begun)) return undefined;
  return open > 0 ? 'before_acting' : 'before_reasoning';
}

/** True if the run halts at every checkpoint. */
export const isStepping = (history: History): boolean => controlOf(history).stepping;

/** True if the run will halt at the next checkpoint. */
export const pauseIsRequested = (history: History): boolean => controlOf(history).pauseRequested;
