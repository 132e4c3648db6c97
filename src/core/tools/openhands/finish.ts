import * as z from 'zod';
import { withNameAndSchema } from '../withNameAndSchema';
import { finish as finishTask } from '../native/finish';

export const finishWithMessage = withNameAndSchema(finishTask, {
  name: 'finish',
  description: 'End the task: what changed, how it was checked.',
  input: z.object({ message: z.string() }),
  translate: ({ message }) => ({ summary: message }),
});
