import type { ChildReport } from '../../../protocol/events/details';
import { hasCompleted, type ChildTask } from '../../ports/children';
import type { ToolContext, ToolResult } from '../../ports/tool';
import * as z from 'zod';
import { defineTool } from '../defineTool';

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

const task = z.object({
  title: z.string(),
  task: z.string().describe('goal, files, what to report'),
  persona: z.string().optional(),
  toolsets: z.array(z.string()).optional().describe('e.g. readOnly'),
  profile: z.string().optional(),
  model: z.string().optional(),
  limits: z
    .object({ steps: z.number(), cost: z.number().describe('USD'), seconds: z.number() })
    .partial()
    .optional(),
});

const isRecord = (raw: unknown): raw is Record<string, unknown> => typeof raw === 'object' && raw !== null;

export const delegate = defineTool({
  name: 'delegate',
  description: `Give up to ${maxChildren} large, independent tasks to agents that work in parallel in this folder. They do not know this conversation.`,
  input: z.object({ tasks: z.array(task).min(1).max(maxChildren) }),
  accept(raw) {
    const call = isRecord(raw) && raw['tasks'] === undefined ? { tasks: raw } : raw;
    if (!isRecord(call)) return raw;
    return {
      ...call,
      tasks: [call['tasks']]
        .flat()
        .map((one) =>
          isRecord(one) && one['title'] === undefined && typeof one['task'] === 'string'
            ? { ...one, title: one['task'].trim().split('\n', 1)[0]!.slice(0, 60) }
            : one,
        ),
    };
  },
  effect: 'delegates',
  summarize: ({ tasks }) => (tasks.length === 1 ? `Delegate ${tasks[0]!.title}` : `Delegate ${tasks.length} tasks`),
  async run({ tasks }, context) {
    return reportsResult(
      await Promise.all(
        tasks.map(({ title, task: words, persona, toolsets, profile, model, limits }) =>
          delegated(
            {
              title,
              task: words,
              ...(persona && { persona }),
              ...(toolsets && { toolsets }),
              ...(profile && { profile }),
              ...(model && { model }),
              ...(limits && {
                limits: Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined)),
              }),
            },
            context,
          ),
        ),
      ),
      context,
    );
  },
});
