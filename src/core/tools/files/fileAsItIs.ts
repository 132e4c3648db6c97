import { FileProblem, type Files } from '../../ports/environment';
import type { ToolContext } from '../../ports/tool';
import { withNearest } from './nearestPath';
import { staleness } from './staleness';

/** A file of any content. `text` is empty and `version` null where it holds no text, or too much. */
export interface FileAsItIs {
  readonly path: string;
  readonly text: string;
  readonly version: string | null;
}

/**
 * What a file holds before it is moved or deleted; `stale`: why it must stay,
 * because it changed since the model saw it.
 */
export async function fileAsItIs(
  path: string,
  files: Files,
  versionSeen: ToolContext['versionSeen'],
): Promise<FileAsItIs | { readonly stale: string }> {
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
