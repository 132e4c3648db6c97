import { fileURLToPath } from 'node:url';

/** An extension by its id, "publisher.name", and by the name that people know. */
export interface ExtensionName {
  readonly id: string;
  readonly name: string;
}

/** The name shown to people. */
export const wordsFor = ({ id, name }: ExtensionName): string => (name === id ? id : `${name} (${id})`);

/** `folders`: absolute, where its code lies; several spellings where links lead there. */
export interface InstalledExtension extends ExtensionName {
  readonly folders: readonly string[];
}

/**
 * The extension that called, found by the stack of the call: the first frame of a file that is not in `own` decides.
 * Undefined if that file belongs to no extension. VS Code identifies extensions in the same way. It is a name for the
 * person, not a security boundary: extensions share a process.
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

/** The innermost folder wins: extensions under development lie in each other's. */
function ownerOf(file: string, installed: readonly InstalledExtension[]): InstalledExtension | undefined {
  let [best, length] = [undefined as InstalledExtension | undefined, 0];
  for (const extension of installed) {
    for (const folder of extension.folders) {
      const start = plain(folder).replace(/(?<!\/)\/*$/, '/');
      if (start.length > length && plain(file).startsWith(start)) [best, length] = [extension, start.length];
    }
  }
  return best;
}

/** The file of a frame: "at run (/x/y.js:1:2)", "at file:///x/y.js:1:2". Undefined for what is built in. */
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

/** Where the last bracket was opened; names of folders hold brackets, too. */
function openingOf(frame: string): number {
  let depth = 0;
  for (let at = frame.length - 1; at >= 0; at--) {
    if (frame[at] === ')') depth++;
    else if (frame[at] === '(' && --depth === 0) return at;
  }
  return -1;
}

const plain = (file: string): string => (/^[a-z]:/i.test(file) ? file.replaceAll('\\', '/').toLowerCase() : file);
