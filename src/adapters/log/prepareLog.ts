import fs from 'node:fs';
import { writeDurably } from '../storage/durableFile';
import { framed } from '../storage/frame';
import { newHeader } from './header';
import type { ReadLog } from './readLog';

/** Saves the partial line that a crash left at the end in a file beside the log, then cuts it off. */
export function cutTorn(file: string, { size, unended }: Pick<ReadLog, 'size' | 'unended'>): void {
  const bytes = bytesFrom(file, size);
  if (bytes.length > 0) {
    writeDurably(`${file}.torn-${Date.now()}`, [bytes]);
    fs.truncateSync(file, size);
  }
  if (unended) fs.appendFileSync(file, '\n', { flush: true });
}

/**
 * Rewrites a log of version 1 in this version. The original stays in place; if both would have the same name, the
 * original is renamed to `.v1`. No line is sealed, because nothing vouches for a log without seals.
 */
export function migrate(from: string, to: string, { size }: Pick<ReadLog, 'size'>): { size: number; hash: string } {
  const [, ...objects] = fs.readFileSync(from).toString('utf8', 0, size).split('\n').slice(0, -1);
  let hash = '';
  const lines = [JSON.stringify(newHeader()), ...objects].map((object) => {
    const next = framed(object, hash, undefined);
    hash = next.hash;
    return next.line;
  });
  if (from === to) keepAs(from, `${from}.v1`);
  writeDurably(to, lines);
  return { size: Buffer.byteLength(lines.join('')), hash };
}

function keepAs(file: string, name: string): void {
  // A copy instead of a hard link, which would prevent the log from being written; see `eventLog.ts`.
  if (!fs.existsSync(name)) fs.copyFileSync(file, name, fs.constants.COPYFILE_FICLONE);
}

function bytesFrom(file: string, start: number): Buffer {
  if (!fs.existsSync(file)) return Buffer.alloc(0);
  const descriptor = fs.openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(Math.max(0, fs.fstatSync(descriptor).size - start));
    return bytes.subarray(0, fs.readSync(descriptor, bytes, 0, bytes.length, start));
  } finally {
    fs.closeSync(descriptor);
  }
}
