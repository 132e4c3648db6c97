import { constants } from 'node:fs';
import fs from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';
import { secrets } from '../../../core/secrets/secrets';

const pieceBytes = 512 * 1024;

/** Masks the secrets in a file that is too long to be cleaned at once. Between two pieces everything else goes on. */
export async function maskFile(file: string): Promise<void> {
  const masked = `${file}.masked`;
  const source = await fs
    .open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    .catch(() => undefined);
  if (!source) return;
  if (!(await source.stat()).isFile()) return source.close();
  let changed = false;
  // Programs of the terminal can put a link there; it is replaced, never followed.
  await fs.rm(masked, { force: true });
  const target = await fs.open(masked, 'wx', 0o600);
  try {
    const [stream, decoder, buffer] = [secrets.stream(), new StringDecoder('utf8'), Buffer.allocUnsafe(pieceBytes)];
    const put = async (before: string, after: string): Promise<void> => {
      changed ||= after.includes('[masked secret]') && !before.includes('[masked secret]');
      await target.write(after);
    };
    for (;;) {
      const { bytesRead } = await source.read(buffer, 0, pieceBytes);
      if (bytesRead === 0) break;
      const text = decoder.write(buffer.subarray(0, bytesRead));
      await put(text, stream.push(text));
    }
    await put('', stream.end() + decoder.end());
  } catch (error) {
    await fs.rm(masked, { force: true }); // what a full disk took of it
    throw error;
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
  if (changed) await fs.rename(masked, file);
  else await fs.rm(masked, { force: true });
}
