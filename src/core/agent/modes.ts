import type { Action, ConfirmationMode, Mode } from '../../protocol/event';
import type { Tool } from '../tools/tool';
import type { RunSettings } from './history';

/** Whether the model hears of a tool. What is only planned needs none that writes. */
export const offeredIn = (mode: Mode, { effect }: Tool): boolean => mode !== 'plan' || effect !== 'writes';

/** Why an action may not run in a mode; undefined where it may. */
export function forbiddenIn(mode: Mode, { effect, risk }: Action): string | undefined {
  if (mode !== 'plan') return undefined;
  if (effect === 'writes') return 'In plan mode nothing is changed. Say what should be changed instead; the user leaves plan mode when it is to be done.';
  if (effect === 'executes' && risk.level !== 'low') return 'In plan mode only commands that look run, and this one may change something. Find it out by reading.';
  return undefined;
}

/** How consent is decided on. */
export const policyIn = ({ mode, confirmation }: Pick<RunSettings, 'mode' | 'confirmation'>): ConfirmationMode => (mode === 'auto' ? 'never' : confirmation);

/** What the model is told when the mode changes; empty where it need not know. */
export function modeChange(from: Mode | undefined, to: Mode): string {
  if (to === 'plan') return 'Plan mode: look and think, but change nothing and run nothing that changes anything. Answer with a plan.';
  return from === 'plan' ? 'Plan mode is over: carry the plan out.' : '';
}
