import * as z from 'zod';
import { isImageName } from '../ports/containerSettings';
import type { BatchTask } from './batchTask';

const maxTextLength = 2_000_000;
const text = z.string().max(maxTextLength);
const word = z.string().min(1).max(1000);
/** SWE-bench instances have up to several thousand tests. */
const tests = z.array(word).max(20_000);
const image = z.string().refine(isImageName, 'It is not the name of an image.');

/**
 * A task in the queue, for a worker. It is untrusted, because anybody with write access to the queue can add one, so it
 * describes only the work. The worker decides about the model, permissions, sandbox, checks and images. Paths are
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
  input: z.record(word, text).optional(),
  image: image.optional(),
  usualImage: image.optional(),
  batch: z.number().int().nonnegative(),
  toolsets: z.array(word).max(50),
  keepsWithoutReasoning: z.boolean(),
  /** Absent if no evaluation was requested. */
  checks: z
    .strictObject({
      failToPass: tests,
      passToPass: tests,
      command: text.optional(),
      patch: text.optional(),
    })
    .optional(),
  /** Timeout of one check, in seconds. */
  checkSeconds: z.number().positive().max(86_400).optional(),
});
export type QueuedTask = z.infer<typeof QueuedTask>;

/** Settings of the batch for a task, in addition to the dataset. `checkSeconds`: set if checks are to be run. */
type BatchFields = Pick<QueuedTask, 'batch' | 'toolsets' | 'keepsWithoutReasoning' | 'checkSeconds'>;

/** Converts a task for the queue. Throws an `Error` with a message for people if the queue does not support it. */
export function queuedTask(task: BatchTask, beside: BatchFields): QueuedTask {
  const { index, id, named, prompt, cwd, repo, commit, files, input, image, usualImage, checks } = task;
  const isEvaluated = beside.checkSeconds !== undefined && checks !== undefined;
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
    ...(input && { input }),
    ...(image !== undefined && { image }),
    ...(usualImage !== undefined && { usualImage }),
    ...(isEvaluated && { checks }),
  });
  if (!parsed.success) throw new Error(`The task ${id} cannot be queued: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
