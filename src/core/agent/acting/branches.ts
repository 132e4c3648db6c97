import type { Action } from '../../../protocol/events/event';
import type { ToolResult } from '../../ports/tool';
import type { AgentParts, StepContext } from '../agentParts';
import { settingsOf } from '../../log/runSettings';

/** Continues from a result and returns the report of the branch, which replaces the result. */
export type Continuation = (result: ToolResult) => Promise<ToolResult>;

/**
 * Returns a continuation for an action of a parallel group: a branch, which is a session that knows the task and the
 * result, reasons by itself and reports back.
 */
export function branchFrom(
  action: Action,
  { children }: AgentParts,
  { history, signal, emit }: StepContext,
): Continuation {
  return async (result) => {
    if (!children || action.problem !== undefined) return result;
    const task = history.find((event) => event.type === 'task_started')!.task;
    const report = await children.run(
      {
        title: action.summary,
        task: `${task}\n\nThis is one of several branches that work on this in parallel. Yours ran: ${action.summary}. Read its result, do only what follows from it for this branch, and report in a few sentences.`,
        attachments: [{ id: action.id, description: `Result of ${action.summary}`, content: result.content }],
        profile: settingsOf(history)!.profile,
      },
      {
        actionId: action.id,
        signal,
        started: (session) => emit({ type: 'child_started', actionId: action.id, session, title: action.summary }),
      },
    );
    return {
      ...result,
      content: `${result.content}\n\n[The branch reports: ${report.summary}]`,
      branch: report,
      ...(signal.aborted && { failed: true }),
    };
  };
}
