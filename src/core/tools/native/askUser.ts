import * as z from 'zod';
import { defineTool } from '../defineTool';

/** The person's answer becomes the observation. `run` is reached only if nobody can be asked. */
export const askUser = defineTool({
  name: 'ask_user',
  description:
    'Ask the user what only they can decide, and wait for the answer. Not for what files or commands can tell.',
  input: z.object({
    question: z.string(),
    choices: z.array(z.string()).optional().describe('short answers to pick from; the user may give another'),
  }),
  effect: 'asks',
  summarize: ({ question }) => `Ask: ${question}`,
  question: ({ question, choices = [] }) => ({ question, choices }),
  async run() {
    return {
      content:
        'Nobody can be asked in this run. Decide what is most likely meant, go on, and say in the end what was assumed.',
      failed: true,
    };
  },
});
