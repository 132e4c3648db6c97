import type { Files } from '../../core/ports/files';
import { listTree } from './diskList';
import { moveOnDisk, placeOfItself, removeOnDisk } from './diskMove';
import { readDiskBytes, readDiskFile } from './diskRead';
import { writeAllOrNothing } from './diskWrite';
import { whenDescriptorsAllow } from './fileProblems';
import { holdingHere, type Holding } from './heldFolder';
import { createWorkspacePaths } from './workspacePaths';

interface DiskFilesOptions {
  /** Workspace folders, absolute; relative paths start in the first. */
  readonly folders: readonly string[];
  /** Folders that may be read by absolute path, such as the one for saved command outputs. */
  readonly readableFolders?: readonly string[];
  /** Returns whether a place is not the user's, so that it is not listed. */
  readonly isUnlisted?: (absolute: string) => boolean;
  /** How folders are protected against being swapped. Default: the best method on this platform. */
  readonly holding?: Holding;
}

/** Access to the files on the disk of this machine. */
export function diskFiles(options: DiskFilesOptions): Files {
  const { folders, readableFolders = [], isUnlisted = () => false, holding = holdingHere } = options;
  const paths = createWorkspacePaths(folders, readableFolders);
  return {
    read: (path) => whenDescriptorsAllow(() => readDiskFile(paths.resolve(path, 'read'), holding).snapshot),
    readBytes: (path, most) => whenDescriptorsAllow(() => readDiskBytes(paths.resolve(path, 'read'), holding, most)),
    write: (changes) =>
      whenDescriptorsAllow(() =>
        writeAllOrNothing(
          changes.map((change) => ({ change, place: paths.resolve(change.path, 'write') })),
          holding,
        ),
      ),
    move: (from, to, expected) =>
      whenDescriptorsAllow(() => {
        const target = placeOfItself(paths, to);
        moveOnDisk({ place: placeOfItself(paths, from), expected }, target, holding);
        return target.display;
      }),
    remove: (path, expected) =>
      whenDescriptorsAllow(() => {
        const place = placeOfItself(paths, path);
        removeOnDisk({ place, expected }, holding);
        return place.display;
      }),
    list: (path, options) =>
      whenDescriptorsAllow(() =>
        listTree(paths.resolve(path, 'read'), options, { display: paths.display, isUnlisted, holding }),
      ),
  };
}
