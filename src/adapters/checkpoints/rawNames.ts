import fs from 'node:fs';
import path from 'node:path';

/**
 * Stands for invalid bytes in names that are not UTF-8, which old programs and archives create. Node.js replaces each
 * such byte with U+FFFD. A file cannot be opened by the resulting name, so it is recorded but not copied.
 */
const replacement = '\ufffd';

/** Returns whether a path may belong to a file whose name is not UTF-8. */
export const hasRawName = (file: string): boolean => path.basename(file).includes(replacement);

/**
 * Returns the stat of such a path, or undefined if it does not exist. Folders count as files, since they could be
 * neither entered nor recreated. Throws the error of the disk.
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
