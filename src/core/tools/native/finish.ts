import * as z from 'zod';
import { isRecord } from '../../text/parseJson';
import { defineTool } from '../defineTool';

export const finish = defineTool({
  name: 'finish',
  description: 'End the task. Call it alone.',
  input: z.object({ summary: z.string().describe('answer or changes, how checked, what is left') }),
  // Other arguments do not matter, and the text beside the call may be the summary.
  accept: (raw) => (isRecord(raw) ? { summary: raw['summary'] ?? '' } : raw),
  effect: 'ends',
  endsAfterOthers: true,
  summarize: () => 'Finish the task',
  async run({ summary }, { history = [] }) {
    if (summary.trim()) return { content: summary };
    const reply = history.findLast((event) => event.type === 'agent_response');
    const beside = reply?.text.trim() ?? '';
    return beside
      ? { content: beside }
      : { content: 'The summary is missing: what changed, how it was checked, what is left.', failed: true };
  },
});
