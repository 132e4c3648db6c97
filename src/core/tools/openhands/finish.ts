import * as z from 'zod';
import { adapted } from '../adapted';
import { finish as finishTask } from '../native/finish';

export const finish = adapted(finishTask, {
  name: 'finish',
  description: 'End the task: what changed, how it was checked.',
  input: z.object({ message: z.string() }),
  translate: ({ message }) => ({ summary: message }),
});
