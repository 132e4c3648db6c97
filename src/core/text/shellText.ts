/**
 * Returns a POSIX command line that runs `command` in a subshell in `folder`. The command is passed as one quoted word,
 * so nothing in it (here-documents, comments, unbalanced quotes or brackets) can leave the subshell or break the line.
 */
export function inSubshell(command: string, folder: string): string {
  return `( cd -- ${quoteForShell(folder)} && eval ${quoteForShell(command)} )`;
}

/** Returns a command line that starts `command` in the background. */
export const inBackground = (command: string): string => `eval ${quoteForShell(command)} &`;

/** Quotes a text as one word of a POSIX shell. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Maximum length of a path that any system opens (PATH_MAX). */
const maxPathLength = 4096;

/** Quotes a path as one word of a POSIX shell for analysis. Longer than any system could open, it is truncated. */
export const pathWord = (path: string): string => quoteForShell(path.slice(0, maxPathLength));
