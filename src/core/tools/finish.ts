import * as z from 'zod';
import { defineTool } from './tool';

export const finish = defineTool({
  name: 'finish',
  description: 'End the task: what changed, how it was checked.',
  input: z.object({ summary: z.string() }),
  effect: 'ends',
  summarize: () => 'Finish the task',
  async run({ summary }) {
    return { content: summary };
  },
});
