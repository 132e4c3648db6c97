import * as z from 'zod';
import { defineTool } from '../defineTool';

export const finish = defineTool({
  name: 'finish',
  description: 'End the task. Call it alone.',
  input: z.object({ summary: z.string().describe('answer or changes, how checked, what is left') }),
  effect: 'ends',
  summarize: () => 'Finish the task',
  async run({ summary }) {
    return { content: summary };
  },
});
