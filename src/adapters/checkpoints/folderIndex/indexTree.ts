import path from 'node:path';
import type { Stats } from 'node:fs';
import { isSpecialStamp, type FileState } from '../../../core/changes/snapshot';
import { fileStamp } from '../coverage';
import type { IndexLine } from './indexFile';

/** A file or link, as the last scan found it. */
export interface FileNode {
  readonly kind: 'file' | 'link';
  readonly mode: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly ino: number;
  readonly state: FileState;
  /** True if the file changed so shortly before it was read that a later change may have the same timestamps. */
  readonly isFresh: boolean;
}

/** A folder, as the last scan found it. */
export interface FolderNode {
  readonly kind: 'folder';
  mode: number;
  mtimeMs: number;
  ctimeMs: number;
  /** 0 if the folder was stored by an earlier version and not scanned since. */
  ino: number;
  isFresh: boolean;
  /** True if the folder had a cache tag when it was found. Its contents are not scanned. */
  isCache: boolean;
  readonly children: Map<string, IndexNode>;
}

/** An entry of the folder, as the last scan found it. */
export type IndexNode = FileNode | FolderNode;

/** The timestamp of a folder that was found but not scanned yet. */
export const neverScanned = -2;
/** Marks a cache folder in the index file. */
const cacheMark = 'cache';

/** A folder that was found but not scanned yet. */
export const newFolder = ({ mode, ino }: Pick<Stats, 'mode' | 'ino'> = { mode: 0, ino: 0 }): FolderNode => ({
  kind: 'folder',
  mode: mode & 0o7777,
  mtimeMs: neverScanned,
  ctimeMs: neverScanned,
  ino,
  isFresh: true,
  isCache: false,
  children: new Map(),
});

export const stateOfNode = (node: IndexNode): FileState =>
  node.kind === 'folder' ? { kind: 'folder', mode: node.mode, ...(node.isCache && { isCache: true }) } : node.state;

/** Returns whether a file has not changed since it was read. A fresh one may have changed nevertheless. */
export const hasSameStat = (known: FileNode, stat: Stats): boolean =>
  known.size === stat.size &&
  known.mtimeMs === stat.mtimeMs &&
  known.ctimeMs === stat.ctimeMs &&
  known.ino === stat.ino &&
  known.mode === (stat.mode & 0o7777) &&
  known.kind === (stat.isSymbolicLink() ? 'link' : 'file');

/** The entries below a folder at the last scan, and the lines that store them between sessions. */
export class IndexTree {
  readonly root: FolderNode = newFolder();
  /** Number of entries below the root. */
  size = 0;

  /** `folder`: absolute path of the root. */
  constructor(private readonly folder: string) {}

  clear(): void {
    this.root.children.clear();
    Object.assign(this.root, newFolder(), { children: this.root.children });
    this.size = 0;
  }

  at(absolute: string): IndexNode | undefined {
    let node: IndexNode = this.root;
    for (const name of path.relative(this.folder, absolute).split(path.sep)) {
      if (node.kind !== 'folder') return undefined;
      const child: IndexNode | undefined = node.children.get(name);
      if (!child) return undefined;
      node = child;
    }
    return node;
  }

  /** The path relative to the folder, with "/". */
  relative(absolute: string): string {
    let from = this.folder.length;
    while (absolute[from] === path.sep) from++;
    const below = absolute.slice(from);
    return path.sep === '/' ? below : below.replaceAll(path.sep, '/');
  }

  /** Applies a stored line. `hasCopy`: returns whether the copy with a hash still exists. */
  restore(line: IndexLine, hasCopy: (hash: string) => boolean): void {
    const [relative, kind, mode, , mtimeMs, ctimeMs] = line;
    const parts = relative === '' ? [] : relative.split('/');
    const name = parts.pop();
    let parent = this.root;
    for (const part of parts) {
      const child = parent.children.get(part);
      if (child?.kind !== 'folder') return;
      parent = child;
    }
    if (name === undefined) {
      Object.assign(this.root, { mode, mtimeMs, ctimeMs, ino: line[6] ?? 0 });
      return;
    }
    const known = parent.children.get(name);
    if (kind === undefined) {
      if (known) this.size--;
      parent.children.delete(name);
      return;
    }
    if (!known) this.size++;
    parent.children.set(name, kind === 'folder' ? folderIn(line, known) : fileIn(line, kind, hasCopy));
  }

  /** The lines of all entries, parents first. */
  *lines(): Generator<IndexLine> {
    for (const [absolute, node] of this.entries()) yield this.lineOf(absolute, node);
  }

  /** All entries by path, parents first. */
  *entries(): Generator<[string, IndexNode]> {
    yield [this.folder, this.root];
    const waiting: [string, FolderNode][] = [[this.folder, this.root]];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [absolute, folder] = next;
      for (const [name, child] of folder.children) {
        const place = `${absolute}${path.sep}${name}`;
        yield [place, child];
        if (child.kind === 'folder') waiting.push([place, child]);
      }
    }
  }

  lineOf(absolute: string, node: IndexNode): IndexLine {
    const relative = this.relative(absolute);
    // Fresh entries must be read again, so they are stored with an impossible timestamp.
    const mtimeMs = node.isFresh ? -1 : node.mtimeMs;
    if (node.kind === 'folder') {
      if (node.isCache) return [relative, 'folder', node.mode, 0, mtimeMs, node.ctimeMs, node.ino, cacheMark];
      return [relative, 'folder', node.mode, 0, mtimeMs, node.ctimeMs, node.ino];
    }
    const { kind, mode, size, ctimeMs, ino, state } = node;
    return [relative, kind, mode, size, mtimeMs, ctimeMs, ino, contentOf(state) ?? ''];
  }
}

/** Returns the folder that a line describes. It keeps what it is known to contain. */
function folderIn([, , mode, , mtimeMs, ctimeMs, ino, content]: IndexLine, known: IndexNode | undefined): FolderNode {
  return {
    kind: 'folder',
    mode: mode!,
    mtimeMs: mtimeMs!,
    ctimeMs: ctimeMs!,
    ino: ino ?? 0,
    isFresh: false,
    isCache: content === cacheMark,
    children: known?.kind === 'folder' ? known.children : new Map<string, IndexNode>(),
  };
}

/** Returns the file or link that a line describes. */
function fileIn(line: IndexLine, kind: FileNode['kind'], hasCopy: (hash: string) => boolean): FileNode {
  const [, , mode, size, mtimeMs, ctimeMs, ino, content] = line;
  const stat = { mode: mode!, size: size!, mtimeMs: mtimeMs!, ctimeMs: ctimeMs!, ino: ino! };
  const state: FileState =
    kind === 'link'
      ? { kind, target: content ?? '' }
      : { kind, mode: stat.mode, size: stat.size, ...contentIn(content, stat) };
  // If the copy was cleaned up, it must be made again.
  const isFresh = state.kind === 'file' && state.hash !== undefined && !hasCopy(state.hash);
  return { kind, ...stat, state, isFresh };
}

/** What the line of an entry says about its content. */
function contentOf(state: FileState | undefined): string | undefined {
  if (state?.kind === 'link') return state.target;
  if (state?.kind !== 'file') return undefined;
  return isSpecialStamp(state.stamp) ? state.stamp : state.hash;
}

/** Returns the content of a file as its line tells it: its hash, or that it was not copied. */
function contentIn(
  content: string | undefined,
  times: Parameters<typeof fileStamp>[0],
): { readonly hash: string } | { readonly stamp: string } {
  if (isSpecialStamp(content)) return { stamp: content };
  return content ? { hash: content } : { stamp: fileStamp(times) };
}
