import * as z from 'zod';
import { changeInWords, fileChange, notesOnWriting } from '../files/fileChange';
import { readIfThere, staleness } from '../files/changeFile';
import { defineTool } from '../defineTool';
import { withCommas } from '../../text/withCommas';

export const writeFile = defineTool({
  name: 'write_file',
  description: 'Create a file and its folders, or replace a file that you have read.',
  input: z.object({ path: z.string(), content: z.string() }),
  effect: 'writes',
  streamedArguments: { path: 'path', texts: ['content'] },
  summarize: ({ path, content }) =>
    `Write ${path} (${withCommas(content.length)} ${content.length === 1 ? 'character' : 'characters'})`,
  touches: ({ path, content }) => ({ writes: [path], adds: content }),
  allowKey: ({ path }) => path,
  async run({ path, content }, { environment: { files }, versionSeen }) {
    const before = await readIfThere(path, files);
    if (before && before.text !== '') {
      const lastRead = versionSeen(before.path);
      if (lastRead === undefined)
        return {
          content: `${before.path} exists and was not read yet, so it was not replaced. Read it first, or edit a part of it.`,
          failed: true,
        };
      const stale = staleness(before, lastRead);
      if (stale) return { content: stale, failed: true };
      if (before.text === content) return { content: `${before.path} already contains exactly this.` };
    }
    const [after] = await files.write([{ path, text: content, expected: before ? before.version : null }]);
    const change = await fileChange(after!.path, before ? before.text : null, after!.text, after!.version);
    return {
      content: [`Wrote ${changeInWords(change)}`, ...notesOnWriting(after!)].join('\n'),
      details: { kind: 'edit', changes: [change] },
    };
  },
});
