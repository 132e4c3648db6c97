import type { CommandEnd, FileChange } from '../../src/protocol/events/details';
import type { Action, Event } from '../../src/protocol/events/event';
import type { Spent } from '../../src/protocol/events/figures';
import { addCall, nothingSpent } from './usage';

export interface Changed {
  readonly path: string;
  readonly kind: FileChange['kind'];
  readonly added: number;
  readonly removed: number;
  readonly actionId: string;
  /** How many edits changed it; what they add up to is its net change only where this is one. */
  readonly edits: number;
}
/** A command and how each of its runs ended, in order. */
export interface Ran {
  readonly command: string;
  readonly runs: readonly { readonly exitCode: number | null; readonly end: CommandEnd }[];
}
/**
 * `scripted` is undefined when no event at hand names the model. `complete` is false when the events at hand
 * do not reach back to where the work began.
 */
export interface Summary {
  readonly changes: readonly Changed[];
  readonly commands: readonly Ran[];
  readonly spent: Spent;
  readonly scripted: boolean | undefined;
  readonly durationMs: number;
  readonly complete: boolean;
}

/**
 * What was done since the task began or ended last, as far as the events tell. `events` ends with the `finished` event.
 */
export function summaryOf(events: readonly Event[]): Summary {
  const last = events.findLastIndex((event, index) => event.type === 'finished' && index < events.length - 1);
  const scope = events.slice(last + 1);
  const actions = new Map(
    scope.flatMap((event) =>
      event.type === 'agent_response' ? event.actions.map((action) => [action.id, action] as const) : [],
    ),
  );
  const changes = new Map<string, Changed>();
  const commands = new Map<string, Ran>();
  for (const event of scope) {
    if (event.type !== 'observation') continue;
    if (event.details?.kind === 'edit')
      for (const change of event.details.changes) addChange(changes, change, event.actionId);
    if (event.details?.kind === 'command') {
      const action = actions.get(event.actionId);
      const command = commandOf(action?.input) ?? action?.summary ?? '';
      const runs = [
        ...(commands.get(command)?.runs ?? []),
        { exitCode: event.details.exitCode, end: event.details.end },
      ];
      commands.delete(command); // its place is that of its last run
      commands.set(command, { command, runs });
    }
  }
  return {
    changes: [...changes.values()],
    commands: [...commands.values()],
    spent: scope.reduce(
      (spent, event) => (event.type === 'agent_response' ? addCall(spent, event) : spent),
      nothingSpent,
    ),
    scripted: scriptedBy(events),
    durationMs: Math.max(0, (scope.at(-1)?.at ?? 0) - (scope[0]?.at ?? 0)),
    complete: last >= 0 || scope[0]?.seq === 0,
  };
}

/**
 * The text that a shell of this machine runs for an action, where one does: what others
 * give decides itself what a "command" is.
 */
export const shellCommandOf = ({ input, from }: Pick<Action, 'input' | 'from'>): string | undefined =>
  from ? undefined : commandOf(input);

/** The text a shell would run, when an input has one. */
export function commandOf(input: unknown): string | undefined {
  const command = (input as { command?: unknown } | null | undefined)?.command;
  return typeof command === 'string' ? command : undefined;
}

function addChange(changes: Map<string, Changed>, change: FileChange, actionId: string): void {
  const before = changes.get(change.from ?? change.path);
  if (change.from !== undefined) changes.delete(change.from);
  if (before?.kind === 'created' && change.kind === 'deleted') {
    changes.delete(change.path);
    return;
  }
  const kind =
    before?.kind === 'created'
      ? 'created'
      : before?.kind === 'deleted' && change.kind === 'created'
        ? 'modified'
        : change.kind;
  changes.set(change.path, {
    path: change.path,
    kind,
    added: (before?.added ?? 0) + change.added,
    removed: (before?.removed ?? 0) + change.removed,
    actionId,
    edits: (before?.edits ?? 0) + 1,
  });
}

/** Whether the model at the end was a scripted one. */
function scriptedBy(events: readonly Event[]): boolean | undefined {
  const last = events.findLast(
    (event) => event.type === 'task_started' || (event.type === 'settings_changed' && event.model),
  );
  return last && 'model' in last && typeof last.model === 'object' ? last.model.scripted === true : undefined;
}
