import type { CommandContext } from '../effects/context';
import type { TemporaryFile } from '../../ports/environment';
import type { Place } from '../syntax/place';

/** The folders where programs of this machine keep what they need for a moment, and something in them. */
const below = /^\/(?:private\/)?(?:var\/)?tmp\/./;

/**
 * What a path in the machine's temporary folders names; undefined for a path that is not there. The folder itself
 * holds what other
 * programs need and is none of it.
 */
export function temporaryFileAt(
  { where, path }: Place,
  { temporaryFile, temporary }: Pick<CommandContext, 'temporaryFile' | 'temporary'>,
): TemporaryFile | undefined {
  if (where !== 'outside') return undefined;
  if (temporary !== undefined && path.startsWith(`${temporary}/`)) return 'ours';
  return below.test(path) ? (temporaryFile?.(path) ?? 'others') : undefined;
}
