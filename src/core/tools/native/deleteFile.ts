import * as z from 'zod';
import { changeInWords, fileChange } from '../files/fileChange';
import { readAnyFile } from '../files/anyFile';
import { pathWord } from '../../text/subshell';
import { defineTool } from '../defineTool';

export const deleteFile = defineTool({
  name: 'delete_file',
  description: 'Delete a file.',
  input: z.object({ path: z.string() }),
  effect: 'writes',
  summarize: ({ path }) => `Delete ${path}`,
  touches: ({ path }) => ({ writes: [path], sameAs: `rm -- ${pathWord(path)}` }),
  allowKey: ({ path }) => `delete ${path}`,
  async run({ path }, { environment: { files }, versionSeen }) {
    const before = await readAnyFile(path, files, versionSeen);
    if ('stale' in before) return { content: before.stale, failed: true };
    const gone = await files.remove(path, before.version);
    const change = await fileChange(gone, before.text, null);
    return { content: `Deleted ${changeInWords(change)}`, details: { kind: 'edit', changes: [change] } };
  },
});
