/**
 * A command line that runs `command` in a subshell of `folder`, for POSIX shells. The command is handed over
 * as one quoted word, so whatever is in it (here-documents, comments, unbalanced quotes or brackets) can
 * neither leave the subshell nor break the line.
 */
export function inSubshell(command: string, folder: string): string {
  return `( cd -- ${quoted(folder)} && eval ${quoted(command)} )`;
}

/** A command line that leaves `command` running. */
export const inBackground = (command: string): string => `eval ${quoted(command)} &`;

/** One word of a POSIX shell. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** No system opens a longer path. */
const longestPath = 4096;

/** A path as one word of a POSIX shell, for those who judge it: as much of it as a system could open. */
export const pathWord = (path: string): string => quoted(path.slice(0, longestPath));
