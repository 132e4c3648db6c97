import type { Details } from '../../protocol/events/details';
import type { Action } from '../../protocol/events/event';
import { policyIn } from '../risk/confirmation';
import { decisionOn } from '../log/openActions';
import { settingsOf, type RunSettings } from '../log/runSettings';
import { projection, type History } from '../log/projection';
import type { Tool } from '../ports/tool';
import type { RiskAnalyzer } from '../ports/analyzer';

/**
 * Returns whether an action may run outside the sandbox. Only an explicit decision of a person about this action allows
 * it. A plain approval, a standing permission or a mode without approvals keeps it inside.
 */
export function mayLeaveSandbox(actionId: string, history: History): boolean {
  const decision = decisionOn(actionId, history);
  return decision?.approved === true && decision.by === 'person' && decision.outside?.includes(actionId) === true;
}

type Denial = 'network' | 'files';
interface Denied {
  readonly action: Action;
  readonly from: Denial;
}

/**
 * Commands that the sandbox blocked on their last run, and those that then ran outside. A rejected command is removed:
 * it may be tried inside again.
 */
const deniedIn = projection<{ actions: Map<string, Action>; denied: Denied[] }>(
  () => ({ actions: new Map(), denied: [] }),
  (state, event) => {
    if (event.type === 'agent_response')
      for (const action of event.actions) if (action.effect === 'executes') state.actions.set(action.id, action);
    if (event.type !== 'observation') return;
    const action = state.actions.get(event.actionId);
    state.actions.delete(event.actionId);
    if (!action) return;
    const before = state.denied.find((each) => sameCall(each.action, action));
    state.denied = state.denied.filter((each) => each !== before);
    const details = event.details?.kind === 'command' ? event.details : undefined;
    const from = details?.denied ?? (details?.sandbox === 'outside' ? before?.from : undefined);
    if (from) state.denied.push({ action, from });
  },
);

const sameCall = (a: Action, b: Action): boolean =>
  a.tool === b.tool && JSON.stringify(a.input) === JSON.stringify(b.input);

/**
 * Returns what the sandbox blocked on the last run of this command. Returns undefined if nothing was blocked or it
 * never ran.
 */
export function lastDenial(tool: Tool, command: string, history: History): Denial | undefined {
  const isSame = ({ action }: Denied): boolean =>
    action.tool === tool.name && tool.bind(action.input).touches.command === command;
  return deniedIn(history).denied.find(isSame)?.from;
}

const denialReasons: Record<Denial, string> = {
  network: 'Failed in the sandbox, which has no network except for allowed domains',
  files: 'Failed in the sandbox, which can write only the workspace, except files that other programs obey',
};

/** Requires approval if a command that the sandbox blocked is called again. Only a person can let it out. */
export const sandboxAnalyzer: RiskAnalyzer = {
  name: 'sandbox',
  assess({
    tool,
    call: {
      touches: { command, types },
    },
    history,
  }) {
    if (command === undefined || types) return undefined;
    const denied = lastDenial(tool, command, history);
    return denied && { level: 'high', weight: 'caution', reasons: [`${denialReasons[denied]}.`], culprit: command };
  },
};

const missing: Record<Denial, string> = {
  network: 'there is no network except for allowed domains',
  files: 'only the workspace can be written, except files that other programs obey',
};

/** Returns what the model is told about a denial, or an empty string if there was none. */
export function denialWords(details: Details | undefined, history: History): string {
  if (details?.kind !== 'command' || !details.denied) return '';
  return `\n[The sandbox blocked something: inside, ${missing[details.denied]}. ${whatToDo(settingsOf(history)!)}]`;
}

/** In human mode, the text is read by a person, too. */
function whatToDo(settings: RunSettings): string {
  if (settings.mode === 'human') return `To run it outside the sandbox, type it again after ${outsidePrefix}.`;
  if (policyIn(settings) === 'never')
    return 'This mode asks nobody, so nothing runs outside the sandbox. Find another way, or say what is needed.';
  return 'If it is needed, call it again unchanged. The user is then asked whether it may run outside.';
}

/** Prefix for a command typed in human mode that may run outside the sandbox. */
export const outsidePrefix = '/o';

/** Parses a line typed in human mode: the command, and whether it may run outside the sandbox. */
export function typedCommand(text: string): { readonly command: string; readonly outside: boolean } {
  const [, command] = /^\/o[ \t]+(\S[^]*)$/.exec(text) ?? [];
  return command === undefined ? { command: text, outside: false } : { command, outside: true };
}
