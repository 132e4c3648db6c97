import type { FileSnapshot } from '../../ports/environment';

/**
 * Why a file must not be changed on the strength of what the model saw of it, or nothing.
 * `seen` is undefined when it never saw it.
 */
export function staleness(now: FileSnapshot, seen: string | undefined): string | undefined {
  if (seen === undefined || seen === now.version) return undefined;
  return `${now.path} has changed since it was last read or written here, so it was not changed. Read it again: someone else, or a command, edited it.`;
}
