import * as z from 'zod';
import { delegated, maxChildren, reportsResult } from './delegated';
import { defineTool } from '../defineTool';

const task = z.object({
  title: z.string(),
  task: z.string().describe('goal, files, what to report'),
  persona: z.string().optional(),
  toolsets: z.array(z.string()).optional().describe('e.g. ["readOnly"]'),
  profile: z.string().optional(),
  model: z.string().optional(),
  limits: z
    .object({ steps: z.number(), cost: z.number().describe('US dollars'), seconds: z.number() })
    .partial()
    .optional(),
});

const isRecord = (raw: unknown): raw is Record<string, unknown> => typeof raw === 'object' && raw !== null;

export const delegate = defineTool({
  name: 'delegate',
  description: `Assign up to ${maxChildren} larger, independent tasks to other agents, which work in parallel in the same folder and report back. They know nothing of this conversation.`,
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
