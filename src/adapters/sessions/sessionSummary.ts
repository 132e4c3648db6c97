import { settingsOf, statusOf, type History } from '../../core/log/history';
import { sessionSpending } from '../../core/log/spending';
import type { EventOf } from '../../protocol/events/event';
import type { Status } from '../../protocol/panel/panel';

/**
 * One entry of the session list. All of it is read from the log; the index beside the logs only saves reading them
 * again.
 */
export interface SessionSummary {
  readonly id: string;
  readonly title: string;
  readonly status: Status;
  readonly steps: number;
  readonly cost: number | null;
  /** How a finished session ended. */
  readonly end?: EventOf<'finished'>['status'];
  /** Number of files that its edits changed; absent if there are none. */
  readonly files?: number;
  /** Working time in seconds, without the time spent waiting for the user. */
  readonly seconds?: number;
  /** Time of the last event, in ms since 1970. */
  readonly updatedAt: number;
  /** The session for which this one works; absent for a fork of such a session that the user started. */
  readonly parent?: string;
  /** The session from which this one was forked, after its event `seq`. */
  readonly fork?: { readonly session: string; readonly seq: number };
  /**
   * True if its log was damaged, changed, truncated or replaced. The other fields are what was known before, if
   * anything.
   */
  readonly unsound?: boolean;
}

/** Returns undefined for a log without a task. */
export function summarise(id: string, history: History, fork?: SessionSummary['fork']): SessionSummary | undefined {
  const settings = settingsOf(history);
  if (!settings) return undefined;
  const { steps, usage, seconds } = sessionSpending(history);
  const last = history.at(-1)!;
  const status = statusOf(history);
  // What a person undid or applied after the end does not change how the run ended.
  const end = status === 'finished' ? history.findLast((event) => event.type === 'finished') : undefined;
  const files = changedFiles(history);
  const parent = history.find((event) => event.type === 'task_started')?.parent?.session;
  return {
    id,
    title: settings.title,
    status,
    steps,
    cost: usage.cost,
    updatedAt: last.at,
    ...(end !== undefined && { end: end.status }),
    ...(files > 0 && { files }),
    ...(seconds >= 1 && { seconds: Math.round(seconds) }),
    ...(parent !== undefined && !fork && { parent }),
    ...(fork && { fork }),
  };
}

/** Returns how many files edits changed. */
function changedFiles(history: History): number {
  const paths = new Set<string>();
  for (const event of history)
    if (event.type === 'observation' && event.details?.kind === 'edit')
      for (const { path } of event.details.changes) paths.add(path);
  return paths.size;
}
