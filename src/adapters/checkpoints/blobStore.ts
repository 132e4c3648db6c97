import { hash as digest } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { runInSlices, runToEnd, Slices, type InPieces } from '../../core/text/slices';
import { UnsyncedFolders } from '../storage/durableFile';
import { processScope, startOf } from '../storage/fileLock';

/**
 * Stores file contents by the hash of their bytes. Equal contents are stored once; many small ones are compressed
 * together.
 */

/** Number of bytes to collect before they are compressed and written as one group. */
const groupBytes = 512 * 1024;
/** Number of decompressed groups to cache, since neighbors are read together. */
const rememberedGroups = 16;
/** Maximum size of that cache, in bytes: a group may be one large file. */
const rememberedBytes = 64 * 1024 * 1024;
/** Resolution of file system timestamps, in ms: two changes within this time may have the same timestamp. */
export const timeGrainMs = 100;
/** Minimum interval between checks of the folder's timestamp, in ms. Not every stored file triggers one. */
const askEveryMs = 50;
/** How long a pack of another machine or container counts as in use after it was last written, in ms. */
const writtenElsewhereMs = 24 * 60 * 60_000;
const magic = 0x574d4b31;
const headerBytes = 20;
const entryBytes = 36;

/** A copy that is missing from the store or damaged. The message is for people. */
class DamagedCopy extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'DamagedCopy';
  }
}

/** Where a copy is stored: its group within a pack, and its position in the group. */
interface Place {
  readonly pack: string;
  readonly group: number;
  readonly offset: number;
  readonly length: number;
}

interface GroupHeader {
  readonly entries: readonly { readonly hash: string; readonly length: number }[];
  readonly payloadAt: number;
  readonly payloadBytes: number;
  readonly method: number;
}

/** The header of a group, and where the group begins and ends in the pack. */
interface FoundHeader {
  readonly offset: number;
  readonly header: GroupHeader;
  readonly end: number;
}

/** A group of a pack file as it is on disk, with its hashes. */
interface PackGroup {
  readonly offset: number;
  readonly entries: readonly { readonly hash: string; readonly length: number }[];
  readonly storedBytes: number;
}

export const blobHash = (bytes: Uint8Array): string => digest('sha256', bytes);

/**
 * The store of one folder on disk. Every process writes its own packs, so several can use a store at the same time.
 * Contents passed to `put` are on disk after `flush`.
 */
export class BlobStore {
  private readonly places = new Map<string, Place>();
  /** Copies to be written with the next group, in order, with their future positions. */
  private readonly waiting = new Map<string, { readonly offset: number; readonly length: number }>();
  private waitingBytes = Buffer.alloc(0);
  private waitingLength = 0;
  private readonly groups = new Map<string, Buffer>();
  private pack: OpenPack | undefined;
  private readonly scope = scopeName();
  /** Number of bytes read of each pack. */
  private readonly read = new Map<string, number>();
  /** Timestamp of the folder when its packs were last read; undefined if they must be read again. */
  private readAtMs: number | undefined;
  /** When the timestamp of the folder was last checked. */
  private askedAt = -Infinity;
  private loading: Promise<void> | undefined;

  constructor(readonly folder: string) {}

  /**
   * Returns whether the content is stored, as far as this process knows. Recent writes of other processes may be
   * missing.
   */
  has(hash: string): boolean {
    this.readPacks();
    return this.places.has(hash) || this.waiting.has(hash);
  }

  /** Stores the content and returns its hash. It is on disk after the next `flush`. The caller may reuse the buffer. */
  put(bytes: Uint8Array): string {
    const hash = blobHash(bytes);
    if (this.has(hash)) return hash;
    const offset = this.waitingLength;
    this.makeRoom(bytes.length);
    this.waitingBytes.set(bytes, offset);
    this.waiting.set(hash, { offset, length: bytes.length });
    this.waitingLength += bytes.length;
    if (this.waitingLength >= groupBytes) this.writeGroup();
    return hash;
  }

