import type { Stats } from 'node:fs';
import type { FileNode, FolderNode, IndexNode } from './indexTree';

/** Longest interval between ticks of the clock that a file system uses for its timestamps, in ms. */
export const slowestTickMs = 10;

/** Maximum number of files and folders that are gone to remember. */
const maxRemembered = 50_000;

type Origin = 'elsewhere' | 'maybe elsewhere' | 'returned';

/** A new file or folder, or a file with new content, that is older than the scan before. */
interface Arrival {
  readonly ino: number;
  readonly content: string | undefined;
  readonly copy: string | undefined;
  /** True if the file has other names, which may be deleted later. */
  readonly isLinked: boolean;
  /** True if something else was in its place. */
  readonly replaces: boolean;
  /** False if only the content is known to be older, as after a move from another file system, or after `tar -x`. */
  readonly isCertain: boolean;
}

/**
 * Tells what was moved inside a folder from what came from a place without copies, such as another folder or
 * `node_modules`. What is moved keeps its inode. Between file systems it keeps only its modification time.
 */
export class MovedFiles {
  /** When the last finished scan began, in ms since 1970. */
  private earlierMs = Date.now();
  private beganMs = this.earlierMs;
  /** By path, since the last finished scan. */
  private readonly arrived = new Map<string, Arrival>();
  /** Inodes of folders and copied files that were found to be gone in this scan and the one before. */
  private gone = new Set<number>();
  private goneBefore = new Set<number>();
  /** What the copies of files that are gone in this scan would be, if they kept the modification time. */
  private readonly goneCopies = new Set<string>();
  /** Contents of all files and folders that were found to be gone, by inode. The oldest are dropped. */
  private readonly goneContents = new Map<number, string>();
  /** Where folders and files were that are gone in this scan and the one before, by inode. */
  private goneFrom = new Map<number, string>();
  private goneFromBefore = new Map<number, string>();
  /** Where new folders and files were before, if they were moved inside the folder. The oldest are dropped. */
  private readonly movedFrom = new Map<string, string>();
  /** The paths that came from elsewhere for certain, and those that may have. */
  private readonly certain = newPaths();
  private readonly maybe = newPaths();
  private readonly returned = newPaths();

  /** `present`: all files with a copy, by path. Called only if a file arrived that may be a link to one of them, or a copy. */
  constructor(private readonly present: () => Iterable<readonly [string, FileNode]>) {}

  /**
   * Returns where a new path came from, or with `replaced` what is now in place of something else: a place without
   * copies, or perhaps one on another file system or in an archive; undefined if it was created here. `returned`: an
   * earlier scan found that it was gone from the folder, and it has the same content.
   */
  origin(absolute: string, { replaced }: { readonly replaced: boolean }): Origin | undefined {
    const kind = replaced ? 'replaced' : 'came';
    if (this.returned[kind].has(absolute)) return 'returned';
    if (this.certain[kind].has(absolute)) return 'elsewhere';
    return this.maybe[kind].has(absolute) ? 'maybe elsewhere' : undefined;
  }

  /** Returns where a new path was before, if it was moved inside the folder; undefined if it was not. */
  placeBefore(absolute: string): string | undefined {
    return this.movedFrom.get(absolute);
  }

  /** Returns whether the last scan found that a folder, link or copied file is gone. */
  hasLost(ino: number): boolean {
    return this.goneBefore.has(ino);
  }

  /** Returns where a folder or file was, if the last scan found that it is gone. */
  placeOfGone(ino: number): string | undefined {
    return this.goneFromBefore.get(ino);
  }

  /** Call before each scan. `earlierMs`: when the scan before it began, if another process did that. */
  beginScan(earlierMs = this.earlierMs): void {
    [this.earlierMs, this.beganMs] = [earlierMs, Date.now()];
  }

  /** Call for each new file or folder, and each changed file. `known`: what was in its place at the last scan. */
  noteArrival(absolute: string, stat: Stats, node: FileNode | FolderNode, known?: IndexNode): void {
    const { birthtimeMs, mtimeMs, ctimeMs, nlink, ino, size } = stat;
    const replaces = known !== undefined;
    // Windows gives a file that replaces another one of the same name the creation time of that.
    const sinceMs = replaces && process.platform === 'win32' ? Math.max(birthtimeMs, mtimeMs) : birthtimeMs;
    const isCertain = known?.ino !== ino && sinceMs > 0 && this.isOlder(sinceMs);
    const content = contentOf(node);
    // The file system may give a file that replaces another one the same inode. Its clock may differ from that of this
    // machine, so the times of the file are compared with each other, too.
    const hasOldContent = size > 0 && this.isOlder(mtimeMs) && mtimeMs < ctimeMs - slowestTickMs;
    const copy = hasOldContent && content !== contentOf(known) ? copiesOf(node)[0] : undefined;
    if (!isCertain && copy === undefined) return;
    const isLinked = node.kind !== 'folder' && nlink > 1;
    this.arrived.set(absolute, { ino, content, copy, isLinked, replaces, isCertain });
  }

