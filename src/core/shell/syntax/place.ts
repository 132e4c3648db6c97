import { isSystemPlace } from '../../risk/systemPlaces';
import { matchesGlob } from './globs';
import type { Value } from './value';

/** Where a path leads, relative to the workspace folder, without access to the disk. */
export interface Place {
  readonly where: 'inside' | 'outside' | 'stream' | 'unknown';
  /** Relative to the workspace folder if inside, else absolute or below "~". Without "." and "..". */
  readonly path: string;
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
export function resolvePlace(value: Value, cwd: string | undefined, workspace?: string): Place {
  const place = (where: Place['where'], path: string): Place => ({
    where,
    path,
    glob: value.kind === 'glob',
    hidden: value.hidden ?? false,
  });
  if (value.kind === 'unknown') return place('unknown', value.text);
  // `@FILE`: options or text are read from the file.
  const text = value.text.replace(/^@(?=[/~]|\.\.\/)/, '');
  if (streams.test(text)) return place('stream', text);
  if (
    /^[a-zA-Z]:[\\/]?|^\\\\|^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/|^file:|^[\w.-]+@[\w.-]+:|%[0-9a-fA-F]{2}\.{0,2}%?|%\w+%/.test(
      text,
    )
  )
    return place('outside', text);
  const inside = /^\//.test(text) ? belowWorkspace(folderAfterCd('', text), workspace) : undefined;
  if (inside !== undefined) return place('inside', inside);
  if (/^[~/]/.test(text)) return place('outside', folderAfterCd('', text));
  if (cwd === undefined) return place('unknown', text);
  const path = folderAfterCd(cwd, text);
  if (isSystemPlace(path, workspace)) return place('outside', /^[~/.]/.test(path) ? path : `/${path}`);
  return place(
    /^([~/]|\.\.(\/|$)|[A-Za-z]:(\/|$))/.test(path) || (value.kind === 'glob' && mayClimb(path)) ? 'outside' : 'inside',
    path,
  );
}

/** Normalizes an absolute path and makes it relative to the workspace if it is inside. */
function belowWorkspace(absolute: string, workspace: string | undefined): string | undefined {
  if (!workspace || (absolute !== workspace && !absolute.startsWith(`${workspace}/`))) return undefined;
  return absolute.slice(workspace.length + 1) || '.';
}

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
