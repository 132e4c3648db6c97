import * as z from 'zod';
import { mapLimited } from '../../model/sampling/mapLimited';
import { delegated, maxChildren, reportsResult } from '../native/delegate';
import { defineTool } from '../defineTool';

const sideBySide = 3;
const maxSteps = 50;
/** Toolsets withheld from a child session. It does not plan for others, ask questions or save notes. */
const withheld = ['delegation', 'hermes_delegation', 'clarify', 'memory'];

const goal = z.object({ goal: z.string(), context: z.string().optional(), toolsets: z.array(z.string()).optional() });

/** `delegate` with the arguments of Hermes Agent. */
export const delegateTask = defineTool({
  name: 'delegate_task',
  description: `Give sub-agents a goal, or up to ${maxChildren} tasks (${sideBySide} run at a time). They know only goal and context; only their summaries come back.`,
  input: goal.partial({ goal: true }).extend({ tasks: z.array(goal).max(maxChildren).optional() }),
  effect: 'delegates',
  summarize: (input) => {
    const all = goalsOf(input);
    return all.length === 1 ? `Delegate ${childTitle(all[0]!.goal)}` : `Delegate ${all.length} tasks`;
  },
  async run(input, context) {
    const goals = goalsOf(input);
    if (goals.length === 0) throw new Error('Nothing was delegated: give a goal, or tasks with a goal each.');
    const reports = await mapLimited(sideBySide, goals, ({ goal: task, context: background, toolsets }) =>
      delegated(
        {
          title: childTitle(task),
          task: background ? `${task}\n\nContext: ${background}` : task,
          disabledToolsets: withheld,
          limits: { steps: maxSteps },
          ...(toolsets && { toolsets }),
        },
        context,
      ),
    );
    return reportsResult(
      reports.map((report) => {
        if (report.status === 'rejected') throw report.reason;
        return report.value;
      }),
      context,
    );
  },
});

interface DelegatedTask {
  goal?: string | undefined;
  context?: string | undefined;
  toolsets?: string[] | undefined;
  tasks?: z.output<typeof goal>[] | undefined;
}

function goalsOf({ tasks, ...one }: DelegatedTask): z.output<typeof goal>[] {
  if (tasks?.length) return tasks;
  return one.goal === undefined ? [] : [{ ...one, goal: one.goal }];
}

const childTitle = (task: string): string => task.trim().split('\n', 1)[0]!.slice(0, 60);
