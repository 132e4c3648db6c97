import type { Tool } from '../../../ports/tool';
import type { CallArguments } from '../callArguments';

/**
 * Names that agents use for a tool and its arguments. All dialects share one parser, so each word has one meaning.
 * Words whose meaning depends on the agent are resolved by `CallArguments.called`.
 */
export interface Vocabulary {
  readonly tool: Tool;
  /** Names of equivalent tools in other agents. Case, `_`, `-` and `.` are ignored. */
  readonly names: readonly string[];
  /** Returns the tool's input. Unsupported arguments are refused through `args`; arguments not taken are unknown. */
  read(args: CallArguments): Record<string, unknown>;
}

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
