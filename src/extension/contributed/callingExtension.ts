import { fileURLToPath } from 'node:url';

/** An extension: its ID ("publisher.name") and its display name. */
export interface ExtensionName {
  readonly id: string;
  readonly name: string;
}

/** Returns the name shown to people. */
export const extensionLabel = ({ id, name }: ExtensionName): string => (name === id ? id : `${name} (${id})`);

/** `folders`: absolute paths of its code. There are several if links lead there. */
interface InstalledExtension extends ExtensionName {
  readonly folders: readonly string[];
}

/**
 * Returns the calling extension, found from the call stack: the first frame in a file that does not belong to `own`
 * decides. Returns undefined if that file belongs to no extension. VS Code identifies extensions in the same way. The
 * result is a name for the user, not a security boundary: extensions share a process.
 */
export function callingExtension(
  stack: string,
  installed: readonly InstalledExtension[],
  own: string,
): ExtensionName | undefined {
  for (const line of stack.split('\n')) {
    const file = fileOf(line);
    if (file === undefined) continue;
    const found = ownerOf(file, installed);
    if (found?.id === own) continue;
    return found && { id: found.id, name: found.name };
  }
  return undefined;
}

/** The innermost folder wins, because extensions under development may be nested. */
function ownerOf(file: string, installed: readonly InstalledExtension[]): InstalledExtension | undefined {
  let [best, length] = [undefined as InstalledExtension | undefined, 0];
  for (const extension of installed) {
    for (const folder of extension.folders) {
      const start = comparablePath(folder).replace(/(?<!\/)\/*$/, '/');
      if (start.length > length && comparablePath(file).startsWith(start)) [best, length] = [extension, start.length];
    }
  }
  return best;
}

/**
 * Returns the file of a stack frame such as "at run (/x/y.js:1:2)" or "at file:///x/y.js:1:2". Returns undefined for
 * built-in code.
 */
function fileOf(line: string): string | undefined {
  const frame = /^\s*at (.*)$/.exec(line)?.[1];
  if (frame === undefined) return undefined;
  const place = frame.endsWith(')') ? frame.slice(openingOf(frame) + 1, -1) : frame.replace(/^async /, '');
  const file = /^(.*?)(?::\d+)?(?::\d+)?$/.exec(place)![1]!;
  if (file.startsWith('file://'))
    try {
      return fileURLToPath(file);
    } catch {
      return undefined;
    }
  return /^(?:\/|[a-z]:[\\/])/i.test(file) ? file : undefined;
}

/** Returns the position of the bracket that matches the last one. Folder names can contain brackets, too. */
function openingOf(frame: string): number {
  let depth = 0;
  for (let at = frame.length - 1; at >= 0; at--) {
    if (frame[at] === ')') depth++;
    else if (frame[at] === '(' && --depth === 0) return at;
  }
  return -1;
}

const comparablePath = (file: string): string =>
  /^[a-z]:/i.test(file) ? file.replaceAll('\\', '/').toLowerCase() : file;
