import type { Action } from '../../protocol/events/event';
import type { History } from '../log/projection';
import { stepsOfActions } from './stepsOfActions';

/** What a restore of files cannot take back, read from the facts of the log. */
export interface LedgerEntry {
  readonly actionId: string;
  readonly step: number;
  readonly kind: 'network' | 'git' | 'packages' | 'outside' | 'running' | 'other_tool' | 'unknown_end';
  /** For a person: what stays as it is. */
  readonly words: string;
  /** The command or call in a line. */
  readonly summary: string;
}

/** In the order of the log. `includes` chooses the actions. */
export function ledgerOf(history: History, includes: (action: string) => boolean = () => true): LedgerEntry[] {
  const steps = stepsOfActions(history);
  const actions = new Map<string, Action>();
  const started = new Set<string>();
  const risks = new Map<string, Action['risk']>();
  const entries: LedgerEntry[] = [];
  for (const event of history) {
    if (event.type === 'agent_response') for (const action of event.actions) actions.set(action.id, action);
    if (event.type === 'action_started') started.add(event.actionId);
    if (event.type === 'confirmation_requested')
      for (const [id, risk] of Object.entries(event.risks ?? {})) risks.set(id, risk);
    if (event.type !== 'observation' || !started.has(event.actionId) || !includes(event.actionId)) continue;
    const action = actions.get(event.actionId);
    if (!action || event.outcome === 'rejected' || event.outcome === 'skipped') continue;
    const { id: actionId, summary } = action;
    const step = steps.get(actionId)?.step ?? 0;
    const stays = { ...action, risk: risks.get(actionId) ?? action.risk };
    for (const { kind, words } of [...lastingOf(stays), ...endOf(event)])
      entries.push({ actionId, step, kind, words, summary });
  }
  return entries;
}

type Lasting = Pick<LedgerEntry, 'kind' | 'words'>;

function lastingOf({ risk, from, effect }: Action): Lasting[] {
  const categories = new Set(risk.categories ?? []);
  const network = risk.reach?.network ?? [];
  const found: Lasting[] = [];
  if (categories.has('network') || network.length > 0)
    found.push({
      kind: 'network',
      words: network.length > 0 ? `Reached the network: ${network.slice(0, 3).join(', ')}.` : 'Reached the network.',
    });
  if (categories.has('git_history'))
    found.push({ kind: 'git', words: 'Changed the history or the remotes of a Git repository.' });
  if (categories.has('packages')) found.push({ kind: 'packages', words: 'Installed or removed packages.' });
  if (categories.has('outside'))
    found.push({ kind: 'outside', words: 'May have changed files outside the workspace.' });
  if (from !== undefined && effect !== 'reads')
    found.push({ kind: 'other_tool', words: `${from.source} did this; what it changed elsewhere is not known.` });
  return found;
}

function endOf(event: Extract<History[number], { type: 'observation' }>): Lasting[] {
  if (event.outcome === 'unknown')
    return [{ kind: 'unknown_end', words: 'The program ended while this ran; whether it took effect is not known.' }];
  const { details } = event;
  if (details?.kind !== 'command') return [];
  const mayRun = details.end === 'waiting_for_input' || details.end === 'timed_out';
  return mayRun ? [{ kind: 'running', words: 'May have left a process running.' }] : [];
}
