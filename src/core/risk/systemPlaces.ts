import { anyOf, sequence } from '../text/alternatives';

/** Folders of the system at the top of a file system, or a pattern that may match one. */
const systemFolder = sequence([
  /^/,
  anyOf([
    'bin boot dev etc lib lib32 lib64 libx32 private proc run sbin sys usr var',
    'applications library system programdata windows',
    /program files( \(x86\))?/,
    /[^/*?[{]*[*?[{][^/]*/,
  ]),
  /(\/|$)/,
]);

const temporaryFolder = /^(?:private\/)?(?:var\/)?(?:tmp|folders)(?:\/|$)/;

/** True for "/" and for a drive such as "C:\". */
export const isWholeDisk = (workspace: string | undefined): boolean =>
  workspace !== undefined && /^(?:\/|[A-Za-z]:[\\/]?)$/.test(workspace);

/**
 * True if a path of a workspace that is a whole disk leads into a folder of the system, or may do so as a pattern. In
 * other workspaces such folders are outside.
 */
export function isSystemPlace(path: string, workspace: string | undefined): boolean {
  if (!isWholeDisk(workspace)) return false;
  const inDisk = path
    .replaceAll('\\', '/')
    .replace(/^(?:[A-Za-z]:)?\/+/, '')
    .toLowerCase();
  return systemFolder.test(inDisk) && !temporaryFolder.test(inDisk);
}
