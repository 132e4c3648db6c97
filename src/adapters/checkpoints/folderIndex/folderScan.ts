import fs from 'node:fs';
import path from 'node:path';
import { Slices } from '../../../core/text/slices';
import { cacheTag, isBelowLeftOut, isLeftOut, isTaggedCache } from '../coverage';
import type { ExtraFiles } from './extraFiles';
import { DiskPace } from '../../storage/diskPace';
import { EntryStats, isClosed, isSandboxPlaceholder, reachedStat } from './foundEntries';
import { hasSameStat, neverScanned, type FolderNode, type IndexTree } from './indexTree';
import { placeIn, type IndexUpdates, type NamedPlace } from './indexUpdates';
import { slowestTickMs, type MovedFiles } from './movedFiles';
import type { PackageFolders } from './packageFolders';
import type { ScanHistory } from './scanHistory';

/** The index has no users. */
export class NoUsersLeft extends Error {}

interface FolderScanParts {
  /** Absolute path of the folder of the index. */
  readonly folder: string;
  readonly tree: IndexTree;
  readonly updates: IndexUpdates;
  readonly history: ScanHistory;
  readonly extra: ExtraFiles;
  readonly moved: MovedFiles;
  readonly packages: PackageFolders;
  /** Returns whether somebody still needs the index. If not, a first scan is aborted with `NoUsersLeft`. */
  hasUsers(): boolean;
}

/** Walks a folder and compares it with its index. It decides what is covered, and reads only what changed. */
export class FolderScan {
  private slices = new Slices();
  private pace = new DiskPace();
  private closed: string[] = [];
  /** Absolute path prefixes in this folder that belong to Waymark. */
  private ignored: readonly string[] = [];

  constructor(private readonly parts: FolderScanParts) {}

  /** Folders of which the last scan found that they may not be entered any more. */
  get closedFolders(): readonly string[] {
    return this.closed;
  }

  /** Call before each scan of the whole folder. */
  begin(): void {
    this.slices = new Slices();
    this.pace = new DiskPace();
    this.closed = [];
  }

  /** Absolute path prefixes that are not scanned from now on. */
  ignore(beginnings: readonly string[]): void {
    this.ignored = beginnings;
  }

  isIgnored(absolute: string): boolean {
    return this.ignored.some((beginning) => absolute.startsWith(beginning));
  }

  /** Lets other work run if the scan has run for long enough. */
  async rest(): Promise<void> {
    if (!this.slices.isOver) return;
    if (!this.parts.history.isComplete && !this.parts.hasUsers()) throw new NoUsersLeft();
    await this.slices.rest();
  }

  /** Scans a folder and everything below it. With `isSilent`, what is found is attributed to nobody. */
  async scanFolder(absolute: string, node: FolderNode, stat: fs.Stats, isSilent: boolean): Promise<void> {
    const { moved, updates } = this.parts;
    const isUnchanged = !node.isFresh && node.mtimeMs === stat.mtimeMs && node.ctimeMs === stat.ctimeMs;
    // Another folder may have taken its place.
    if (node.ino !== 0 && node.ino !== stat.ino) moved.noteGone(node);
    node.ino = stat.ino;
    if (isClosed(absolute, stat)) {
      // What it contains is unknown, but not deleted.
      const isNews = node.mtimeMs === neverScanned || node.mode !== (stat.mode & 0o7777);
      if (isNews && !isSilent) this.closed.push(absolute);
      return updates.updateFolder(absolute, node, stat);
    }
    if (isUnchanged) return this.scanKnownEntries(absolute, node, isSilent);
    const names = this.listNames(absolute, node);
    if (!names) {
      const isNews = node.mtimeMs !== stat.mtimeMs || node.ctimeMs !== stat.ctimeMs;
      if (isNews && !isSilent) this.closed.push(absolute);
      updates.updateFolder(absolute, node, stat);
      return updates.readAgain(absolute, node);
    }
    return this.scanNames(absolute, node, { names, stat, isSilent });
  }

  /** Removes everything from the index: the folder itself is gone, or something else is in its place. */
  async removeAll(): Promise<void> {
    const { folder, tree, updates, moved } = this.parts;
    if (tree.root.children.size === 0) return;
    for (const [name, child] of tree.root.children) {
      await this.rest();
      updates.remove(placeIn(folder, tree.root, name), child, Date.now());
    }
    moved.noteGone(tree.root);
    updates.readAgain(folder, tree.root);
  }

  /** Scans what a folder contains now, and removes from the index what it does not contain any more. */
  private async scanNames(
    absolute: string,
    node: FolderNode,
    {
      names,
      stat,
      isSilent,
    }: { readonly names: readonly string[]; readonly stat: fs.Stats; readonly isSilent: boolean },
  ): Promise<void> {
    const { updates } = this.parts;
    const isNew = node.mtimeMs === neverScanned;
    updates.updateFolder(absolute, node, stat);
    const stats = new EntryStats(absolute, names, this.pace);
    const present = new Set<string>();
    const folders: [string, FolderNode, fs.Stats, boolean][] = [];
    for (const [index, name] of names.entries()) {
      if (this.slices.isOver) await this.rest();
      if (stats.isDue(index)) await stats.askFrom(index);
      const place = placeIn(absolute, node, name);
      const found = stats.at(index);
      if (!found || !this.isCovered(place, found)) continue;
      if (!node.children.has(name) && isSandboxPlaceholder(place.absolute, name, found)) continue;
      present.add(name);
      const isSilentHere = isSilent || (!isNew && !node.children.has(name) && this.wasLeftOut(name, found));
      const child = updates.updateEntry(place, found, { isSilent: isSilentHere });
      if (child?.kind === 'folder') folders.push([place.absolute, child, found, isSilentHere]);
    }
    for (const [name, child] of node.children)
      if (!present.has(name)) updates.remove(placeIn(absolute, node, name), child, isSilent ? undefined : stat.ctimeMs);
    for (const [place, child, found, isSilentHere] of folders) await this.scanFolder(place, child, found, isSilentHere);
  }

