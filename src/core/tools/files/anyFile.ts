import { FileProblem, type Files } from '../../ports/files';
import type { ToolContext } from '../../ports/tool';
import { withNearest } from './nearestPath';
import { staleness } from './staleness';

/** A file with any content. For binary or oversized files, `text` is empty and `version` is null. */
export interface AnyFile {
  readonly path: string;
  readonly text: string;
  readonly version: string | null;
}

/**
 * Reads a file before it is moved or deleted. `stale` is set if it changed since the model read it and must be left
 * alone.
 */
export async function readAnyFile(
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
