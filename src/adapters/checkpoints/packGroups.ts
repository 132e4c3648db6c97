import { hash as digest } from 'node:crypto';
import fs from 'node:fs';
import zlib from 'node:zlib';

// A pack is a sequence of groups. A group is a header, which names the hash and length of each content, and the contents
// one after another, compressed together.

/** Number of bytes to collect before they are compressed and written as one group. */
export const groupBytes = 512 * 1024;
const magic = 0x574d4b31;
const headerBytes = 20;
const entryBytes = 36;

/** A copy that is missing from the store or damaged. The message is for people. */
export class DamagedCopy extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DamagedCopy';
  }
}

export interface PackEntry {
  readonly hash: string;
  readonly length: number;
}

/** A group of a pack, and where it begins and ends. */
export interface PackGroup {
  readonly offset: number;
  readonly end: number;
  readonly entries: readonly PackEntry[];
}

interface GroupHeader {
  readonly entries: readonly PackEntry[];
  readonly payloadAt: number;
  readonly payloadBytes: number;
  readonly method: number;
}

/** Returns a group as it is stored. `contents`: one after another, in the order of their entries. */
export function encodeGroup(entries: readonly PackEntry[], contents: Buffer): Buffer {
  const payload = compress(contents);
  return Buffer.concat([encodeHeader(entries, payload), payload.bytes]);
}

export const blobHash = (bytes: Uint8Array): string => digest('sha256', bytes);

/** Returns the contents of a group, one after another. Throws `DamagedCopy`. */
export function contentsOfGroup(file: string, position: number): Buffer {
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(file, 'r');
    const header = readHeader(descriptor, position);
    if (!header) throw new DamagedCopy(`The file copies in ${file} are damaged.`);
    const payload = Buffer.alloc(header.payloadBytes);
    const read = fs.readSync(descriptor, payload, 0, payload.length, header.payloadAt);
    if (read < payload.length) throw new DamagedCopy(`The file copies in ${file} are truncated.`);
    return decompressed(payload, header.method);
  } catch (error) {
    if (error instanceof DamagedCopy) throw error;
    throw new DamagedCopy(`The file copies in ${file} are damaged: ${(error as Error).message}.`);
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/** Yields the groups of a pack file, up to the first damaged one. None if the file cannot be opened. */
export function* groupsInFile(file: string, from: number): Generator<PackGroup> {
  let descriptor: number;
  try {
    descriptor = fs.openSync(file, 'r');
  } catch {
    return;
  }
  try {
    yield* groupsIn(descriptor, from);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Yields the groups of an open pack, up to the first damaged one. Throws errors of the disk. */
export function* groupsIn(descriptor: number, from = 0): Generator<PackGroup> {
  const { size } = fs.fstatSync(descriptor);
  for (let offset = from; offset < size;) {
    const header = readHeader(descriptor, offset);
    // The writer was killed while it wrote this group, or the group is damaged. Anything after it cannot be found.
    if (!header || header.payloadAt + header.payloadBytes > size) return;
    const end = header.payloadAt + header.payloadBytes;
    yield { offset, end, entries: header.entries };
    offset = end;
  }
}

/** Yields the groups of an open pack as they are stored, as far as the disk returns their contents undamaged. */
export function* storedGroupsIn(
  descriptor: number,
  from: number,
): Generator<{ readonly entries: readonly PackEntry[]; readonly bytes: Buffer }> {
  try {
    for (const { offset, end, entries } of groupsIn(descriptor, from)) {
      const bytes = Buffer.alloc(end - offset);
      fs.readSync(descriptor, bytes, 0, bytes.length, offset);
      const payload = bytes.subarray(headerBytes + entries.length * entryBytes);
      if (!isIntact(entries, decompressed(payload, bytes.readUInt32LE(4)))) return;
      yield { entries, bytes };
    }
  } catch {
    return;
  }
}

function isIntact(entries: readonly PackEntry[], contents: Buffer): boolean {
  let offset = 0;
  return entries.every(({ hash, length }) => {
    const content = contents.subarray(offset, (offset += length));
    return blobHash(content) === hash;
  });
}

interface Compressed {
  readonly bytes: Buffer;
  /** 0: uncompressed; 1: deflate; 2: zstd. */
  readonly method: number;
}

/**
 * Uses zstd if this version of Node.js supports it, otherwise deflate. Stores the bytes uncompressed if compression
 * saves nothing, as for images.
 */
function compress(bytes: Buffer): Compressed {
  const hasZstd = typeof (zlib as { zstdCompressSync?: unknown }).zstdCompressSync === 'function';
  // Large enough for the output to be one chunk.
  const chunkSize = Math.max(1024, Math.min(groupBytes, bytes.length));
  const packed = hasZstd
    ? zlib.zstdCompressSync(bytes, { chunkSize, params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } })
    : zlib.deflateRawSync(bytes, { chunkSize, level: 1 });
  if (packed.length >= bytes.length) return { bytes, method: 0 };
  return { bytes: packed, method: hasZstd ? 2 : 1 };
}

function decompressed(payload: Buffer, method: number): Buffer {
  if (method === 2) return zlib.zstdDecompressSync(payload);
  return method === 1 ? zlib.inflateRawSync(payload) : payload;
}

/**
 * Magic number, method, number of entries, payload length, checksum of the rest; then a hash and a length for each
 * entry.
 */
function encodeHeader(entries: readonly PackEntry[], { bytes, method }: Compressed): Buffer {
  const header = Buffer.alloc(headerBytes + entries.length * entryBytes);
  header.writeUInt32LE(magic, 0);
  header.writeUInt32LE(method, 4);
  header.writeUInt32LE(entries.length, 8);
  header.writeUInt32LE(bytes.length, 12);
  entries.forEach(({ hash, length }, index) => {
    const at = headerBytes + index * entryBytes;
    header.write(hash, at, 32, 'hex');
    header.writeUInt32LE(length, at + 32);
  });
  header.writeUInt32LE(checksumOf(header), 16);
  return header;
}

const checksumOf = (header: Buffer): number =>
  zlib.crc32(header.subarray(headerBytes), zlib.crc32(header.subarray(0, 16)));

function readHeader(descriptor: number, position: number): GroupHeader | undefined {
  const fixed = Buffer.alloc(headerBytes);
  if (fs.readSync(descriptor, fixed, 0, headerBytes, position) < headerBytes) return undefined;
  const count = fixed.readUInt32LE(8);
  if (fixed.readUInt32LE(0) !== magic || count > 10_000_000) return undefined;
  const header = Buffer.alloc(headerBytes + count * entryBytes);
  if (fs.readSync(descriptor, header, 0, header.length, position) < header.length) return undefined;
  if (fixed.readUInt32LE(16) !== checksumOf(header)) return undefined;
  const entries = Array.from({ length: count }, (_, index) => {
    const entryAt = headerBytes + index * entryBytes;
    return { hash: header.toString('hex', entryAt, entryAt + 32), length: header.readUInt32LE(entryAt + 32) };
  });
  return {
    entries,
    method: fixed.readUInt32LE(4),
    payloadAt: position + header.length,
    payloadBytes: fixed.readUInt32LE(12),
  };
}
