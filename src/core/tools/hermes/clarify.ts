import * as z from 'zod';
import { adapted } from '../adapted';
import { askUser } from '../native/askUser';

const mostChoices = 4;

/**
 * A question with a few answers to choose from, or an open one; whoever shows it also offers an answer in other words.
 */
export const clarify = adapted(askUser, {
  name: 'clarify',
  description: 'Ask the user what only they can decide. They may always answer in their own words.',
  input: z.object({
    question: z.string().min(1),
    choices: z
      .array(z.string().min(1))
      .max(mostChoices)
      .optional()
      .describe(`up to ${mostChoices}; none: an open question`),
  }),
  translate: (input) => input,
});
