import { changeInWords, fileChange, notesOnWriting, withSeenVersion } from './fileChange';
import { withNearest } from './nearestPath';
import type { ToolContext, ToolResult } from '../../ports/tool';
import { type FileSnapshot, FileProblem, type Files } from '../../ports/files';

/** New text of a file, or the reason why it stays unchanged. `note` is appended to the success message. */
export type Changed = { readonly text: string; readonly note?: string } | { readonly refused: string };

/**
 * Changes an existing file if it is unchanged since the model read it. `wasRead` is true if the model was shown this
 * text. With `mayHaveChanged`, a file that has changed since is treated as one that the model never read.
 */
export async function changeFile(
  path: string,
  { environment: { files }, versionSeen }: ToolContext,
  change: (text: string, wasRead: boolean) => Changed | Promise<Changed>,
  { mayHaveChanged = false }: { readonly mayHaveChanged?: boolean } = {},
): Promise<ToolResult> {
  const before = await files.read(path).catch(async (problem: unknown) => {
    throw await withNearest(problem, path, files);
  });
  const lastRead = versionSeen(before.path);
  const stale = staleness(before, lastRead);
  if (stale && !mayHaveChanged) return { content: stale, failed: true };
  const wasRead = lastRead !== undefined && stale === undefined;
  const changed = await change(before.text, wasRead);
  const sinceRead = stale ? ['It also has other changes since it was last read or written here.'] : [];
  if ('refused' in changed)
    return { content: [`${before.path} was not changed. ${changed.refused}`, ...sinceRead].join('\n'), failed: true };
  const { text, note } = changed;
  if (text === before.text)
    return { content: `${before.path} was not changed: the text would be the same.`, failed: true };
  // The card's lines are computed while the file is written.
  const [[after], lines] = await Promise.all([
    files.write([{ path, text, expected: before.version }]),
    fileChange(before.path, before.text, text),
  ]);
  // The rest of the file stays unknown to a model that was not shown this text.
  const details = mayHaveChanged && !wasRead ? lines : withSeenVersion(lines, after!.version, before.text, text);
  const content = [
    `Edited ${changeInWords(details)}`,
    ...sinceRead,
    ...(note === undefined ? [] : [note]),
    ...notesOnWriting(after!),
  ].join('\n');
  return { content, details: { kind: 'edit', changes: [details] } };
}

/**
 * Returns the reason why a file must not be changed based on what the model saw, or undefined. `seen` is undefined if
 * the model never read it.
 */
export function staleness(now: FileSnapshot, seen: string | undefined): string | undefined {
  if (seen === undefined || seen === now.version) return undefined;
  return `${now.path} has changed since it was last read or written here, so it was not changed. Read it again: someone else, or a command, edited it.`;
}

/** Returns null if the file does not exist. Otherwise throws like `Files.read`. */
export async function readIfThere(path: string, files: Pick<Files, 'read'>): Promise<FileSnapshot | null> {
  try {
    return await files.read(path);
  } catch (thrown) {
    if (thrown instanceof FileProblem && thrown.code === 'missing') return null;
    throw thrown;
  }
}
