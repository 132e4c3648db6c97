import type { Details } from '../../protocol/details';
import type { Action } from '../../protocol/event';
import { policyIn } from '../agent/modes';
import { decisionOn, settingsOf } from '../agent/history';
import { projection, type History } from '../agent/projection';
import type { RiskAnalyzer } from './analyzers';

/**
 * Whether an action may run outside the sandbox, where there is one: when somebody consented to it although it was judged to be
 * dangerous, or typed it. What no one is asked about stays inside, dangerous or not.
 */
export function mayLeaveSandbox({ id, risk }: Action, history: History): boolean {
  if (decisionOn(id, history)?.approved !== true) return false;
  const reply = history.findLast(event => event.type === 'agent_response' && event.actions.some(action => action.id === id));
  return risk.level === 'high' || risk.level === 'unknown' || (reply?.type === 'agent_response' && reply.by === 'person');
}

type Denial = 'network' | 'files';
interface Denied { readonly action: Action; readonly from: Denial }

/** Commands that were kept from something when they ran last, and those that ran outside then. A refusal takes one off: it may be tried inside again. */
const deniedIn = projection<{ actions: Map<string, Action>; denied: Denied[] }>(() => ({ actions: new Map(), denied: [] }), (state, event) => {
  if (event.type === 'agent_response') for (const action of event.actions) if (action.effect === 'executes') state.actions.set(action.id, action);
  if (event.type !== 'observation') return;
  const action = state.actions.get(event.actionId);
  state.actions.delete(event.actionId);
  if (!action) return;
  const before = state.denied.find(each => sameCall(each.action, action));
  state.denied = state.denied.filter(each => each !== before);
  const details = event.details?.kind === 'command' ? event.details : undefined;
  const from = details?.denied ?? (details?.sandbox === 'outside' ? before?.from : undefined);
  if (from) state.denied.push({ action, from });
});

const sameCall = (a: Action, b: Action): boolean => a.tool === b.tool && JSON.stringify(a.input) === JSON.stringify(b.input);

const missed: Record<Denial, string> = { network: 'there is no network but for allowed domains', files: 'only the workspace can be written, and not what other programs obey' };

/** A command that the sandbox kept from something asks when it is called again: approved, it runs outside. */
export const sandboxAnalyzer: RiskAnalyzer = {
  name: 'sandbox',
  assess({ tool, call: { touches: { command } }, history }) {
    if (command === undefined) return undefined;
    const before = deniedIn(history).denied.find(({ action }) => action.tool === tool.name && tool.bind(action.input).touches.command === command);
    return before && { level: 'high', reasons: [`It failed in the sandbox, where ${missed[before.from]}. Approved, it runs outside the sandbox, with all rights of this account.`], culprit: command };
  },
};

/** What the model is told about a denial; empty where there was none. */
export function denialWords(details: Details | undefined, history: History): string {
  if (details?.kind !== 'command' || !details.denied) return '';
  const next = policyIn(settingsOf(history)!) === 'never'
    ? 'Nobody is asked in this mode, so nothing runs outside the sandbox: find another way, or say what is needed.'
    : 'If it is needed, call it again unchanged: the user is then asked whether it may run outside.';
  return `\n[The sandbox kept it from something: inside, ${missed[details.denied]}. ${next}]`;
}
