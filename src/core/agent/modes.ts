import type { Mode } from '../../protocol/events/event';
import { placeOfCommand } from '../security/commandAnalyzer';
import { loadCommandAnalysis } from '../security/commandAnalysis';
import type { Environment } from '../ports/environment';
import type { History } from '../log/projection';
import type { ResolvedAction } from './acting/resolvedAction';
import { truncate } from '../../protocol/plain/truncate';

const pathOfPlan = 'Add it to the plan as a step; it can run once the user leaves plan mode.';

/**
 * Returns why an action may not run in a mode, or undefined if it may. Commands are judged by the programs they start,
 * not by their recorded risk.
 */
export async function whyForbiddenIn(
  mode: Mode,
  { action: { effect, risk }, call }: ResolvedAction,
  environment: Environment,
  history: History,
): Promise<string | undefined> {
  if (mode !== 'plan') return undefined;
  if (effect === 'writes')
    return 'Plan mode does not allow changes. Describe the change instead; you can make it once the user leaves plan mode.';
  if (effect !== 'executes') return undefined;
  const command = call?.touches.command;
  await loadCommandAnalysis();
  const { partNotReadOnly } = await import('../shell/onlyReads');
  const more = command === undefined ? undefined : partNotReadOnly(command, await placeOfCommand(environment, history));
  if (more !== undefined)
    return `Plan mode runs no project code, only commands that read, such as ls, cat, rg, find and git log or diff. "${shorten(more)}" is not one of them: it may load or start project code. Read the files instead. ${pathOfPlan}`;
  if (risk.level !== 'low')
    return `Plan mode runs only read-only commands, and this one may change something or reveal secrets. Read the files instead. ${pathOfPlan}`;
  return undefined;
}

const shorten = (text: string): string => truncate(text, 120);

/** Message to the model when the mode changes, or an empty string if it does not need to know. */
export function modeChangeMessage(from: Mode | undefined, to: Mode): string {
  if (to === 'plan')
    return 'Plan mode: read and think, but change nothing and run no project code (no tests, builds, scripts or package managers). Answer with a plan, or the answer to a question.';
  return from === 'plan' ? 'Plan mode has ended: carry out the plan.' : '';
}
