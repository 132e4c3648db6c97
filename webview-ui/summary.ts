import type { CommandEnd, FileChange } from '../src/protocol/details';
import type { Event, Usage } from '../src/protocol/event';

export interface Changed { readonly path: string; readonly kind: FileChange['kind']; readonly added: number; readonly removed: number; readonly actionId: string }
export interface Ran { readonly command: string; readonly exitCode: number | null; readonly end: CommandEnd; readonly durationMs: number }
/** `complete` is false when the events at hand do not reach back to where the work began. */
export interface Summary { readonly changes: readonly Changed[]; readonly commands: readonly Ran[]; readonly usage: Usage; readonly steps: number; readonly durationMs: number; readonly complete: boolean }

/** What was done since the task began or ended last, as far as the events tell. `events` ends with the `finished` event. */
export function summaryOf(events: readonly Event[]): Summary {
  const last = events.findLastIndex((event, index) => event.type === 'finished' && index < events.length - 1);
  const scope = events.slice(last + 1);
  const actions = new Map(scope.flatMap(event => event.type === 'agent_response' ? event.actions.map(action => [action.id, action] as const) : []));
  const changes = new Map<string, Changed>();
  const commands: Ran[] = [];
  for (const event of scope) {
    if (event.type !== 'observation') continue;
    if (event.details?.kind === 'edit') for (const change of event.details.changes) addChange(changes, change, event.actionId);
    if (event.details?.kind === 'command') {
      const action = actions.get(event.actionId);
      commands.push({ command: commandOf(action?.input) ?? action?.summary ?? '', exitCode: event.details.exitCode, end: event.details.end, durationMs: event.details.durationMs });
    }
  }
  const responses = scope.filter(event => event.type === 'agent_response');
  return {
    changes: [...changes.values()], commands, steps: responses.length,
    usage: responses.map(response => response.usage).reduce(addUsage, { inputTokens: 0, outputTokens: 0, cachedTokens: 0, cost: 0 }),
    durationMs: Math.max(0, (scope.at(-1)?.at ?? 0) - (scope[0]?.at ?? 0)),
    complete: last >= 0 || scope[0]?.seq === 0,
  };
}

/** The text a shell would run, when an input has one. */
export function commandOf(input: unknown): string | undefined {
  const command = (input as { command?: unknown } | null | undefined)?.command;
  return typeof command === 'string' ? command : undefined;
}

function addChange(changes: Map<string, Changed>, change: FileChange, actionId: string): void {
  const before = changes.get(change.path);
  if (before?.kind === 'created' && change.kind === 'deleted') { changes.delete(change.path); return; }
  const kind = before?.kind === 'created' ? 'created' : before?.kind === 'deleted' && change.kind === 'created' ? 'modified' : change.kind;
  changes.set(change.path, { path: change.path, kind, added: (before?.added ?? 0) + change.added, removed: (before?.removed ?? 0) + change.removed, actionId });
}

/** Unknown plus anything is unknown. */
const sum = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b);
const addUsage = (a: Usage, b: Usage): Usage => ({
  inputTokens: sum(a.inputTokens, b.inputTokens), outputTokens: sum(a.outputTokens, b.outputTokens), cachedTokens: sum(a.cachedTokens, b.cachedTokens), cost: sum(a.cost, b.cost),
});
