import { hash as digest } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { runInSlices, runToEnd, Slices, type InPieces } from '../../core/text/slices';
import { UnsyncedFolders } from '../storage/durableFile';
import { processScope, startOf } from '../storage/fileLock';
import { ContentPlaces, type CopyPlace } from './contentPlaces';
import {
  blobHash,
  contentsOfGroup,
  DamagedCopy,
  encodeGroup,
  groupBytes,
  groupsIn,
  groupsInFile,
  storedGroupsIn,
  type PackEntry,
  type PackGroup,
} from './packGroups';

/**
 * Stores file contents by the hash of their bytes. Equal contents are stored once; many small ones are compressed
 * together.
 */

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

/**
 * The store of one folder on disk. Every process writes its own packs, so several can use a store at the same time.
 * Contents passed to `put` are on disk after `flush`.
 */
export class BlobStore {
  private readonly places = new ContentPlaces();
  /** Copies to be written with the next group, in order, with their future positions. */
  private readonly waiting = new Map<string, { readonly offset: number; readonly length: number }>();
  private waitingBytes = Buffer.alloc(0);
  private waitingLength = 0;
  private readonly groups = new Map<string, Buffer>();
  private pack: OpenPack | undefined;
  /** Folders in which the names of packs are not durable yet. */
  private readonly unsyncedFolders = new UnsyncedFolders();
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
    if (pack?.unsynced) pack.syncing = syncPack(pack, this.unsyncedFolders);
    await pack?.syncing;
    // Another process removed it meanwhile.
    if (pack && this.isGone(pack)) await this.flush();
  }

  /** Returns the content. Throws `DamagedCopy` if it is not stored or does not match its hash. */
  get(hash: string): Buffer {
    const waiting = this.waiting.get(hash);
    if (waiting) return Buffer.from(this.waitingBytes.subarray(waiting.offset, waiting.offset + waiting.length));
    let problem: DamagedCopy | undefined;
    for (const place of this.placesOf(hash)) {
      try {
        return this.readContent(hash, place);
      } catch (error) {
        if (!(error instanceof DamagedCopy)) throw error;
        problem ??= error;
      }
    }
    throw (
      problem ??
      new DamagedCopy(`The copy ${hash.slice(0, 12)} is not in ${this.folder}: it was cleaned up or damaged.`)
    );
  }

  private readContent(hash: string, place: CopyPlace): Buffer {
    const bytes = this.readGroup(place).subarray(place.offset, place.offset + place.length);
    if (blobHash(bytes) === hash) return bytes;
    throw new DamagedCopy(
      `The copy ${hash.slice(0, 12)} in ${path.join(this.folder, place.pack)} is damaged: its content has changed.`,
    );
  }

  private placesOf(hash: string): readonly CopyPlace[] {
    this.readPacks();
    const known = this.places.of(hash);
    const gone = known.map(({ pack }) => pack).filter((pack) => !fs.existsSync(path.join(this.folder, pack)));
    if (known.length > 0 && gone.length === 0) return known;
    // Another process has written it since, or has removed its pack and copied the needed contents to another one.
    if (this.pack && gone.includes(this.pack.name)) this.openPack();
    this.forgetPacks(new Set(gone));
    this.reload();
    return this.places.of(hash);
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
      return [...groupsIn(descriptor)];
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
    this.places.forgetPlaces(({ pack }) => packs.has(pack));
    for (const key of this.groups.keys()) if (packs.has(key.slice(0, key.lastIndexOf(':')))) this.groups.delete(key);
  }

  /** Forgets where a content is stored, so that the next `put` writes it to another pack. */
  forget(hash: string): void {
    this.places.forget(hash);
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
      for (const { offset, end, entries } of groupsInFile(path.join(this.folder, pack), from)) {
        this.remember(pack, offset, entries);
        this.read.set(pack, end);
        yield;
        // It was removed meanwhile.
        if (!this.read.has(pack)) break;
      }
    }
    // A change a moment later may get the same timestamp.
    this.readAtMs = Date.now() - timeMs > timeGrainMs ? timeMs : undefined;
  }

  /** The folder was deleted. `openPack` notices that the pack of this process was, too. */
  private forgetAllPacks(): void {
    this.readAtMs = undefined;
    this.forgetPacks(new Set(this.read.keys()));
  }

  private remember(pack: string, group: number, entries: readonly PackEntry[]): void {
    let offset = 0;
    for (const { hash, length } of entries) {
      this.places.add(hash, { pack, group, offset, length });
      offset += length;
    }
  }

  private readGroup({ pack, group }: CopyPlace): Buffer {
    const key = `${pack}:${group}`;
    const known = this.groups.get(key);
    if (known) return known;
    const file = path.join(this.folder, pack);
    const bytes = contentsOfGroup(file, group);
    this.groups.set(key, bytes);
    const room = (): number =>
      Array.from(this.groups.values(), ({ length }) => length).reduce((sum, each) => sum + each, 0);
    while (this.groups.size > 1 && (this.groups.size > rememberedGroups || room() > rememberedBytes))
      this.groups.delete(this.groups.keys().next().value!);
    return bytes;
  }

  private writeGroup(): void {
    const pack = this.openPack();
    const entries = Array.from(this.waiting, ([hash, { length }]) => ({ hash, length }));
    const group = encodeGroup(entries, this.waitingBytes.subarray(0, this.waitingLength));
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

  /**
   * Returns the pack to write to: the same until a sync fails, or another process removes it. Then what it contained and
   * is not on disk is in the new one. Throws an `Error` with a message for people if some of that is lost.
   */
  private openPack(): OpenPack {
    const earlier = this.pack;
    if (!earlier) return (this.pack = this.newPack());
    if (this.isGone(earlier)) [earlier.syncedSize, earlier.hasFailed] = [0, true];
    if (!earlier.hasFailed) return earlier;
    const pack = this.newPack();
    try {
      this.moveUnsynced(earlier, pack);
    } catch (error) {
      fs.closeSync(pack.descriptor);
      fs.rmSync(path.join(this.folder, pack.name), { force: true });
      throw error;
    }
    this.pack = pack;
    this.endFailedPack(earlier);
    if (pack.size < earlier.size - earlier.syncedSize)
      throw new Error(
        `Some file copies in ${this.folder} are lost: the disk could not store them and does not return them.`,
      );
    return pack;
  }

  /**
   * Writes what may not be on disk to another pack. After a failed sync, the system may have dropped it, and still report
   * the next sync as successful. What is lost is forgotten, so that the next `put` stores it.
   */
  private moveUnsynced(from: OpenPack, to: OpenPack): void {
    const groups: { readonly entries: readonly PackEntry[]; readonly at: number }[] = [];
    for (const { entries, bytes } of storedGroupsIn(from.descriptor, from.syncedSize)) {
      fs.writeFileSync(to.descriptor, bytes);
      groups.push({ entries, at: to.size });
      to.size += bytes.length;
    }
    this.places.forgetPlaces(({ pack, group }) => pack === from.name && group >= from.syncedSize);
    for (const { entries, at } of groups) this.remember(to.name, at, entries);
    to.unsynced = true;
  }

  /** Removes what may be damaged, so that no process takes it for stored, as far as the disk still allows it. */
  private endFailedPack({ name, descriptor, syncedSize, syncing }: OpenPack): void {
    void Promise.allSettled([syncing]).then(() => fs.closeSync(descriptor));
    try {
      if (syncedSize === 0) fs.rmSync(path.join(this.folder, name), { force: true });
      else fs.ftruncateSync(descriptor, syncedSize);
    } catch {
      /* `get` detects what is damaged */
    }
  }

  private isGone({ name }: OpenPack): boolean {
    return !fs.existsSync(path.join(this.folder, name));
  }

  private newPack(): OpenPack {
    this.unsyncedFolders.make(this.folder);
    const name = `${process.pid}-${crypto.randomUUID().slice(0, 12)}.${this.scope}.pack`;
    const descriptor = fs.openSync(path.join(this.folder, name), 'wx+', 0o600);
    this.unsyncedFolders.add(this.folder);
    return { name, descriptor, size: 0, syncedSize: 0, unsynced: false, hasFailed: false };
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
  /** True if a sync failed, or the file is gone. Nothing more is written to it. */
  hasFailed: boolean;
  /** The last sync, which may still be running for another caller of `flush`. */
  syncing?: Promise<void>;
}

/** Resolves when what was written to the pack so far, and its name, is on disk. */
async function syncPack(pack: OpenPack, folders: UnsyncedFolders): Promise<void> {
  const { size, syncing: earlier } = pack;
  pack.unsynced = false;
  try {
    await earlier;
    const foldersSynced = folders.sync();
    foldersSynced.catch(() => undefined); // reported below
    await promisify(fs.fdatasync)(pack.descriptor);
    await foldersSynced;
    pack.syncedSize = size;
  } catch (error) {
    pack.hasFailed = true;
    throw error;
  }
}
