import * as z from 'zod';
import { withNameAndSchema } from '../withNameAndSchema';
import { todo } from '../native/todo';

/** The list of steps under the names of this profile; the list itself is shared. */
export const taskTracker = withNameAndSchema(todo, {
  name: 'task_tracker',
  description: 'Keep a list of tasks: plan replaces it, view shows it.',
  input: z
    .object({
      command: z.enum(['view', 'plan']),
      task_list: z
        .array(
          z.object({
            title: z.string(),
            notes: z.string().optional(),
            status: z.enum(['todo', 'in_progress', 'done']).optional(),
          }),
        )
        .optional()
        .describe('for plan'),
    })
    .refine(
      ({ command, task_list: list }) => command === 'view' || list !== undefined,
      'The command plan needs task_list.',
    ),
  translate: ({ command, task_list: list = [] }) =>
    command === 'view'
      ? {}
      : {
          todos: list.map(({ title, notes, status }, index) => ({
            id: String(index + 1),
            content: notes ? `${title} (${notes})` : title,
            status: status ?? 'todo',
          })),
        },
});