  private isOlder(milliseconds: number): boolean {
    return milliseconds < this.earlierMs - slowestTickMs;
  }

  /** Call for each file or folder that is gone from its place. `absolute`: that place, if nothing else is there. */
  noteGone(node: IndexNode, absolute?: string): void {
    if (absolute !== undefined) this.goneFrom.set(node.ino, absolute);
    const content = contentOf(node);
    this.noteOverwritten(node);
    if (content !== undefined || node.kind === 'link') this.gone.add(node.ino);
    if (content === undefined) return;
    this.goneContents.delete(node.ino);
    this.goneContents.set(node.ino, content);
    if (this.goneContents.size > maxRemembered) this.goneContents.delete(this.goneContents.keys().next().value!);
  }

  /** Call for each file that has another content, with what it was before. The command may have copied it first. */
  noteOverwritten(node: IndexNode): void {
    for (const copy of copiesOf(node)) this.goneCopies.add(copy);
  }

  /** Call for each path with another content. */
  noteChange(absolute: string): void {
    if (this.arrived.get(absolute)?.replaces) this.arrived.delete(absolute);
    for (const { replaced } of this.allPaths) replaced.delete(absolute);
  }

  /** Call for each deleted path. */
  forget(absolute: string): void {
    this.arrived.delete(absolute);
    this.movedFrom.delete(absolute);
    for (const { came, replaced } of this.allPaths) for (const paths of [came, replaced]) paths.delete(absolute);
  }

  private get allPaths() {
    return [this.certain, this.maybe, this.returned];
  }

  /** Call after some paths were scanned. A scan may still find out that these were moved inside the folder. */
  endPaths(): void {
    const { inodes, copies } = this.presentLike([...this.arrived.values()]);
    for (const [absolute, { ino, content, copy = '', isLinked, replaces, isCertain }] of this.arrived) {
      const from = this.goneFrom.get(ino) ?? this.goneFromBefore.get(ino);
      if (from !== undefined && isCertain && !replaces && !isLinked) this.noteMove(absolute, from);
      const kind = replaces ? 'replaced' : 'came';
      for (const paths of this.allPaths) paths[kind].delete(absolute);
      const isSameFile = this.gone.has(ino) || this.goneBefore.has(ino) || inodes.has(ino);
      const isKnown = isCertain ? isSameFile : this.goneCopies.has(copy) || copies.has(copy);
      if (isKnown) continue;
      const isBack = content !== undefined && this.goneContents.get(ino) === content;
      const ofCertain = isBack ? this.returned : this.certain;
      (isCertain ? ofCertain : this.maybe)[kind].add(absolute);
    }
  }

  private noteMove(absolute: string, from: string): void {
    this.movedFrom.set(absolute, from);
    if (this.movedFrom.size > maxRemembered) this.movedFrom.delete(this.movedFrom.keys().next().value!);
  }

  /** Returns what other files in the folder have in common with some of those that arrived. */
  private presentLike(arrivals: readonly Arrival[]) {
    const inodes = new Set<number>();
    const copies = new Set<string>();
    const linked = new Set(arrivals.flatMap(({ isLinked, ino }) => (isLinked ? [ino] : [])));
    const copied = new Set(arrivals.flatMap(({ isCertain, copy }) => (isCertain ? [] : (copy ?? []))));
    if (linked.size === 0 && copied.size === 0) return { inodes, copies };
    for (const [absolute, node] of this.present()) {
      if (this.arrived.has(absolute)) continue;
      if (linked.has(node.ino)) inodes.add(node.ino);
      for (const copy of copied.size > 0 ? copiesOf(node) : []) if (copied.has(copy)) copies.add(copy);
    }
    return { inodes, copies };
  }

  /** Call after each scan. */
  endScan(): void {
    this.endPaths();
    this.arrived.clear();
    this.earlierMs = this.beganMs;
    [this.goneBefore, this.gone] = [this.gone, new Set()];
    [this.goneFromBefore, this.goneFrom] = [this.goneFrom, new Map()];
    this.goneCopies.clear();
  }
}

const newPaths = () => ({ came: new Set<string>(), replaced: new Set<string>() });

/** Equal for files with the same copy, and for folders. Undefined for links and for files without a copy. */
function contentOf(node: IndexNode | undefined): string | undefined {
  if (node?.kind === 'folder') return 'folder';
  return node?.kind === 'file' && node.state?.kind === 'file' ? node.state.hash : undefined;
}

/**
 * What identifies the copies of a file by programs that keep modification times: first those by `cp -p`, then those by
 * `tar`, which only keeps seconds.
 */
function copiesOf(node: IndexNode): string[] {
  const content = node.kind === 'file' ? contentOf(node) : undefined;
  if (content === undefined || node.kind !== 'file') return [];
  return [1, 1000].map((grain) => `${content} ${Math.floor(node.mtimeMs / grain) * grain}`);
}
