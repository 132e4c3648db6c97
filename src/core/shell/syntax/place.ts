import { isSystemPlace } from '../../risk/systemPlaces';
import { matchesGlob } from './globs';
import type { Value } from './value';

/** The folders of the workspace: absolute, with links resolved. */
export interface WorkspaceFolders {
  /** The first folder, which relative paths start from. */
  readonly workspace?: string | undefined;
  /** Further folders, in which everything counts as inside, too. */
  readonly otherFolders?: readonly string[] | undefined;
}

/** Where a path leads, relative to the first workspace folder, without access to the disk. */
export interface Place {
  readonly where: 'inside' | 'outside' | 'stream' | 'unknown';
  /**
   * Relative to the first workspace folder if inside it, else absolute or below "~". Without "." and "..".
   */
  readonly path: string;
  /** Set if the path, which is absolute then, is inside this other folder of the workspace. */
  readonly folder?: string;
  /** Set if the path contains a folder of the workspace. */
  readonly holdsWorkspace?: true;
  readonly glob: boolean;
  /** True for a pattern that also matches dot files. */
  readonly hidden: boolean;
  /** Set if a link leads there and the text names another place. */
  readonly behindLink?: true;
}

const streams = /^(-|\/dev\/(null|stdin|stdout|stderr|fd\/\d+|tty|zero|urandom|random))$/;
export const sink = /^\/dev\/(null|stdout|stderr|tty|fd\/([12]|63))$/;

/**
 * Resolves a path. `cwd` is relative to the workspace or absolute; undefined if the line changed to a folder known only
 * at run time.
 */
export function resolvePlace(value: Value, cwd: string | undefined, folders: WorkspaceFolders = {}): Place {
  const { workspace } = folders;
  const place = (where: Place['where'], path: string): Place => ({
    where,
    path,
    glob: value.kind === 'glob',
    hidden: value.hidden ?? false,
    ...(where === 'outside' && holdsFolder(path, folders) && { holdsWorkspace: true }),
  });
  if (value.kind === 'unknown') return place('unknown', value.text);
  // `@FILE`: options or text are read from the file.
  const text = value.text.replace(/^@(?=[/~]|\.\.\/)/, '');
  if (streams.test(text)) return place('stream', text);
  const onDrive = belowWorkspaceOnDrive(text, workspace);
  if (onDrive !== undefined) return place('inside', onDrive);
  if (
    /^[a-zA-Z]:[\\/]?|^\\\\|^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/|^file:|^[\w.-]+@[\w.-]+:|%[0-9a-fA-F]{2}\.{0,2}%?|%\w+%/.test(
      text,
    )
  )
    return place('outside', text);
  const inside = /^\//.test(text) ? belowWorkspace(folderAfterCd('', text), workspace) : undefined;
  if (inside !== undefined) return place('inside', inside);
  const inOtherFolder = (path: string): Place | undefined => {
    const found = belowOtherFolder(path, value.kind === 'glob', folders);
    return found && { ...place('inside', found.path), ...found };
  };
  if (/^[~/]/.test(text)) {
    const path = folderAfterCd('', text);
    return inOtherFolder(path) ?? place('outside', path);
  }
  if (cwd === undefined) return place('unknown', text);
  const path = folderAfterCd(cwd, text);
  const elsewhere = inOtherFolder(path);
  if (elsewhere) return elsewhere;
  if (isSystemPlace(path, workspace)) return place('outside', /^[~/.]/.test(path) ? path : `/${path}`);
  return place(
    /^([~/]|\.\.(\/|$)|[A-Za-z]:(\/|$))/.test(path) || (value.kind === 'glob' && mayClimb(path)) ? 'outside' : 'inside',
    path,
  );
}

/**
 * Finds a path that leaves the first folder in the other folders, or in the first one again. A folder that contains the
 * first one is not inside: what deletes it deletes the workspace.
 */
