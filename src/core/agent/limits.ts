import type { Limits } from '../../protocol/events/event';
import { LimitExceeded } from './interrupt';
import type { Spending } from '../log/spending';

/**
 * Checks the limits before a model call. Returns the limit that the task has reached, or undefined. 0 means no limit,
 * and unknown cost does not count.
 */
export function limitReached({ steps, cost, seconds }: Limits, spent: Spending): LimitExceeded | undefined {
  if (steps > 0 && spent.steps >= steps)
    return new LimitExceeded('steps', `The limit of ${steps} ${steps === 1 ? 'step' : 'steps'} is reached.`);
  if (cost > 0 && (spent.usage.cost ?? 0) >= cost)
    return new LimitExceeded('cost', `The limit of $${cost} is reached.`);
  if (seconds > 0 && spent.seconds >= seconds) return secondsReached(seconds);
  return undefined;
}

export const secondsReached = (seconds: number): LimitExceeded =>
  new LimitExceeded('seconds', `The limit of ${seconds} ${seconds === 1 ? 'second' : 'seconds'} of work is reached.`);
