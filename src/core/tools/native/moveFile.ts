import * as z from 'zod';
import { changeInWords } from '../files/fileChange';
import { readAnyFile } from '../files/anyFile';
import { pathWord } from '../../text/subshell';
import { defineTool } from '../defineTool';
import type { FileChange } from '../../../protocol/events/details';

export const moveFile = defineTool({
  name: 'move_file',
  description: 'Move or rename a file.',
  input: z.object({ from: z.string(), to: z.string() }),
  effect: 'writes',
  summarize: ({ from, to }) => `Move ${from} to ${to}`,
  touches: ({ from, to }) => ({ writes: [from, to], sameAs: `mv -n -- ${pathWord(from)} ${pathWord(to)}` }),
  allowKey: ({ from, to }) => `move ${from}\n${to}`,
  async run({ from, to }, { environment: { files }, versionSeen }) {
    const before = await readAnyFile(from, files, versionSeen);
    if ('stale' in before) return { content: before.stale, failed: true };
    const path = await files.move(from, to, before.version);
    const isKnown = before.version !== null && versionSeen(before.path) === before.version;
    const change: FileChange = {
      path,
      from: before.path,
      kind: 'modified',
      added: 0,
      removed: 0,
      hunks: [],
      ...(isKnown && { version: before.version }),
    };
    return { content: `Moved: ${changeInWords(change)}`, details: { kind: 'edit', changes: [change] } };
  },
});
