import fs from 'node:fs';
import path from 'node:path';
import type { FileState } from '../../core/changes/fileState';
import { nothing, type Snapshot } from '../../core/changes/snapshot';
import { FileProblem } from '../../core/ports/environment';
import { holdFolder, holdingHere } from '../files/heldFolder';
import { diskSnapshot } from './changeSource';
import type { CheckpointLimits } from './coverage';
import { RestoreConflict } from './restoreConflict';
import type { SeenFiles } from './seenFiles';

/** The folders of a run. Whatever is looked at or restored lies in one of them, and no link on the way is followed. */
export class RunFolders {
  /** The shortest first: a folder that holds another one is the one that is looked at. */
  private readonly roots: readonly { readonly spelled: string; readonly real: string }[];

  constructor(folders: readonly string[]) {
    const roots = folders.flatMap((folder) => {
      const real = realPath(folder);
      return [folder, real].map((spelled) => ({ spelled, real }));
    });
    this.roots = roots.sort((a, b) => a.spelled.length - b.spelled.length);
  }

  /** The folder that holds a path, and the path from there. Throws `RestoreConflict` where there is none. */
  private placeOf(file: string): { readonly root: string; readonly relative: string } {
    const root = this.roots.find(({ spelled }) =>
      file.startsWith(spelled.endsWith(path.sep) ? spelled : spelled + path.sep),
    );
    const isPlain = path.isAbsolute(file) && path.normalize(file) === file;
    if (root === undefined || !isPlain)
      throw new RestoreConflict(`${file} is in no folder of this run. Nothing was restored.`, file);
    return { root: root.real, relative: path.relative(root.spelled, file) };
  }

  /** The path of a file from the folder of the run. */
  relative(file: string): string {
    return this.placeOf(file).relative;
  }

  /**
   * Calls `work` with a path that names `file` even if folders on the way become links meanwhile.
   * `created`: missing folders are made, and their paths pushed there. Throws `RestoreConflict` where a
   * link is on the way, or what the disk says.
   */
  at<Answer>(file: string, work: (place: string) => Answer, created?: string[]): Answer {
    const { root, relative } = this.placeOf(file);
    try {
      const held = holdFolder(root, path.dirname(path.join(root, relative)), holdingHere, created);
      try {
        const answer = work(held.at(path.basename(file)));
        held.verify();
        return answer;
      } finally {
        held.close();
      }
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      const words = `A folder above ${file} is a link now, so the file cannot be restored alone. Nothing was restored.`;
      throw new RestoreConflict(words, file);
    }
  }

  /**
   * What is at a path; nothing where a folder on the way is missing or a link. `seen`: a file that is as it was at the
   * last look is not read again.
   */
  snapshot(
    file: string,
    limits: Pick<CheckpointLimits, 'largestFile'>,
    known: FileState = null,
    seen?: SeenFiles,
  ): Snapshot {
    const { relative } = this.placeOf(file);
    try {
      return this.at(file, (place) =>
        seen ? seen.snapshot(file, place, relative, limits, known) : diskSnapshot(place, relative, limits, known),
      );
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (error instanceof RestoreConflict || code === 'ENOENT' || code === 'ENOTDIR') return nothing;
      throw error;
    }
  }

  /** The nearest folder above a path that is there, reached without links. */
  nearestFolder(file: string): string {
    const { root, relative } = this.placeOf(file);
    let nearest = root;
    for (const name of path.dirname(relative).split(path.sep)) {
      const next = path.join(nearest, name);
      if (!fs.lstatSync(next, { throwIfNoEntry: false })?.isDirectory()) break;
      nearest = next;
    }
    return nearest;
  }
}

function realPath(folder: string): string {
  try {
    return fs.realpathSync(folder);
  } catch {
    return folder;
  }
}
