import type { Stats } from 'node:fs';
import path from 'node:path';
import { isSameState, type FileState } from '../../../core/changes/snapshot';
import { withCommas } from '../../../core/text/withCommas';
import { cacheTag, isTaggedCache } from '../coverage';
import type { ChangeWindows } from './changeWindows';
import type { ExtraFiles } from './extraFiles';
import type { FileCopier } from './fileCopier';
import { isFreshTime } from './foundEntries';
import { hasSameStat, newFolder, stateOfNode, type FolderNode, type IndexNode, type IndexTree } from './indexTree';
import type { MovedFiles } from './movedFiles';
import type { ScanHistory } from './scanHistory';
import type { StoredIndex } from './storedIndex';

/** A folder with more entries than can be covered. The message is for people. */
export class TooMuchToCover extends Error {
  constructor(folder: string, most: number) {
    super(
      `${folder} contains more than ${withCommas(most)} files, so changes by commands there cannot be undone. Edits by tools can.`,
    );
    this.name = 'TooMuchToCover';
  }
}

/** A name in a folder of the index, whether something has it or not. */
export interface NamedPlace {
  readonly absolute: string;
  readonly name: string;
  readonly parent: FolderNode;
}

/** `folder`: absolute path of `parent`. */
export const placeIn = (folder: string, parent: FolderNode, name: string): NamedPlace => ({
  absolute: `${folder}${path.sep}${name}`,
  name,
  parent,
});

interface IndexUpdatesParts {
  /** Absolute path of the folder of the index. */
  readonly folder: string;
  readonly maxEntries: number;
  readonly tree: IndexTree;
  readonly stored: StoredIndex;
  readonly history: ScanHistory;
  readonly windows: ChangeWindows;
  readonly moved: MovedFiles;
  readonly extra: ExtraFiles;
  readonly copier: FileCopier;
}

/** Puts what a scan finds into the tree of an index, its file and the open windows. */
export class IndexUpdates {
  constructor(private readonly parts: IndexUpdatesParts) {}

  /**
   * Updates one entry. With `isSilent`, a change is attributed to nobody. Returns its node; undefined if it disappeared
   * in the meantime.
   */
  updateEntry(place: NamedPlace, stat: Stats, { isSilent }: { readonly isSilent: boolean }): IndexNode | undefined {
    const { moved, copier, history } = this.parts;
    const { absolute, name, parent } = place;
    const known = parent.children.get(name);
    const changedMs = isSilent ? undefined : stat.ctimeMs;
    if (stat.isDirectory())
      return known?.kind === 'folder' ? known : this.addFolder(place, stat, { replaced: known, changedMs });
    if (known && known.kind !== 'folder' && !known.isFresh && hasSameStat(known, stat)) return known;
    const before = known ? stateOfNode(known) : null;
    if (known?.kind === 'folder') this.remove(place, known, changedMs);
    const node = copier.read(absolute, stat);
    if (!node) return known;
    const isSame = isSameState(before, node.state);
    if (!isSame) moved.noteChange(absolute);
    const isNew = !known || known.kind === 'folder';
    if (history.hasEarlierState) moved.noteArrival(absolute, stat, node, known);
    if (isNew) this.countOneMore();
    else if (known.ino !== node.ino) moved.noteGone(known);
    else if (!isSame) moved.noteOverwritten(known);
    parent.children.set(name, node);
    this.store(absolute, node);
    if (changedMs !== undefined && !isSame) this.noteChange(absolute, isNew ? null : before, changedMs);
    return node;
  }

  /** `changedMs`: when it was created; undefined if the creation is attributed to nobody. */
  private addFolder(
    place: NamedPlace,
    stat: Stats,
    { replaced, changedMs }: { readonly replaced: IndexNode | undefined; readonly changedMs: number | undefined },
  ): FolderNode {
    const { absolute, name, parent } = place;
    const { history, moved } = this.parts;
    if (replaced) this.remove(place, replaced, changedMs);
    const folder = newFolder(stat);
    // A folder that is created together with its cache tag is recorded as a cache.
    folder.isCache = history.isComplete && isTaggedCache(path.join(absolute, cacheTag));
    if (history.hasEarlierState) moved.noteArrival(absolute, stat, folder, replaced);
    this.countOneMore();
    parent.children.set(name, folder);
    this.store(absolute, folder);
    if (changedMs !== undefined) this.noteChange(absolute, null, changedMs);
    return folder;
  }

  /** Updates the mode and the times of a folder that was scanned. */
  updateFolder(absolute: string, node: FolderNode, stat: Stats): void {
    const mode = stat.mode & 0o7777;
    if (node.mode !== mode && absolute !== this.parts.folder)
      this.noteChange(absolute, stateOfNode(node), stat.ctimeMs);
    Object.assign(node, { mode, mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs, isFresh: isFreshTime(stat) });
    this.store(absolute, node);
  }

  /** Marks a folder as one that the next scan must read again, also that of a later session. */
  readAgain(absolute: string, node: FolderNode): void {
    node.isFresh = true;
    this.store(absolute, node);
  }

  /** Removes an entry that is gone. `changedMs`: when it went; undefined if that is attributed to nobody. */
  remove({ absolute, name, parent }: NamedPlace, node: IndexNode, changedMs: number | undefined): void {
    const { moved } = this.parts;
    if (node.kind === 'folder')
      for (const [below, child] of node.children) this.remove(placeIn(absolute, node, below), child, changedMs);
    moved.noteGone(node, absolute);
    moved.forget(absolute);
    this.drop(absolute, name, parent);
    if (changedMs !== undefined) this.noteChange(absolute, stateOfNode(node), changedMs);
  }

  /**
   * Leaves out a folder that a program began to fill. What it put there so far is nobody's change. Earlier files are
   * still covered.
   */
  leaveOut({ absolute, name, parent }: NamedPlace, node: IndexNode): void {
    const { windows, extra } = this.parts;
    if (node.kind === 'folder')
      for (const [below, child] of node.children) this.leaveOut(placeIn(absolute, node, below), child);
    this.drop(absolute, name, parent);
    const isNew = windows.forgetCreated(absolute);
    if (!isNew && node.kind !== 'folder') extra.takeOver(absolute, node);
  }

  private drop(absolute: string, name: string, parent: FolderNode): void {
    const { tree, stored } = this.parts;
    parent.children.delete(name);
    tree.size--;
    stored.add([tree.relative(absolute)]);
  }

  /** A first scan that began with an empty index writes the whole file at its end. */
  private store(absolute: string, node: IndexNode): void {
    const { tree, stored, history } = this.parts;
    if (history.hasEarlierState) stored.add(tree.lineOf(absolute, node));
  }

  private countOneMore(): void {
    const { tree, maxEntries, folder } = this.parts;
    tree.size++;
    if (tree.size > maxEntries) throw new TooMuchToCover(folder, maxEntries);
  }

  /** Records the previous state of a path in all open windows. */
  private noteChange(absolute: string, stateInTree: FileState, changedMs: number): void {
    const { windows, history, extra } = this.parts;
    const before = stateInTree ?? extra.stateOf(absolute);
    if (history.isComplete) windows.note(absolute, before, changedMs);
    else windows.noteSinceLastSession(absolute, before);
  }
}
