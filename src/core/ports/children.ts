import type { ChildReport } from '../../protocol/events/details';
import type { Limits } from '../../protocol/events/event';

/** Something the child is given beside its task. The content reaches its prompt. */
export interface Attachment {
  readonly id: string;
  readonly description: string;
  readonly content: string;
}

/**
 * What a session that works for another is asked to do. What is absent is as in the parent;
 * limits never exceed what the parent has left.
 */
export interface ChildTask {
  readonly title: string;
  readonly task: string;
  readonly attachments?: readonly Attachment[];
  /** The name of a persona, which can only narrow the rest. */
  readonly persona?: string;
  readonly profile?: string;
  readonly toolsets?: readonly string[];
  /** Toolsets and tools that it does not have, beside those that the parent does not have. */
  readonly disabledToolsets?: readonly string[];
  readonly model?: string;
  readonly limits?: Partial<Limits>;
}

/** Begins sessions that work for an action of another one. */
export interface Children {
  /**
   * Runs the task to its end and reports, also when it failed, ran out of time, could not begin, or was
   * stopped because the signal aborted: what it did until then is never lost. `started` is called with the
   * id of the session before it does anything.
   */
  run(
    task: ChildTask,
    parent: { readonly actionId: string; readonly signal: AbortSignal; started(session: string): void },
  ): Promise<ChildReport>;
}

/** Whether the session did what it was asked to. */
export const hasDone = ({ status }: Pick<ChildReport, 'status'>): boolean =>
  status === 'submitted' || status === 'answered';

const nothingUsed = { inputTokens: null, outputTokens: null, cachedTokens: null, cost: null };

/** The report of one that never began. */
export const notRun = (title: string, why: string): ChildReport => ({
  session: '',
  title,
  status: 'not_run',
  summary: why,
  steps: 0,
  seconds: 0,
  usage: nothingUsed,
});
