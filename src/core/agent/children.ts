import type { ChildReport } from '../../protocol/details';
import type { Limits } from '../../protocol/event';

/** Something the child is given beside its task. The content reaches its prompt. */
export interface Attachment { readonly id: string; readonly description: string; readonly content: string }

/** What a session that works for another is asked to do. What is absent is as in the parent; limits never exceed what the parent has left. */
export interface ChildTask {
  readonly title: string;
  readonly task: string;
  readonly attachments?: readonly Attachment[];
  readonly profile?: string;
  readonly toolsets?: readonly string[];
  readonly model?: string;
  readonly limits?: Partial<Limits>;
}

/** Begins sessions that work for an action of another one. */
export interface Children {
  /**
   * Runs the task to its end and reports, also when it failed or ran out of time. `started` is called with the id of the session
   * before it does anything. Rejects only when the signal aborts; the child is stopped then.
   */
  run(task: ChildTask, parent: { readonly actionId: string; readonly signal: AbortSignal; started(session: string): void }): Promise<ChildReport>;
}