function belowOtherFolder(
  path: string,
  isGlob: boolean,
  { workspace, otherFolders = [] }: WorkspaceFolders,
): Pick<Place, 'path' | 'folder'> | undefined {
  if (otherFolders.length === 0 || !workspace?.startsWith('/') || !/^(?:\/|\.\.(?:\/|$))/.test(path)) return undefined;
  const absolute = folderAfterCd(workspace, path);
  if (isGlob && mayClimb(absolute)) return undefined;
  const parts = absolute.split('/');
  const firstPattern = isGlob ? parts.findIndex((part) => /[*?[{]/.test(part)) : -1;
  const written = firstPattern < 0 ? absolute : parts.slice(0, firstPattern).join('/');
  if (isBelow(written, workspace)) return { path: belowWorkspace(absolute, workspace)! };
  const folder = isBelow(workspace, written) ? undefined : otherFolders.find((other) => isBelow(written, other));
  return folder === undefined ? undefined : { path: absolute, folder };
}

/** Normalizes an absolute path and makes it relative to the workspace if it is inside. */
function belowWorkspace(absolute: string, workspace: string | undefined): string | undefined {
  if (!workspace || !isBelow(absolute, workspace)) return undefined;
  return absolute.slice(workspace.length + 1) || '.';
}

/**
 * Makes an absolute path of Windows relative to the workspace if it is inside. Windows ignores case. Undefined for a
 * path that names a hidden stream of a file.
 */
function belowWorkspaceOnDrive(text: string, workspace: string | undefined): string | undefined {
  if (!workspace || !isOnDrive(text) || !isOnDrive(workspace) || text.includes(':', 2)) return undefined;
  const [absolute, folder] = [text, workspace].map(
    (path) => path.slice(0, 2) + folderAfterCd('', path.slice(2).replaceAll('\\', '/')),
  ) as [string, string];
  const above = folder.replace(/\/$/, '');
  if (!isBelow(absolute.toLowerCase(), above.toLowerCase())) return undefined;
  return absolute.slice(above.length + 1) || '.';
}

const isOnDrive = (path: string): boolean => /^[a-zA-Z]:[\\/]/.test(path);

/** Returns whether an absolute path, or everything in it, contains a folder of the workspace. */
function holdsFolder(path: string, { workspace, otherFolders = [] }: WorkspaceFolders): boolean {
  const plain = path.replace(/\/[.?]?\*{1,2}$/, '');
  return /^\//.test(path) && [workspace ?? '', ...otherFolders].some((folder) => isBelow(folder, plain));
}

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** Returns whether a folder, relative to the first one or absolute, is one of the folders that people opened. */
export const isWorkspaceFolder = (folder: string | undefined, { otherFolders = [] }: WorkspaceFolders): boolean =>
  folder === '.' || (folder !== undefined && otherFolders.includes(folder));

/** Returns the path of a place relative to the folder of the workspace that it is in. */
export const pathInFolder = ({ path, folder }: Pick<Place, 'path' | 'folder'>): string =>
  folder === undefined ? path : path.slice(folder.length + 1) || '.';

/** `.?/x` also matches `../x`. */
const mayClimb = (path: string): boolean =>
  path
    .split('/')
    .slice(0, -1)
    .some((part) => /^\.[?*[]/.test(part) && matchesGlob(part, '..'));

/** Returns the folder of a line after `cd text`. */
export function folderAfterCd(cwd: string, text: string): string {
  const absolute = /^[~/]/.test(text);
  const full = absolute || cwd === '.' || cwd === '' ? text : `${cwd}/${text}`;
  const lead = full.startsWith('/') ? '/' : '';
  const parts: string[] = [];
  for (const part of full.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.length > 0 && parts.at(-1) !== '..' && !/^~/.test(parts.at(-1)!)) parts.pop();
    else if (!lead) parts.push(part);
  }
  return lead + parts.join('/') || '.';
}
