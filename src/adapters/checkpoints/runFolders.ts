import fs from 'node:fs';
import path from 'node:path';
import { type FileState, noFile, type Snapshot } from '../../core/changes/snapshot';
import { FileProblem } from '../../core/ports/files';
import { holdFolder, holdingHere, type HeldFolder } from '../files/heldFolder';
import { diskSnapshot, lstat } from './changeSource';
import type { CheckpointLimits } from './coverage';
import { RestoreConflict } from './restoreConflict';
import type { SeenFiles } from './seenFiles';
import { realPath } from '../storage/diskPaths';

/** The folder of the last file. */
interface LastFolder {
  readonly folder: string;
  /** Path relative to the folder of the run. */
  readonly inRun: string;
  readonly held: HeldFolder;
}

/** Where a run works. */
export interface RunPlaces {
  readonly folders: readonly string[];
  /** True if their links were resolved when the run began: one that is a link now, or behind one, was replaced. */
  readonly areReal?: boolean;
  /** The permissions that these folders had when the run began, by path without links. */
  readonly modes?: ReadonlyMap<string, number>;
}

/**
 * The folders of a run. Everything that is read or restored is inside one of them, and links on the way are not
 * followed.
 */
export class RunFolders {
  private lookedIn: LastFolder | undefined;
  /** Shortest first, so that the outer one of two nested folders is used. */
  private readonly roots: readonly { readonly spelled: string; readonly real: string }[];
  private readonly areReal: boolean;
  /** The folders that were not behind a link when they were last looked at. */
  private readonly plain = new Map<string, Pick<fs.Stats, 'dev' | 'ino'>>();

  constructor({ folders, areReal = false }: RunPlaces) {
    this.areReal = areReal;
    const roots = folders.flatMap((folder) => {
      const real = areReal ? folder : realPath(folder);
      return [folder, real].map((spelled) => ({ spelled, real }));
    });
    this.roots = roots.sort((a, b) => a.spelled.length - b.spelled.length);
  }

  /** Returns the folder that contains a path, and the relative path. Throws `RestoreConflict` if there is none. */
  private placeOf(file: string): { readonly root: string; readonly relative: string } {
    const root = this.roots.find(({ spelled }) =>
      file.startsWith(spelled.endsWith(path.sep) ? spelled : spelled + path.sep),
    );
    const isPlain = path.isAbsolute(file) && path.normalize(file) === file;
    if (root === undefined || !isPlain)
      throw new RestoreConflict(`${file} is not in a folder of this run. Nothing was restored.`, file);
    if (this.areReal) this.refuseReplaced(root.real, file);
    return { root: root.real, relative: path.relative(root.spelled, file) };
  }

  /** Resolving a path takes five times as long as a look at the folder itself, and an undo asks for each file. */
  private refuseReplaced(root: string, file: string): void {
    const now = lstat(root);
    const before = this.plain.get(root);
    if (now && before?.ino === now.ino && before.dev === now.dev) return;
    if (isReplaced(root))
      throw new RestoreConflict(
        `${root} is a link now, or in a folder that is, so nothing in it is restored. Nothing was changed.`,
        file,
      );
    if (now) this.plain.set(root, now);
  }

  /** Returns the path of a file relative to the folder of the run. */
  relative(file: string): string {
    return this.placeOf(file).relative;
  }

  /**
   * Calls `work` with a path that names `file` even if folders on the way are replaced by links in the meantime. If
   * `created` is given, missing folders are created and their paths are pushed to it. Throws `RestoreConflict` if there
   * is a link on the way, or the error of the disk.
   */
  withPath<Answer>(file: string, work: (place: string) => Answer, created?: string[]): Answer {
    const { root, relative } = this.placeOf(file);
    try {
      const held = holdFolder(root, path.dirname(path.join(root, relative)), holdingHere, created);
      try {
        const answer = work(held.pathOf(path.basename(file)));
        held.verify();
        return answer;
      } finally {
        held.close();
      }
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      const words = `A parent folder of ${file} is a link now, so the file cannot be restored alone. Nothing was restored.`;
      throw new RestoreConflict(words, file);
    }
  }

  /**
   * Returns the snapshot of a path, which is empty if a folder on the way is missing or a link, and `known` if one may
   * not be entered.
   */
  snapshot(file: string, limits: Pick<CheckpointLimits, 'maxFileBytes'>, known: FileState = null): Snapshot {
    const { relative } = this.placeOf(file);
    return readOr(known, () => this.withPath(file, (place) => diskSnapshot(place, relative, limits, known)));
  }

  /**
   * Like `snapshot`, for many files: files unchanged since they were `seen` are not read again, and the folder of the
   * last file stays open until `release`.
   */
  cachedSnapshot(
    file: string,
    limits: Pick<CheckpointLimits, 'maxFileBytes'>,
    known: FileState,
    seen: SeenFiles,
  ): Snapshot {
    return readOr(known, () => {
      const { held, inRun } = this.folderOf(file);
      const name = path.basename(file);
      const snapshot = seen.snapshot(
        { file, place: held.pathOf(name), relative: path.join(inRun, name) },
        limits,
        known,
      );
      held.verify();
      return snapshot;
    });
  }

  release(): void {
    this.lookedIn?.held.close();
    this.lookedIn = undefined;
  }

  private folderOf(file: string): LastFolder {
    const folder = path.dirname(file);
    const isPlain = !['.', '..'].includes(path.basename(file));
    if (this.lookedIn?.folder === folder && isPlain) return this.lookedIn;
    const { root, relative } = this.placeOf(file);
    this.release();
    const inRun = path.dirname(relative);
    const held = holdFolder(root, path.join(root, inRun), holdingHere);
    return (this.lookedIn = { folder, inRun, held });
  }

  /**
   * Returns the folders of the run that contain some of the paths and do not exist any more. Throws `RestoreConflict` if
   * the folder around one is gone too.
   */
  missingRoots(files: readonly string[]): string[] {
    const needed = new Set(files.map((file) => this.placeOf(file).root));
    const missing = [...needed].filter((root) => lstat(root) === undefined);
    for (const root of missing) {
      if (!fs.existsSync(path.dirname(root)))
        throw new RestoreConflict(
          `${root} cannot be created again: the folder around it does not exist. Nothing was restored.`,
          root,
        );
    }
    return missing;
  }

  /** Deletes folders of the run that a restore created, unless something is in them. */
  removeEmpty(created: readonly string[]): void {
    for (const root of created) {
      try {
        fs.rmdirSync(root);
      } catch {
        // It is in use.
      }
    }
  }

  /** Returns the nearest existing parent folder that is reached without links. */
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

/** Returns whether a path whose links were resolved leads through a link now. */
function isReplaced(folder: string): boolean {
  const place = lstat(folder) ? folder : path.dirname(folder);
  return realPath(place) !== place;
}

function readOr(known: FileState, read: () => Snapshot): Snapshot {
  try {
    return read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isMissing = error instanceof RestoreConflict || error instanceof FileProblem;
    if (isMissing || code === 'ENOENT' || code === 'ENOTDIR') return noFile;
    if (code === 'EACCES') return { state: known };
    throw error;
  }
}
