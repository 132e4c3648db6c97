import * as z from 'zod';
import { defineTool } from '../defineTool';

/** The person's answer becomes the observation. `run` is reached only if nobody can be asked. */
export const askUser = defineTool({
  name: 'ask_user',
  description: 'Ask the user what only they can decide.',
  input: z.object({
    question: z.string(),
    choices: z.array(z.string()).optional(),
  }),
  effect: 'asks',
  summarize: ({ question }) => `Ask: ${question}`,
  question: ({ question, choices = [] }) => ({ question, choices }),
  async run() {
    return {
      content:
        'Nobody can be asked in this run. Choose the most likely meaning, continue, and say at the end what you assumed.',
      failed: true,
    };
  },
});
