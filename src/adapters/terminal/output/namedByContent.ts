import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { syncFolder } from '../../storage/durableFile';
import { openOutput } from './outputFile';

const piece = 1024 * 1024;

/**
 * Gives a kept output the SHA-256 of its content as its name and makes it durable, so that an event never names what a crash could take
 * away, and whoever reads it later can tell whether it is what was printed. The old name, where that cannot be done.
 */
export function namedByContent(file: string): string {
  try {
    const descriptor = openOutput(file, 'read');
    const hash = createHash('sha256');
    try {
      const buffer = Buffer.allocUnsafe(piece);
      for (let read; (read = fs.readSync(descriptor, buffer, 0, piece, null)) > 0;)
        hash.update(buffer.subarray(0, read));
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
    const named = path.join(path.dirname(file), `${hash.digest('hex')}.txt`);
    fs.renameSync(file, named);
    syncFolder(path.dirname(file));
    return named;
  } catch {
    return file;
  }
}
