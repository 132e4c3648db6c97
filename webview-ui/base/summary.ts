import type { CommandEnd, FileChange } from '../../src/protocol/events/details';
import type { Action, Event } from '../../src/protocol/events/event';
import type { PastChange } from '../../src/protocol/panel/panel';
import type { Spent } from '../../src/protocol/events/figures';
import { addCall, nothingSpent } from './usage';
import { commandOfInput } from '../../src/protocol/plain/commandOfInput';

export interface Changed {
  readonly path: string;
  readonly kind: FileChange['kind'];
  readonly added: number;
  readonly removed: number;
  readonly actionId: string;
  /** Number of edits. The sum of their lines is the net change only if this is 1. */
  readonly edits: number;
  /** True if a command changed it last, so that no edit can be shown. */
  readonly isByCommand?: boolean;
  /** True if the file is now as it was before the run. */
  readonly isReverted?: boolean;
}
/** A command and the outcome of each of its runs, in order. */
export interface Ran {
  readonly command: string;
  readonly runs: readonly { readonly exitCode: number | null; readonly end: CommandEnd }[];
}
/**
 * `scripted` is undefined if no loaded event names the model. `complete` is false if the loaded events do not reach
 * back to the start of the work.
 */
export interface Summary {
  /** Ids of the actions. */
  readonly actions: ReadonlySet<string>;
  readonly changes: readonly Changed[];
  readonly commands: readonly Ran[];
  readonly spent: Spent;
  readonly scripted: boolean | undefined;
  readonly durationMs: number;
  readonly complete: boolean;
  /** True if Waymark tried to condense the conversation, and nothing in it could be removed. */
  readonly isShortest: boolean;
}

/**
 * Summarizes the work since the task last began or ended, as far as the events show it. `events` ends with the
 * `finished` event.
 */
export function summarizeRun(events: readonly Event[]): Summary {
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
      const command = commandOfInput(action?.input) ?? action?.summary ?? '';
      const runs = [
        ...(commands.get(command)?.runs ?? []),
        { exitCode: event.details.exitCode, end: event.details.end },
      ];
      commands.delete(command); // sorted by the last run
      commands.set(command, { command, runs });
    }
  }
  return {
    actions: new Set(actions.keys()),
    changes: [...changes.values()],
    commands: [...commands.values()],
    spent: scope.reduce(
      (spent, event) => (event.type === 'agent_response' ? addCall(spent, event) : spent),
      nothingSpent,
    ),
    scripted: scriptedBy(events),
    durationMs: Math.max(0, (scope.at(-1)?.at ?? 0) - (scope[0]?.at ?? 0)),
    complete: last >= 0 || scope[0]?.seq === 0,
    isShortest: scope.findLast((event) => event.type === 'condensation')?.forgotten.length === 0,
  };
}

/**
 * Adds what commands of the run changed to what tools edited, and which files are as before the run. The journal has no
 * lines of the changes.
 */
export function withPast({ actions, changes }: Summary, past: readonly PastChange[]): readonly Changed[] {
  const all = new Map(changes.map((change) => [change.path, change]));
  const reverted = new Map<string, boolean>();
  for (const { action, shown, kind, byCommand, reverted: isReverted = false } of past) {
    if (!actions.has(action)) continue;
    // The state before the run is that before the first change.
    if (!reverted.has(shown)) reverted.set(shown, isReverted);
    if (!byCommand) continue;
    addChange(all, { path: shown, kind, added: 0, removed: 0 }, action);
    const changed = all.get(shown);
    // Its lines are not known.
    if (changed) all.set(shown, { ...changed, edits: changed.edits + 1, isByCommand: true });
  }
  return [...all.values()].map((change) => ({ ...change, isReverted: reverted.get(change.path) ?? false }));
}

/**
 * Returns the command that a shell on this machine runs for an action, if any. Added tools define for themselves what a
 * "command" is.
 */
export const shellCommandOf = ({ input, from }: Pick<Action, 'input' | 'from'>): string | undefined =>
  from ? undefined : commandOfInput(input);

type Edit = Pick<FileChange, 'path' | 'from' | 'kind' | 'added' | 'removed'>;

function addChange(changes: Map<string, Changed>, change: Edit, actionId: string): void {
  const before = changes.get(change.from ?? change.path);
  if (change.from !== undefined) changes.delete(change.from);
  if (before?.kind === 'created' && change.kind === 'deleted') {
    changes.delete(change.path);
    return;
  }
  const isThereAgain = before?.kind === 'deleted' && change.kind === 'created';
  const sinceBefore = isThereAgain ? 'modified' : change.kind;
  const kind = before?.kind === 'created' ? 'created' : sinceBefore;
  changes.set(change.path, {
    path: change.path,
    kind,
    added: (before?.added ?? 0) + change.added,
    removed: (before?.removed ?? 0) + change.removed,
    actionId,
    edits: (before?.edits ?? 0) + 1,
  });
}

/** True if the latest model was a scripted one. */
function scriptedBy(events: readonly Event[]): boolean | undefined {
  const last = events.findLast(
    (event) => event.type === 'task_started' || (event.type === 'settings_changed' && event.model),
  );
  return last && 'model' in last && typeof last.model === 'object' ? last.model.scripted === true : undefined;
}
