import * as z from 'zod';
import { changeInWords, fileChange } from '../files/fileChange';
import { pathWord } from '../../text/shellText';
import { defineTool } from '../defineTool';
import type { FileChange } from '../../../protocol/events/details';
import { FileProblem, type Files } from '../../ports/files';
import type { ToolContext } from '../../ports/tool';
import { withNearest } from '../files/nearestPath';
import { staleness } from '../files/changeFile';

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

/** A file with any content. For binary or oversized files, `text` is empty and `version` is null. */
interface AnyFile {
  readonly path: string;
  readonly text: string;
  readonly version: string | null;
}

/**
 * Reads a file before it is moved or deleted. `stale` is set if it changed since the model read it and must be left
 * alone.
 */
async function readAnyFile(
  path: string,
  files: Files,
  versionSeen: ToolContext['versionSeen'],
): Promise<AnyFile | { readonly stale: string }> {
  try {
    const snapshot = await files.read(path);
    const stale = staleness(snapshot, versionSeen(snapshot.path));
    return stale === undefined ? snapshot : { stale };
  } catch (thrown) {
    const holdsNoText = thrown instanceof FileProblem && (thrown.code === 'binary' || thrown.code === 'too_large');
    if (!holdsNoText) throw await withNearest(thrown, path, files);
    return { path, text: '', version: null };
  }
}
