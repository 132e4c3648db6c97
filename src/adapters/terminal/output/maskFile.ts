import { constants } from 'node:fs';
import fs from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { FloodMask } from '../../../core/secrets/floodMask';
import { secrets } from '../../../core/secrets/secrets';

/** Small enough to block the thread for only some milliseconds per piece, even with secrets in it. */
const pieceBytes = 128 * 1024;

/**
 * Masks the secrets in a file that is too long to be cleaned at once. Yields to other work between pieces. A file
 * without secrets is read once and not written.
 */
export async function maskFile(file: string): Promise<void> {
  const source = await fs
    .open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    .catch(() => undefined);
  if (!source) return;
  let masked: string | undefined;
  try {
    if ((await source.stat()).isFile() && (await holdsSecret(source))) masked = await maskedCopy(source, file);
  } finally {
    await source.close();
  }
  if (masked === undefined) return;
  // Windows cannot replace an open file.
  await fs.rename(masked, file).catch(async (error: unknown) => {
    await fs.rm(masked, { force: true });
    throw error;
  });
}

async function holdsSecret(source: fs.FileHandle): Promise<boolean> {
  const mask = new FloodMask(secrets);
  for await (const text of readPieces(source)) {
    mask.push(text);
    if (mask.hasMasked) return true;
  }
  mask.end();
  return mask.hasMasked;
}

/** Writes a masked copy beside the file and resolves to its name. */
async function maskedCopy(source: fs.FileHandle, file: string): Promise<string> {
  const masked = `${file}.masked`;
  // Programs of the terminal can put a link there; it is replaced, never followed.
  await fs.rm(masked, { force: true });
  const target = await fs.open(masked, 'wx', 0o600);
  try {
    const mask = new FloodMask(secrets);
    let half = '';
    // The mask may return half of a surrogate pair; written separately, each half would be replaced by another
    // character.
    const write = async (text: string, { isLast = false }: { readonly isLast?: boolean } = {}): Promise<void> => {
      const whole = half + text;
      half = !isLast && /[\uD800-\uDBFF]$/.test(whole) ? whole.slice(-1) : '';
      await target.appendFile(half === '' ? whole : whole.slice(0, -1));
    };
    for await (const text of readPieces(source)) await write(mask.push(text));
    await write(mask.end(), { isLast: true });
    await target.close();
  } catch (error) {
    await target.close().catch(() => undefined);
    await fs.rm(masked, { force: true }); // what was written before the disk was full
    throw error;
  }
  return masked;
}

/** Yields the text of a file from its beginning; splits no character. */
async function* readPieces(source: fs.FileHandle): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  const buffer = Buffer.allocUnsafe(pieceBytes);
  for (let at = 0; ;) {
    const { bytesRead } = await source.read(buffer, 0, pieceBytes, at);
    if (bytesRead === 0) break;
    at += bytesRead;
    yield decoder.write(buffer.subarray(0, bytesRead));
  }
  yield decoder.end();
}
