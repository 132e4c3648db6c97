import { constants } from 'node:fs';
import fs from 'node:fs/promises';

/** Undefined for what is no plain file of text, or longer than `most` bytes. A pipe or device is never waited for. */
export async function readPlain(file: string, most = 64 * 1024): Promise<string | undefined> {
  const open = await fs.open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => undefined);
  try {
    const stat = await open?.stat();
    if (!open || !stat?.isFile() || stat.size > most) return undefined;
    const bytes = await open.readFile();
    return bytes.includes(0) ? undefined : bytes.toString('utf8');
  } catch {
    return undefined;
  } finally {
    await open?.close();
  }
}
