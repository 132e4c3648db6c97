import type { Action } from '../../protocol/event';
import { projection } from '../agent/projection';
import type { RiskAnalyzer } from './analyzers';
import { agreedPins } from './scripts/pins';

/** Dangerous commands that were run although they are, in order. */
const ranAnyway = projection<{ open: Map<string, Action>; ran: string[] }>(() => ({ open: new Map(), ran: [] }), (state, event) => {
  if (event.type === 'agent_response') for (const action of event.actions) if (action.effect === 'executes') state.open.set(action.id, action);
  if (event.type === 'confirmation_requested') for (const [id, risk] of Object.entries(event.risks ?? {})) { const known = state.open.get(id); if (known) state.open.set(id, { ...known, risk }); }
  if (event.type === 'action_started') {
    const action = state.open.get(event.actionId);
    if (action && (action.risk.level === 'high' || action.risk.level === 'unknown')) state.ran = [...state.ran, commandIn(action.input)].filter(Boolean);
  }
  if (event.type === 'observation') state.open.delete(event.actionId);
});

const commandIn = (input: unknown): string => (typeof input === 'object' && input !== null && 'command' in input ? String(input.command) : '');

const pin = 'shell';

/**
 * What a dangerous command left in the shell may make another of every later one. The first command after it is asked about with
 * that in mind; a person who agrees to it agrees for those that follow, until the shell is changed again.
 */
export const shellChangesAnalyzer: RiskAnalyzer = {
  name: 'shell',
  async assess({ call: { touches: { command } }, history }) {
    const { ran } = ranAnyway(history);
    if (command === undefined || ran.length === 0) return undefined;
    const { staysInShell } = await import('./command/staysInShell');
    const changes = ran.filter(text => staysInShell(text));
    const last = changes.at(-1);
    if (last === undefined) return undefined;
    const hash = await hashOf(JSON.stringify(changes));
    if (agreedPins(history)[pin] === hash) return undefined;
    return {
      level: 'high', pins: { [pin]: hash }, culprit: command,
      reasons: [`An earlier command changed the shell that this one runs in, so programs may not be what their names say: ${shown(last)}. Once this is agreed to, later commands run there without being asked about for that.`],
    };
  },
};

const shown = (command: string): string => { const line = command.replace(/\s+/g, ' ').trim(); return line.length > 120 ? `${line.slice(0, 120)}…` : line; };

async function hashOf(text: string): Promise<string> {
  return Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).slice(0, 12), byte => byte.toString(16).padStart(2, '0')).join('');
}