  private makeRoom(more: number): void {
    const needed = this.waitingLength + more;
    if (this.waitingBytes.length >= needed) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(2 * groupBytes, 2 * needed)));
    larger.set(this.waitingBytes.subarray(0, this.waitingLength));
    this.waitingBytes = larger;
  }

  /**
   * Resolves when everything passed to `put` survives a power failure. Rejects with the error of the disk; the next call
   * tries again.
   */
  async flush(): Promise<void> {
    if (this.waiting.size > 0) this.writeGroup();
    const pack = this.pack && this.openPack();
    if (pack?.unsynced) pack.syncing = syncPack(pack);
    await pack?.syncing;
  }

  /** Returns the content. Throws `DamagedCopy` if it is not stored or does not match its hash. */
  get(hash: string): Buffer {
    const waiting = this.waiting.get(hash);
    if (waiting) return Buffer.from(this.waitingBytes.subarray(waiting.offset, waiting.offset + waiting.length));
    const place = this.placeOf(hash);
    if (!place)
      throw new DamagedCopy(`The copy ${hash.slice(0, 12)} is not in ${this.folder}: it was cleaned up or damaged.`);
    const group = this.readGroup(place);
    const bytes = group.subarray(place.offset, place.offset + place.length);
    if (blobHash(bytes) !== hash)
      throw new DamagedCopy(
        `The copy ${hash.slice(0, 12)} in ${path.join(this.folder, place.pack)} is damaged: its content has changed.`,
      );
    return bytes;
  }

  private placeOf(hash: string): Place | undefined {
    this.readPacks();
    const known = this.places.get(hash);
    if (known && fs.existsSync(path.join(this.folder, known.pack))) return known;
    // Another process has written it since, or has removed its pack and copied the needed contents to another one.
    if (known) this.forgetPacks(new Set([known.pack]));
    this.reload();
    return this.places.get(hash);
  }

  /** Reads the packs on disk again. */
  reload(): void {
    this.readAtMs = undefined;
    this.askedAt = -Infinity;
    this.readPacks();
  }

  /** The names of all packs on disk. */
  packs(): string[] {
    try {
      return fs.readdirSync(this.folder).filter((name) => name.endsWith('.pack'));
    } catch {
      return [];
    }
  }

  /**
   * Returns whether the process that wrote a pack may be alive, and need contents that are not in a journal yet. Whether
   * one of another machine or container is alive is unknown.
   */
  isInUse(pack: string): boolean {
    const [, pid = '', scope = this.scope] = /^(\d+)-[^.]*(?:\.([\da-f]{8}))?\.pack$/.exec(pack) ?? [];
    if (scope === this.scope) return startOf(Number(pid)) !== '';
    const writtenMs = fs.statSync(path.join(this.folder, pack), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return writtenMs > Date.now() - writtenElsewhereMs;
  }

  /** Returns the groups of a pack, up to the first damaged one. Undefined if the pack cannot be read now. */
  groupsOf(pack: string): PackGroup[] | undefined {
    let descriptor: number | undefined;
    try {
      descriptor = fs.openSync(path.join(this.folder, pack), 'r');
      return [...headersIn(descriptor)].map(({ offset, header }) => ({
        offset,
        entries: header.entries,
        storedBytes: header.payloadAt + header.payloadBytes - offset,
      }));
    } catch {
      return undefined;
    } finally {
      if (descriptor !== undefined) fs.closeSync(descriptor);
    }
  }

  /** Size on disk, in bytes. */
  size(): number {
    const sizes = this.packs().map(
      (name) => fs.statSync(path.join(this.folder, name), { throwIfNoEntry: false })?.size ?? 0,
    );
    return sizes.reduce((sum, each) => sum + each, 0);
  }

  /** Deletes packs whose contents are not needed. */
  async remove(packs: ReadonlySet<string>): Promise<void> {
    const slices = new Slices();
    let removed = new Set<string>();
    for (const pack of packs) {
      if (slices.isOver) {
        // Before other work runs: what it stores is not copied if it is known.
        this.forgetPacks(removed);
        removed = new Set();
        await slices.rest();
      }
      if (pack === this.pack?.name) this.close();
      fs.rmSync(path.join(this.folder, pack), { force: true });
      removed.add(pack);
    }
    this.forgetPacks(removed);
  }

  private forgetPacks(packs: ReadonlySet<string>): void {
    if (packs.size === 0) return;
    for (const pack of packs) this.read.delete(pack);
    for (const [hash, { pack }] of this.places) if (packs.has(pack)) this.places.delete(hash);
    for (const key of this.groups.keys()) if (packs.has(key.slice(0, key.lastIndexOf(':')))) this.groups.delete(key);
  }

  /** Forgets where a content is stored, so that the next `put` writes it to another pack. */
  forget(hash: string): void {
    this.places.delete(hash);
  }

  close(): void {
    if (this.pack) fs.closeSync(this.pack.descriptor);
    this.pack = undefined;
  }

  /**
   * Reads what was added to the folder since the last time, and forgets packs that another process removed when it
   * cleaned the store.
   */
  private readPacks(): void {
    if (performance.now() - this.askedAt < askEveryMs) return;
    runToEnd(this.readPacksInPieces());
  }

  /** Reads the packs, and lets other work run in between. Call it before the first use: a store may have 1,000 packs. */
  load(): Promise<void> {
    return (this.loading ??= runInSlices(this.readPacksInPieces()).finally(() => (this.loading = undefined)));
  }

  private *readPacksInPieces(): InPieces<void> {
    this.askedAt = performance.now();
    const timeMs = fs.statSync(this.folder, { throwIfNoEntry: false })?.mtimeMs;
    if (timeMs === undefined) return this.forgetAllPacks();
    if (timeMs === this.readAtMs) return;
    const packs = new Set(this.packs());
    this.forgetPacks(new Set([...this.read.keys()].filter((known) => !packs.has(known))));
    for (const pack of packs) {
      if (pack === this.pack?.name) continue;
      const from = this.read.get(pack) ?? 0;
      this.read.set(pack, from);
      for (const { offset, header, end } of readHeaders(path.join(this.folder, pack), from)) {
        this.remember(pack, offset, header.entries);
        this.read.set(pack, end);
        yield;
        // It was removed meanwhile.
        if (!this.read.has(pack)) break;
      }
    }
    // A change a moment later may get the same timestamp.
    this.readAtMs = Date.now() - timeMs > timeGrainMs ? timeMs : undefined;
  }

  /** The folder was deleted, including the pack that this process writes. */
  private forgetAllPacks(): void {
    this.readAtMs = undefined;
    this.forgetPacks(new Set(this.read.keys()));
  }

  private remember(pack: string, group: number, entries: GroupHeader['entries']): void {
    let offset = 0;
    for (const { hash, length } of entries) {
      if (!this.places.has(hash)) this.places.set(hash, { pack, group, offset, length });
      offset += length;
    }
  }

  private readGroup({ pack, group }: Place): Buffer {
    const key = `${pack}:${group}`;
    const known = this.groups.get(key);
    if (known) return known;
    const file = path.join(this.folder, pack);
    const bytes = decompressed(file, group);
    this.groups.set(key, bytes);
    const room = (): number =>
      Array.from(this.groups.values(), ({ length }) => length).reduce((sum, each) => sum + each, 0);
    while (this.groups.size > 1 && (this.groups.size > rememberedGroups || room() > rememberedBytes))
      this.groups.delete(this.groups.keys().next().value!);
    return bytes;
  }

  private writeGroup(): void {
    const pack = this.openPack();
    const payload = compress(this.waitingBytes.subarray(0, this.waitingLength));
    const entries = Array.from(this.waiting, ([hash, { length }]) => ({ hash, length }));
    const group = Buffer.concat([encodeHeader(entries, payload), payload.bytes]);
    try {
      for (let written = 0; written < group.length;)
        written += fs.writeSync(pack.descriptor, group, written, group.length - written, pack.size + written);
    } catch (error) {
      // The next group overwrites a partially written one.
      throw new Error(`File copies could not be written to ${this.folder}. ${(error as Error).message}`, {
        cause: error,
      });
    }
    this.remember(pack.name, pack.size, entries);
    pack.size += group.length;
    pack.unsynced = true;
    this.waiting.clear();
    this.waitingLength = 0;
    // Frees the buffer after a large file.
    if (this.waitingBytes.length > 2 * groupBytes) this.waitingBytes = Buffer.alloc(0);
  }

  /** Returns the pack to write to: the same until a sync fails. */
  private openPack(): OpenPack {
    const earlier = this.pack;
    if (earlier && !earlier.hasFailed) return earlier;
    const pack = this.newPack();
    try {
      if (earlier) this.moveUnsynced(earlier, pack);
    } catch (error) {
      fs.closeSync(pack.descriptor);
      fs.rmSync(path.join(this.folder, pack.name), { force: true });
      throw error;
    }
    if (earlier) fs.closeSync(earlier.descriptor);
    return (this.pack = pack);
  }

  /**
   * Writes what may not be on disk to another pack. After a failed sync, the system may have dropped it, and still report
   * the next sync as successful. What is lost is forgotten, so that the next `put` stores it.
   */
  private moveUnsynced(from: OpenPack, to: OpenPack): void {
    const groups: { readonly entries: GroupHeader['entries']; readonly at: number }[] = [];
    for (const { offset, header, end } of headersIn(from.descriptor, from.syncedSize)) {
      const group = bytesAt(from.descriptor, offset, end - offset);
      if (!group) break;
      fs.writeFileSync(to.descriptor, group);
      groups.push({ entries: header.entries, at: to.size });
      to.size += group.length;
    }
    const wasUnsynced = ({ pack, group }: Place): boolean => pack === from.name && group >= from.syncedSize;
    for (const [hash, place] of this.places) if (wasUnsynced(place)) this.places.delete(hash);
    for (const { entries, at } of groups) this.remember(to.name, at, entries);
    to.unsynced = true;
  }

  private newPack(): OpenPack {
    const unsyncedFolders = new UnsyncedFolders();
    unsyncedFolders.make(this.folder);
    const name = `${process.pid}-${crypto.randomUUID().slice(0, 12)}.${this.scope}.pack`;
    const descriptor = fs.openSync(path.join(this.folder, name), 'wx+', 0o600);
    unsyncedFolders.add(this.folder);
    return { name, descriptor, size: 0, syncedSize: 0, unsynced: false, hasFailed: false, unsyncedFolders };
  }
}

