import type { ChildReport } from '../../../protocol/events/details';
import { hasCompleted, type ChildTask } from '../../ports/children';
import type { ToolContext, ToolResult } from '../../ports/tool';

export const maxChildren = 8;

/** Wraps the task in instructions for a session that has no other context. */
const briefing = (task: string): string =>
  `${task}\n\nAnother agent gave you this task and reads only your final report: say what you did, what you found and what is left to do.`;

export async function delegated(task: ChildTask, { delegate }: ToolContext): Promise<ChildReport> {
  if (!delegate) throw new Error('No other agent can be started here. Do the task yourself.');
  return delegate({ ...task, task: briefing(task.task) });
}

function reported({ title, status, summary, steps, seconds }: ChildReport): string {
  const effort = status === 'not_run' ? '' : ` (${steps} ${steps === 1 ? 'step' : 'steps'}, ${seconds} s)`;
  return `## ${title}: ${statusWords[status]}${effort}\n${summary}`;
}

/** Returns the reports of all child sessions for the model, including those that did not finish. */
export function reportsResult(
  children: readonly ChildReport[],
  { signal }: ToolContext,
  edges?: [number, number][],
): ToolResult {
  const content = children.map(reported).join('\n\n');
  const failed = signal.aborted || !children.some(hasCompleted);
  return {
    content,
    details: { kind: 'delegate', children: [...children], ...(edges && { edges }) },
    ...(failed && { failed }),
  };
}

const statusWords: Record<ChildReport['status'], string> = {
  submitted: 'done',
  answered: 'answered',
  limit_exceeded: 'not finished: limit reached',
  failed: 'failed',
  stopped: 'stopped early',
  not_run: 'not run',
};