  /** Checks the timestamps of each entry of a folder to which nothing was added and from which nothing was removed. */
  private async scanKnownEntries(absolute: string, node: FolderNode, isSilent: boolean): Promise<void> {
    const { updates } = this.parts;
    const beginning = `${absolute}${path.sep}`;
    const folders: [string, FolderNode, fs.Stats][] = [];
    const entries = [...node.children];
    const stats = new EntryStats(
      absolute,
      entries.map(([name]) => name),
      this.pace,
    );
    for (const [index, [name, child]] of entries.entries()) {
      if (this.slices.isOver) await this.rest();
      if (stats.isDue(index)) await stats.askFrom(index);
      const found = stats.at(index);
      const mayBeIgnored = this.ignored.length > 0;
      if (found && child.kind !== 'folder' && !child.isFresh && !mayBeIgnored && hasSameStat(child, found)) continue;
      const place = { absolute: beginning + name, name, parent: node };
      if (!found || !this.isCovered(place, found)) {
        if (!node.children.has(name)) continue;
        const changedMs = found?.ctimeMs ?? Date.now();
        updates.remove(place, child, isSilent ? undefined : changedMs);
        continue;
      }
      const now = updates.updateEntry(place, found, { isSilent });
      if (now?.kind === 'folder') folders.push([place.absolute, now, found]);
    }
    for (const [place, child, found] of folders) await this.scanFolder(place, child, found, isSilent);
  }

  /** Scans one path, whether it exists or not. What scans of the folder do not reach becomes an extra file. */
  scanPath(absolute: string): void {
    const { folder, extra, tree, updates } = this.parts;
    if (this.isIgnored(absolute)) return;
    if (this.isInCache(absolute)) return extra.scan(absolute);
    const mayBeLeftOut = isBelowLeftOut(folder, absolute);
    for (const above of extra.foldersToMake(absolute)) if (extra.has(above)) extra.scan(above);
    if (extra.has(absolute)) extra.scan(absolute);
    const names = path.relative(folder, absolute).split(path.sep);
    let parent = tree.root;
    let parentPath = folder;
    for (const [depth, name] of names.entries()) {
      const place = placeIn(parentPath, parent, name);
      const stat = reachedStat(place.absolute);
      const known = parent.children.get(name);
      if (!stat && known) updates.remove(place, known, Date.now());
      if (!stat || !this.isCovered(place, stat)) {
        if (mayBeLeftOut) extra.scan(absolute);
        return;
      }
      const node = updates.updateEntry(place, stat, { isSilent: false });
      if (depth === names.length - 1 || node?.kind !== 'folder') return;
      parent = node;
      parentPath = place.absolute;
    }
  }

  /** Returns no names if the folder is a cache or is gone; undefined if it cannot be read, such as for lack of rights. */
  private listNames(absolute: string, node: FolderNode): string[] | undefined {
    if (node.isCache) return [];
    try {
      const names = fs.readdirSync(absolute);
      // A cache tag that was added later does not hide a folder that was scanned before.
      const isNew = node.children.size === 0 && (node.mtimeMs === neverScanned || !this.parts.history.isComplete);
      if (!isNew || absolute === this.parts.folder || !names.includes(cacheTag)) return names;
      node.isCache = isTaggedCache(path.join(absolute, cacheTag));
      return node.isCache ? [] : names;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return code === 'ENOENT' || code === 'ENOTDIR' ? [] : undefined;
    }
  }

  private isCovered(place: NamedPlace, stat: fs.Stats): boolean {
    const { absolute, name, parent } = place;
    if (this.isIgnored(absolute)) return false;
    if (!isLeftOut(name, stat.isDirectory())) return true;
    const known = parent.children.get(name);
    if (stat.isDirectory() && this.parts.packages.isCovered(absolute, stat, known)) return true;
    if (known?.kind === 'folder' && stat.isDirectory()) this.parts.updates.leaveOut(place, known);
    return false;
  }

  /** Returns whether a folder that is covered now was in its folder at the last scan, which left it out. */
  private wasLeftOut(name: string, { ctimeMs, birthtimeMs }: fs.Stats): boolean {
    const { history } = this.parts;
    if (!isLeftOut(name, true)) return false;
    return !history.isComplete || Math.max(ctimeMs, birthtimeMs) < history.previousBeganMs - slowestTickMs;
  }

  private isInCache(absolute: string): boolean {
    const { folder, tree } = this.parts;
    for (let above = path.dirname(absolute); above.length > folder.length; above = path.dirname(above)) {
      const node = tree.at(above);
      if (node?.kind === 'folder' ? node.isCache : isTaggedCache(path.join(above, cacheTag))) return true;
    }
    return false;
  }
}
