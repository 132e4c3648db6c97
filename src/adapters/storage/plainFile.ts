import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import fs from 'node:fs/promises';

const usualMost = 64 * 1024;
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const asText = (bytes: Buffer): string | undefined => (bytes.includes(0) ? undefined : bytes.toString('utf8'));

/**
 * Reads a text file. Returns undefined if it is not a regular file of text, or is longer than `most` bytes. Never waits
 * for a pipe or device.
 */
export async function readPlain(file: string, most = usualMost): Promise<string | undefined> {
  const open = await fs.open(file, flags).catch(() => undefined);
  try {
    const stat = await open?.stat();
    if (!open || !stat?.isFile() || stat.size > most) return undefined;
    return asText(await open.readFile());
  } catch {
    return undefined;
  } finally {
    await open?.close();
  }
}

/** Same as `readPlain`, synchronously. */
export function readPlainNow(file: string, most = usualMost): string | undefined {
  let open: number | undefined;
  try {
    open = openSync(file, flags);
    const stat = fstatSync(open);
    return stat.isFile() && stat.size <= most ? asText(readFileSync(open)) : undefined;
  } catch {
    return undefined;
  } finally {
    if (open !== undefined) closeSync(open);
  }
}