/** Names the machine or container in which the process ids of packs are valid: eight hexadecimal digits. */
const scopeName = (): string => digest('sha256', processScope()).slice(0, 8);

/** The pack that this process writes. */
interface OpenPack {
  readonly name: string;
  readonly descriptor: number;
  /** In bytes, like `syncedSize`: how much of it is on disk. */
  size: number;
  syncedSize: number;
  /** True if something was written since the last sync began. */
  unsynced: boolean;
  /** True if a sync failed. Nothing more is written to it. */
  hasFailed: boolean;
  /** The folder of the pack, until its name is durable. */
  readonly unsyncedFolders: UnsyncedFolders;
  /** The last sync, which may still be running for another caller of `flush`. */
  syncing?: Promise<void>;
}

/** Resolves when what was written to the pack so far is on disk. */
async function syncPack(pack: OpenPack): Promise<void> {
  const { size, syncing: earlier } = pack;
  pack.unsynced = false;
  try {
    await earlier;
    const foldersSynced = pack.unsyncedFolders.sync();
    foldersSynced.catch(() => undefined); // reported below
    await promisify(fs.fdatasync)(pack.descriptor);
    await foldersSynced;
    pack.syncedSize = size;
  } catch (error) {
    pack.hasFailed = true;
    throw error;
  }
}

