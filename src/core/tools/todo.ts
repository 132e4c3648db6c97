import * as z from 'zod';
import { defineTool } from './tool';

export const todo = defineTool({
  name: 'todo',
  description: 'Replace your list of steps.',
  input: z.object({ items: z.array(z.object({ text: z.string(), state: z.enum(['pending', 'active', 'done']) })) }),
  effect: 'notes',
  summarize: ({ items }) => `Plan: ${items.filter(({ state }) => state === 'done').length} of ${items.length} done`,
  async run({ items }) {
    const next = items.find(({ state }) => state !== 'done');
    return { content: next ? `Noted. Next: ${next.text}` : 'Noted. All is done.', details: { kind: 'todo', items } };
  },
});
