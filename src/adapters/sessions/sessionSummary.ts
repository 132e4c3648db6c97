import { settingsOf, statusOf, type History } from '../../core/log/history';
import { spentBy } from '../../core/log/spending';
import type { EventOf } from '../../protocol/events/event';
import type { Status } from '../../protocol/panel/panel';

/**
 * One line of the session list. Everything in it is read from the log; the index
 * beside the logs only saves reading them again.
 */
export interface SessionSummary {
  readonly id: string;
  readonly title: string;
  readonly status: Status;
  readonly steps: number;
  readonly cost: number | null;
  /** How a finished one ended. */
  readonly end?: EventOf<'finished'>['status'];
  /** Files that its edits changed; absent where that is none. */
  readonly files?: number;
  /** Seconds of work: not the time a person took. */
  readonly seconds?: number;
  /** Milliseconds since 1970 of the last event. */
  readonly updatedAt: number;
  /** The session that this one works for; absent for one that went on from such a session, for the person alone. */
  readonly parent?: string;
  /** The session that this one went on from, after its event `seq`. */
  readonly fork?: { readonly session: string; readonly seq: number };
  /**
   * Its log is not as it was left: damaged, changed, cut short or replaced. The rest is
   * what was known before, where anything was.
   */
  readonly unsound?: boolean;
}

/** Undefined for a log without a task. */
export function summarise(id: string, history: History, fork?: SessionSummary['fork']): SessionSummary | undefined {
  const settings = settingsOf(history);
  if (!settings) return undefined;
  const { steps, usage, seconds } = spentBy(history);
  const last = history.at(-1)!;
  const files = changedFiles(history);
  const parent = history.find((event) => event.type === 'task_started')?.parent?.session;
  return {
    id,
    title: settings.title,
    status: statusOf(history),
    steps,
    cost: usage.cost,
    updatedAt: last.at,
    ...(last.type === 'finished' && { end: last.status }),
    ...(files > 0 && { files }),
    ...(seconds >= 1 && { seconds: Math.round(seconds) }),
    ...(parent !== undefined && !fork && { parent }),
    ...(fork && { fork }),
  };
}

/** How many files edits changed. */
function changedFiles(history: History): number {
  const paths = new Set<string>();
  for (const event of history)
    if (event.type === 'observation' && event.details?.kind === 'edit')
      for (const { path } of event.details.changes) paths.add(path);
  return paths.size;
}