/** Returns undefined if the disk cannot return all of the bytes. */
function bytesAt(descriptor: number, position: number, length: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(length);
  try {
    return fs.readSync(descriptor, bytes, 0, length, position) === length ? bytes : undefined;
  } catch {
    return undefined;
  }
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

function decompressed(file: string, position: number): Buffer {
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(file, 'r');
    const header = readHeader(descriptor, position);
    if (!header) throw new DamagedCopy(`The file copies in ${file} are damaged.`);
    const payload = Buffer.alloc(header.payloadBytes);
    const read = fs.readSync(descriptor, payload, 0, payload.length, header.payloadAt);
    if (read < payload.length) throw new DamagedCopy(`The file copies in ${file} are truncated.`);
    if (header.method === 2) return zlib.zstdDecompressSync(payload);
    return header.method === 1 ? zlib.inflateRawSync(payload) : payload;
  } catch (error) {
    if (error instanceof DamagedCopy) throw error;
    throw new DamagedCopy(`The file copies in ${file} are damaged: ${(error as Error).message}.`);
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}

/**
 * Magic number, method, number of entries, payload length, checksum of the rest; then a hash and a length for each
 * entry.
 */
function encodeHeader(entries: GroupHeader['entries'], { bytes, method }: Compressed): Buffer {
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

function* readHeaders(file: string, from = 0): Generator<FoundHeader> {
  let descriptor: number;
  try {
    descriptor = fs.openSync(file, 'r');
  } catch {
    return;
  }
  try {
    yield* headersIn(descriptor, from);
  } finally {
    fs.closeSync(descriptor);
  }
}

function* headersIn(descriptor: number, from = 0): Generator<FoundHeader> {
  const { size } = fs.fstatSync(descriptor);
  for (let offset = from; offset < size;) {
    const header = readHeader(descriptor, offset);
    // The writer was killed while it wrote this group, or the group is damaged. Anything after it cannot be found.
    if (!header || header.payloadAt + header.payloadBytes > size) return;
    const end = header.payloadAt + header.payloadBytes;
    yield { offset, header, end };
    offset = end;
  }
}

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
