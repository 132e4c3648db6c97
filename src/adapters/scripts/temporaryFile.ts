import fs from 'node:fs/promises';
import type { TemporaryFile } from '../../core/ports/environment';

/**
 * What is at a path in the machine's temporary folders. Ours is a plain file or folder of this user that was made since `since`
 * (milliseconds since 1970), in folders of which the same is true. A link may lead anywhere and counts as another's.
 */
export async function temporaryFile(absolute: string, since: number): Promise<TemporaryFile> {
  if (/[*?[{\0]/.test(absolute)) return 'others';
  const [, top, ...parts] = /^((?:\/private)?(?:\/var)?\/tmp)\/(.+)$/.exec(absolute) ?? [];
  if (top === undefined || parts.length === 0) return 'others';
  let at = top;
  for (const part of parts[0]!.split('/').filter((one) => one !== '' && one !== '.')) {
    at = `${at}/${part}`;
    const stat = await fs.lstat(at).catch((problem: NodeJS.ErrnoException) => problem.code);
    if (stat === 'ENOENT') return 'none';
    if (typeof stat !== 'object' || !(stat.isFile() || stat.isDirectory())) return 'others';
    if (stat.uid !== process.getuid?.() || stat.birthtimeMs < since) return 'others';
  }
  return 'ours';
}
