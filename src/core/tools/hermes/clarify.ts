import * as z from 'zod';
import { withNameAndSchema } from '../withNameAndSchema';
import { askUser } from '../native/askUser';

const maxChoices = 4;

/** A multiple-choice or open question. The UI also offers a free-text answer. */
export const clarify = withNameAndSchema(askUser, {
  name: 'clarify',
  description: 'Ask the user what only they can decide. They may always answer in their own words.',
  input: z.object({
    question: z.string().min(1),
    choices: z
      .array(z.string().min(1))
      .max(maxChoices)
      .optional()
      .describe(`up to ${maxChoices}; none: an open question`),
  }),
  translate: (input) => input,
});
