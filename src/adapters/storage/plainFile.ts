import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import fs from 'node:fs/promises';

const usualMost = 64 * 1024;
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const asText = (bytes: Buffer): string | undefined => (bytes.includes(0) ? undefined : bytes.toString('utf8'));

/** Undefined for what is no plain file of text, or longer than `most` bytes. A pipe or device is never waited for. */
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

/** The same on this thread. */
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
