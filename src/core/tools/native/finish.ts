import * as z from 'zod';
import { defineTool } from '../defineTool';

export const finish = defineTool({
  name: 'finish',
  description: 'End the task. Call it alone.',
  input: z.object({ summary: z.string().describe('what changed, how it was checked, what is left') }),
  effect: 'ends',
  summarize: () => 'Finish the task',
  async run({ summary }) {
    return { content: summary };
  },
});
