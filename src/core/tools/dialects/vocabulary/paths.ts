import type { CallArguments } from '../callArguments';

const fileNames = [
  'path',
  'file_path',
  'absolute_path',
  'target_file',
  'filename',
  'file_name',
  'file',
  'relative_workspace_path',
];
const folderNames = [
  'path',
  'dir_path',
  'directory',
  'dir',
  'target_directory',
  'directory_path',
  'folder',
  'search_path',
  'relative_workspace_path',
];

/** Returns the file argument of a call. */
export const fileOf = (args: CallArguments): unknown => args.text(...fileNames);

/** Returns the folder argument of a call; "" is the first workspace folder. */
export function folderArgument(args: CallArguments): unknown {
  const folder = args.text(...folderNames);
  return folder === '' ? undefined : folder;
}
