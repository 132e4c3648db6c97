import type { CommandContext } from './context';
import type { TemporaryFile } from '../../ports/scripts';
import type { Place } from '../syntax/place';

/** A path below the machine's temporary folders. */
const below = /^\/(?:private\/)?(?:var\/)?tmp\/./;

/**
 * Returns whose file a path in the machine's temporary folders is, or undefined if the path is elsewhere. The temporary
 * folder itself is excluded, because other programs need its content.
 */
export function temporaryFileAt(
  { where, path }: Pick<Place, 'where' | 'path'>,
  { temporaryFile, temporary }: Pick<CommandContext, 'temporaryFile' | 'temporary'>,
): TemporaryFile | undefined {
  if (where !== 'outside') return undefined;
  if (temporary !== undefined && path.startsWith(`${temporary}/`)) return 'ours';
  return below.test(path) ? (temporaryFile?.(path) ?? 'others') : undefined;
}
