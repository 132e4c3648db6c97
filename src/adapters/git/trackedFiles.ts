import { Slices } from '../../core/text/slices';
import { readPlainBytes } from '../storage/lenientReads';

/** Bytes of an entry before its hash: times, device, inode, mode, owner and size. */
const beforeHash = 40;
const atMode = 24;
const hashLengths = [20, 32];
/** Flag of an entry that has two more bytes of flags. */
const isExtended = 0x4000;
const kindMask = 0xf000;
const kindOfFile = 0x8000;
const kindOfLink = 0xa000;

/**
 * Returns the files that Git tracks and whose names match, relative to the root of the repository. Reads the index file
 * without starting Git: https://git-scm.com/docs/index-format. Returns undefined if it cannot be read.
 */
export async function trackedFiles(indexFile: string, wanted: RegExp): Promise<readonly string[] | undefined> {
  const bytes = await readPlainBytes(indexFile);
  if (!bytes || bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  for (const hashLength of hashLengths) {
    const found = await namesIn(bytes, { hashLength, isCompressed: version === 4, wanted });
    if (found) return found;
  }
  return undefined;
}

interface Reading {
  readonly hashLength: number;
  /** True if a name contains only what differs from the previous name. */
  readonly isCompressed: boolean;
  readonly wanted: RegExp;
}

/** Returns undefined if the bytes are no entries with hashes of this length. */
async function namesIn(
  bytes: Buffer,
  { hashLength, isCompressed, wanted }: Reading,
): Promise<readonly string[] | undefined> {
  const found: string[] = [];
  const count = bytes.readUInt32BE(8);
  let name = '';
  let start = 12;
  const slices = new Slices();
  for (let nth = 0; nth < count; nth++) {
    if (slices.isOver) await slices.rest();
    const atFlags = start + beforeHash + hashLength;
    if (atFlags + 2 > bytes.length) return undefined;
    const flags = bytes.readUInt16BE(atFlags);
    let atName = atFlags + ((flags & isExtended) === 0 ? 2 : 4);
    let kept = '';
    if (isCompressed) {
      const removed = offsetAt(bytes, atName);
      if (removed.value > name.length) return undefined;
      kept = name.slice(0, name.length - removed.value);
      atName = removed.next;
    }
    const end = bytes.indexOf(0, atName);
    if (end < 0) return undefined;
    name = kept + bytes.toString('latin1', atName, end);
    // The flags contain the length of the name, up to 4095.
    if (name.length === 0 || Math.min(name.length, 0xfff) !== (flags & 0xfff)) return undefined;
    const kind = bytes.readUInt32BE(start + atMode) & kindMask;
    if ((kind === kindOfFile || kind === kindOfLink) && wanted.test(name))
      found.push(Buffer.from(name, 'latin1').toString('utf8'));
    // Uncompressed entries are padded to a multiple of eight bytes, with at least one NUL.
    start = isCompressed ? end + 1 : start + ((end - start + 8) & ~7);
  }
  return found;
}

/** Reads a number in the encoding that packs use for offsets. */
function offsetAt(bytes: Buffer, at: number): { readonly value: number; readonly next: number } {
  let next = at;
  let byte = bytes[next++] ?? 0;
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = bytes[next++] ?? 0;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next };
}
