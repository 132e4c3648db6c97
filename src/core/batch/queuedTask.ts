import * as z from 'zod';
import type { BatchTask } from './batchTask';

const mostText = 2_000_000;
const text = z.string().max(mostText);
const word = z.string().min(1).max(1000);

/**
 * What lies in the queue for a worker. Whoever can write to the queue chooses it, so it says only what is
 * to be done: which model is asked, what may run and how it is confined is up to the worker. Paths are
 * relative to the folder that the worker names.
 */
export const QueuedTask = z.strictObject({
  index: z.number().int().nonnegative(),
  id: word,
  named: z.boolean(),
  prompt: text.min(1),
  cwd: word.optional(),
  repo: word.optional(),
  commit: z
    .string()
    .regex(/^[\w][\w./-]{0,199}$/)
    .optional(),
  files: z.record(word, text).optional(),
  batch: z.number().int().nonnegative(),
  toolsets: z.array(word).max(50),
  keepsWithoutReasoning: z.boolean(),
});
export type QueuedTask = z.infer<typeof QueuedTask>;

/** How a task is put into the queue. Throws an `Error` in words for what a queue does not carry. */
export function queuedTask(
  task: BatchTask,
  beside: Pick<QueuedTask, 'batch' | 'toolsets' | 'keepsWithoutReasoning'>,
): QueuedTask {
  const { index, id, named, prompt, cwd, repo, commit, files } = task;
  const parsed = QueuedTask.safeParse({
    index,
    id,
    named,
    prompt,
    ...beside,
    ...(cwd !== undefined && { cwd }),
    ...(repo !== undefined && { repo }),
    ...(commit !== undefined && { commit }),
    ...(files && { files }),
  });
  if (!parsed.success) throw new Error(`The task ${id} cannot be queued: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
