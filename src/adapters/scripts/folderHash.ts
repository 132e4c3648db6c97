import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import { hashOfFile, isCode } from './programsBehind';

/** Files and bytes of a folder that are looked at. */
const most = { files: 3000, bytes: 64 << 20 };

/** SHA-256 of the names and contents of the files of a folder, or of those among them that are programs; links are taken by what they lead to. Undefined where there is too much of it or something cannot be read. */
export async function hashOfFolder(folder: string, which: 'all' | 'code'): Promise<string | undefined> {
  const hash = createHash('sha256');
  const left = { ...most };
  const visit = async (at: string): Promise<boolean> => {
    for (const entry of (await fs.readdir(at, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (left.files-- <= 0) return false;
      const file = path.join(at, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== '.git' && !(await visit(file))) return false;
      } else if (entry.isFile() || entry.isSymbolicLink()) {
        const link = entry.isSymbolicLink() ? await fs.readlink(file) : '';
        const stat = await fs.stat(file).catch(() => undefined);
        if (stat?.isDirectory()) return false;
        if (stat?.isFile() && (which === 'all' || (await isCode(file)))) {
          if ((left.bytes -= stat.size) < 0) return false;
          hash.update(JSON.stringify([path.relative(folder, file), link, await hashOfFile(file)]));
        }
      }
    }
    return true;
  };
  return (await visit(folder).catch(() => false)) ? hash.digest('hex') : undefined;
}
