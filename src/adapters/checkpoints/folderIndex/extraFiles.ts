import type { Stats } from 'node:fs';
import path from 'node:path';
import { isSameState, type FileState } from '../../../core/changes/snapshot';
import type { ChangeWindows } from './changeWindows';
import type { FileCopier } from './fileCopier';
import { reachedStat } from './foundEntries';
import { hasSameStat, type FileNode, type IndexTree } from './indexTree';
import type { MovedFiles } from './movedFiles';

/** A folder that a tool created before the first scan was complete. */
interface MadeFolder {
  readonly kind: 'made_folder';
  readonly state: FileState;
}

interface ExtraFilesParts {
  /** Absolute path of the folder of the index. */
  readonly folder: string;
  readonly copier: FileCopier;
  readonly windows: ChangeWindows;
  readonly moved: MovedFiles;
}

/**
 * Paths that are covered one by one, because scans of the folder do not reach them: files in left-out folders that tools
 * wrote or Git tracks, and what tools wrote before the first scan was complete.
 */
export class ExtraFiles {
  /** By absolute path; undefined for a path that does not exist. */
  private readonly nodes = new Map<string, FileNode | MadeFolder | undefined>();

  constructor(private readonly parts: ExtraFilesParts) {}

  get size(): number {
    return this.nodes.size;
  }

  has(absolute: string): boolean {
    return this.nodes.has(absolute);
  }

  /** Returns the state of a path when it was last scanned; null if it did not exist or is not covered here. */
  stateOf(absolute: string): FileState {
    return this.nodes.get(absolute)?.state ?? null;
  }

  paths(): Iterable<string> {
    return this.nodes.keys();
  }

  *files(): Generator<[string, FileNode]> {
    for (const [absolute, node] of this.nodes) if (isFile(node)) yield [absolute, node];
  }

  /** Covers a file from now on that scans of the folder covered so far. */
  takeOver(absolute: string, node: FileNode): void {
    if (!this.nodes.has(absolute)) this.nodes.set(absolute, node);
  }

  /** Forgets the paths that the tree contains in the same state: scans of the folder reach them. */
  forgetCovered(tree: IndexTree): void {
    for (const [absolute, extra] of this.nodes) {
      const node = tree.at(absolute);
      const isSame = node?.kind !== 'folder' && node?.state && isSameState(node.state, extra?.state ?? null);
      if (isSame) this.nodes.delete(absolute);
    }
  }

  /** Returns the parent folders of a path that do not exist, or did not exist when first checked. */
  foldersToMake(absolute: string): string[] {
    const folders: string[] = [];
    for (let parent = path.dirname(absolute); parent.length > this.parts.folder.length; parent = path.dirname(parent)) {
      if (!this.nodes.has(parent) && reachedStat(parent)) break;
      folders.push(parent);
    }
    return folders;
  }

  /** Scans a path, which is covered from now on. */
  scan(absolute: string): void {
    const { windows, copier } = this.parts;
    const stat = reachedStat(absolute);
    const known = this.nodes.get(absolute);
    if (stat && isFile(known) && !known.isFresh && hasSameStat(known, stat)) return;
    const node = stat && (stat.isDirectory() ? madeFolder(stat) : copier.read(absolute, stat));
    const before = known?.state ?? null;
    if (this.nodes.has(absolute) && !isSameState(before, node?.state ?? null))
      windows.note(absolute, before, stat?.ctimeMs ?? Date.now());
    this.noteMove(absolute, node, stat);
    this.nodes.set(absolute, node);
  }

  private noteMove(absolute: string, node: FileNode | MadeFolder | undefined, stat: Stats | undefined): void {
    const { moved } = this.parts;
    const known = this.nodes.get(absolute);
    if (!node) {
      moved.forget(absolute);
      if (isFile(known)) moved.noteGone(known);
    } else if (!known && this.nodes.has(absolute) && isFile(node)) {
      moved.noteArrival(absolute, stat!, node);
    }
  }
}

const isFile = (node: FileNode | MadeFolder | undefined): node is FileNode =>
  node !== undefined && node.kind !== 'made_folder';

const madeFolder = ({ mode }: Stats): MadeFolder => ({
  kind: 'made_folder',
  state: { kind: 'folder', mode: mode & 0o7777 },
});
