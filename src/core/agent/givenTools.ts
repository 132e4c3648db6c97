import type { AddedTool } from '../../protocol/event';
import type { AddedTools } from '../tools/environment';
import type { Tool } from '../tools/tool';
import type { StepContext } from './agent';
import { pendingActions, settingsOf } from './history';

/** Tools that others give, as a log tells of them. */
export const toldOf = (tools: readonly Tool[]): AddedTool[] => tools.flatMap(({ name, description, parameters, from }) => (from ? [{ name, description, parameters, from }] : []));

/** Before the model is asked: what others give is begun, and the log tells what it is now where that is another than before. `offered` is what of it the session may use. */
export async function tellGiven(added: AddedTools, offered: () => readonly Tool[], { history, signal, emit }: StepContext): Promise<void> {
  if (pendingActions(history).length > 0) return;
  await added.prepare(signal);
  signal.throwIfAborted();
  const now = toldOf(offered());
  if (JSON.stringify(now) !== JSON.stringify(settingsOf(history)?.addedTools ?? [])) emit({ type: 'settings_changed', addedTools: now });
}
