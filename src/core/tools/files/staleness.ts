import type { FileSnapshot } from '../../ports/files';

/**
 * Returns the reason why a file must not be changed based on what the model saw, or undefined. `seen` is undefined if
 * the model never read it.
 */
export function staleness(now: FileSnapshot, seen: string | undefined): string | undefined {
  if (seen === undefined || seen === now.version) return undefined;
  return `${now.path} has changed since it was last read or written here, so it was not changed. Read it again: someone else, or a command, edited it.`;
}
