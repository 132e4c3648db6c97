import * as z from 'zod';
import { defineTool } from '../defineTool';

export const thinkTool = defineTool({
  name: 'think',
  description: 'Write down a thought.',
  input: z.object({ thought: z.string() }),
  effect: 'notes',
  summarize: () => 'Think',
  async run({ thought }) {
    return { content: 'Noted.', details: { kind: 'note', text: thought } };
  },
});
