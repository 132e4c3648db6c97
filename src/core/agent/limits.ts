import type { Limits } from '../../protocol/event';
import { LimitExceeded } from './interrupt';
import type { Spending } from './spending';

/** Throws before a model call when the task has used up its allowance. 0 is no limit; cost nobody knows does not count. */
export function checkLimits({ steps, cost, seconds }: Limits, spent: Spending): void {
  if (steps > 0 && spent.steps >= steps) throw new LimitExceeded(`The limit of ${steps} steps is reached.`);
  if (cost > 0 && (spent.usage.cost ?? 0) >= cost) throw new LimitExceeded(`The limit of $${cost} is reached.`);
  if (seconds > 0 && spent.seconds >= seconds) throw secondsReached(seconds);
}

export const secondsReached = (seconds: number): LimitExceeded => new LimitExceeded(`The limit of ${seconds} seconds of work is reached.`);
