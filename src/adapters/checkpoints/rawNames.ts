import fs from 'node:fs';
import path from 'node:path';

/**
 * Names that are not UTF-8, as old programs and archives make them. Here they are what Node makes of them, with
 * U+FFFD for each byte that says nothing; nothing can be opened by that, so such files are noticed but not copied.
 */
const replacement = '\ufffd';

/** Whether a path may belong to a file whose name is not UTF-8. */
export const hasRawName = (file: string): boolean => path.basename(file).includes(replacement);

/**
 * What is at such a path; undefined where there is nothing. It counts as a file whatever it is, since a folder could
 * not be gone into, nor be made again. Throws what the disk says.
 */
export function statByRawName(file: string): fs.Stats | undefined {
  if (!hasRawName(file)) return undefined;
  const folder = path.dirname(file);
  const name = path.basename(file);
  const raw = fs.readdirSync(folder, { encoding: 'buffer' }).find((each) => each.toString('utf8') === name);
  if (raw === undefined) return undefined;
  const place = Buffer.concat([Buffer.from(`${folder}${path.sep}`), raw]);
  const stat = fs.lstatSync(place, { throwIfNoEntry: false });
  return stat && Object.assign(stat, { isFile: () => true, isDirectory: () => false, isSymbolicLink: () => false });
}
