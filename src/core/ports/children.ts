import type { ChildReport } from '../../protocol/events/details';
import type { Limits } from '../../protocol/events/event';
import { unknownUsage } from '../log/spending';

/** Extra input for the child besides its task. The content is added to its prompt. */
export interface Attachment {
  readonly id: string;
  readonly description: string;
  readonly content: string;
}

/** Task for a child session. Defaults come from the parent, and limits never exceed what the parent has left. */
export interface ChildTask {
  readonly title: string;
  readonly task: string;
  readonly attachments?: readonly Attachment[];
  /** Name of a persona, which can only narrow the other options. */
  readonly persona?: string;
  readonly profile?: string;
  readonly toolsets?: readonly string[];
  /** Toolsets and tools to remove, in addition to those the parent does not have. */
  readonly disabledToolsets?: readonly string[];
  readonly model?: string;
  readonly limits?: Partial<Limits>;
}

/** Starts child sessions, which work for an action of another session. */
export interface Children {
  /**
   * Runs the task to its end and returns a report, also if it failed, timed out, could not start or was stopped by
   * `signal`: its work so far is never lost. Calls `started` with the id of the session before it does anything.
   */
  run(
    task: ChildTask,
    parent: { readonly actionId: string; readonly signal: AbortSignal; started(session: string): void },
  ): Promise<ChildReport>;
}

/** True if the session completed its task. */
export const hasCompleted = ({ status }: Pick<ChildReport, 'status'>): boolean =>
  status === 'submitted' || status === 'answered';

/** Report of a session that never started. */
export const notStartedReport = (title: string, why: string): ChildReport => ({
  session: '',
  title,
  status: 'not_run',
  summary: why,
  steps: 0,
  seconds: 0,
  usage: unknownUsage,
});
