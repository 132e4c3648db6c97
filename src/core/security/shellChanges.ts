import type { Action, Assessment } from '../../protocol/events/event';
import { projection } from '../log/projection';
import { neverCutOff } from '../ports/cutOff';
import type { RiskAnalyzer } from '../ports/analyzer';
import { agreedPins } from './scripts/pins';
import { commandOf } from '../log/eventFacts';
import { truncate } from '../../protocol/plain/truncate';

interface Ran {
  readonly open: Map<string, Action>;
  readonly started: Set<string>;
  /** Dangerous commands that were run anyway, in order. */
  readonly dangerous: readonly string[];
  /** The last command that made programs load code of the workspace, which is less severe. */
  readonly loading: string | undefined;
}

/** Commands that have run. A command that is assessed again just before it runs does not count. */
const ranBefore = projection<{ -readonly [Key in keyof Ran]: Ran[Key] }>(
  () => ({ open: new Map(), started: new Set(), dangerous: [], loading: undefined }),
  (state, event) => {
    if (event.type === 'agent_response')
      for (const action of event.actions) if (action.effect === 'executes') state.open.set(action.id, action);
    if (event.type === 'confirmation_requested') {
      for (const [id, risk] of Object.entries(event.risks ?? {})) {
        const known = state.open.get(id);
        if (known) state.open.set(id, { ...known, risk });
      }
    }
    if (event.type === 'action_started') state.started.add(event.actionId);
    if (event.type !== 'observation') return;
    const action = state.open.get(event.actionId);
    state.open.delete(event.actionId);
    if (!action || !state.started.delete(event.actionId)) return;
    const command = commandOf(action) ?? '';
    if (exportsPathOfCode.test(command)) state.loading = command;
    if (command !== '' && (action.risk.level === 'high' || action.risk.level === 'unknown'))
      state.dangerous = [...state.dangerous, command];
  },
);

/** The named folders are judged where the variable is set; see environmentNames.ts. */
const exportsPathOfCode = /\bexport\s(?:(?:(?!\bexport\s)[^;&|\n])*\s)?(?:PYTHONPATH|NODE_PATH)=/;

const pin = 'shell';

/**
 * A dangerous command may have left something in the shell that changes the meaning of every later command. The first
 * command after it requires approval for that reason. Approving it covers the following ones, until the shell is
 * changed again.
 */
export const shellChangesAnalyzer: RiskAnalyzer = {
  name: 'shell',
  async assess({
    call: {
      touches: { command },
    },
    environment: { cutOff = neverCutOff },
    history,
  }) {
    const { dangerous, loading } = ranBefore(history);
    if (command === undefined) return undefined;
    const mayLoad: Assessment | undefined =
      loading === undefined
        ? undefined
        : {
            level: 'medium',
            reasons: [`May load code of this project, because a variable was set for that: ${shortCommand(loading)}`],
          };
    if (dangerous.length === 0) return mayLoad;
    const { staysInShell } = await import('../shell/staysInShell');
    const changes = dangerous.filter((text) => cutOff(text, () => staysInShell(text)));
    const last = changes.at(-1);
    if (last === undefined) return mayLoad;
    const hash = await shortSha256(JSON.stringify(changes));
    if (agreedPins(history)[pin] === hash) return mayLoad;
    return {
      level: 'high',
      pins: { [pin]: hash },
      culprit: command,
      reasons: [
        `Runs in a shell that an earlier command changed, so program names may not mean what they say: ${shortCommand(last)}. After you approve this, later commands in that shell do not ask about the change again.`,
      ],
    };
  },
};

const shortCommand = (command: string): string => {
  const line = command.replace(/\s+/g, ' ').trim();
  return truncate(line, 120);
};

async function shortSha256(text: string): Promise<string> {
  return Array.from(
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).slice(0, 12),
    (byte) => byte.toString(16).padStart(2, '0'),
  ).join('');
}
