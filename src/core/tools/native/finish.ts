import * as z from 'zod';
import { defineTool } from '../defineTool';

export const finish = defineTool({
  name: 'finish',
  description: 'End the task when it is done and checked, or cannot be done. Call it alone, not beside other calls.',
  input: z.object({ summary: z.string().describe('what changed, how it was checked, what is left open') }),
  effect: 'ends',
  summarize: () => 'Finish the task',
  async run({ summary }) {
    return { content: summary };
  },
});
