import fs from 'node:fs';
import path from 'node:path';
import type { Worktree } from '../../protocol/events/event';
import {
  borrowingRepository,
  checkoutAround,
  committedBytes,
  differenceOf,
  isInGit,
  type Checkout,
  type CommittedFile,
  type CheckoutDifference,
} from '../git/borrowingRepository';
import { memoryFolders } from '../sandbox/limits';
import { beginWorktree, readyWorktree, removeWorktree } from './worktrees';

/** What a worktree is created for. */
interface WorktreeRequest {
  /** The workspace folder. */
  readonly folder: string;
  /** The session that works in it. */
  readonly session: string;
  readonly log: string;
  readonly task: string;
  /** True if it starts with the uncommitted changes of the folder. */
  readonly uncommitted: boolean;
  /** Identifies runs on the same task that are compared with each other. */
  readonly group?: string;
}

/** A worktree that was just created for a session. */
export interface MadeWorktree {
  /** Its id in the list of worktrees. */
  readonly id: string;
  /** Folder in which the session works; absolute, without links. */
  readonly root: string;
  readonly worktree: Worktree;
  /** What the user should know, in words. */
  readonly notes: readonly string[];
}

/**
 * Creates a worktree for a session: the files of a workspace folder, in a separate repository that reads the commits of
 * the original. Writes nothing to the folder, its index or its repository, and runs no program that they name. Throws
 * an `Error` with a message for people and leaves nothing behind.
 */
export async function makeWorktree(wish: WorktreeRequest): Promise<MadeWorktree> {
  const folder = fs.realpathSync(wish.folder);
  const from = await checkoutAround(folder);
  const place = beginWorktree({ ...wish, of: folder });
  try {
    const top = path.join(place.folder, path.basename(from.top) || 'worktree');
    const difference = await differenceOf(from);
    const { missing, notes } = await copyFiles(from, top, difference, wish.uncommitted);
    await borrowingRepository(top, from, { borrows: !isHiddenFromSandboxes(from.store), missing });
    const root = path.join(top, from.below);
    fs.mkdirSync(root, { recursive: true });
    const worktree = { of: folder, commit: from.commit, uncommitted: wish.uncommitted };
    readyWorktree(place, { ...worktree, root });
    return { id: place.id, root, worktree, notes };
  } catch (error) {
    removeWorktree(place.id);
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
    const words = `The disk of ${place.folder} is full, so no worktree could be created. Free some space, or work in the folder itself.`;
    throw new Error(words, { cause: message });
  }
}

/** Sandboxed commands see their own folders in place of these. */
const isHiddenFromSandboxes = (store: string): boolean =>
  process.platform === 'linux' && Object.keys(memoryFolders).some((each) => store.startsWith(`${each}/`));

/** Number of files copied concurrently. */
const atOnce = 16;

interface Copied {
  /** Files of the commit that are not in the worktree. */
  readonly missing: readonly string[];
  readonly notes: readonly string[];
}

/**
 * Copies unmodified files from the folder, so that the output of filters is kept without running any; large LFS files
 * are complete. Links come last: no file is written through one.
 */
async function copyFiles(
  from: Checkout,
  top: string,
  difference: CheckoutDifference,
  uncommitted: boolean,
): Promise<Copied> {
  const { committed, changed, deleted, added } = difference;
  const missing: string[] = [];
  const links: { readonly name: string; readonly target: string }[] = [];
  fs.mkdirSync(top, { recursive: true });
  const isReached = withoutLinks(from.top);
  const copy = async (name: string): Promise<boolean> => {
    const source = path.join(from.top, name);
    if (!isReached(path.dirname(source))) return false;
    const stat = await fs.promises.lstat(source).catch(() => undefined);
    if (stat?.isSymbolicLink()) links.push({ name, target: await fs.promises.readlink(source) });
    else if (stat?.isFile()) await copyFile(source, path.join(top, name), stat);
    else return false;
    return true;
  };
  const place = async (file: CommittedFile): Promise<void> => {
    const { name, mode } = file;
    if (mode === '160000') return void (await fs.promises.mkdir(path.join(top, name), { recursive: true }));
    const isWanted = !changed.has(name) || uncommitted;
    if (uncommitted && deleted.has(name)) return;
    if (isWanted) {
      // Files that a sparse checkout excludes are excluded here as well.
      if (!(await copy(name)) && !changed.has(name)) missing.push(name);
      return;
    }
    const bytes = await committedBytes(from, file);
    if (mode === '120000') links.push({ name, target: bytes.toString('utf8') });
    else await writeFile(path.join(top, name), bytes, mode === '100755' ? 0o777 : 0o666);
  };
  await eachOf(committed, place);
  if (uncommitted)
    await eachOf(
      added.filter((name) => !isInGit(name)),
      copy,
    );
  for (const { name, target } of links) {
    fs.mkdirSync(path.dirname(path.join(top, name)), { recursive: true });
    fs.symlinkSync(target, path.join(top, name));
  }
  return { missing, notes: notesOf(difference, uncommitted) };
}

/**
 * Returns a function that tells whether a folder below `top` is reached without a link. Git reports files behind a link
 * as deleted, unless the index claims that they are unchanged; what is there belongs to another folder.
 */
function withoutLinks(top: string): (folder: string) => boolean {
  const known = new Map<string, boolean>([[top, true]]);
  const isReached = (folder: string): boolean => {
    const before = known.get(folder);
    if (before !== undefined) return before;
    if (folder.length <= top.length) return false;
    const isFolder = fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
    const answer = isFolder && isReached(path.dirname(folder));
    known.set(folder, answer);
    return answer;
  };
  return isReached;
}

async function copyFile(source: string, target: string, { atime, mtime }: fs.Stats): Promise<void> {
  await fs.promises.mkdir(path.dirname(target), { recursive: true });
  await fs.promises.copyFile(source, target, fs.constants.COPYFILE_FICLONE | fs.constants.COPYFILE_EXCL);
  await fs.promises.utimes(target, atime, mtime);
}

async function writeFile(target: string, bytes: Buffer, mode: number): Promise<void> {
  await fs.promises.mkdir(path.dirname(target), { recursive: true });
  await fs.promises.writeFile(target, bytes, { mode, flag: 'wx' });
}

async function eachOf<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) await work(items[next++]!);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

function notesOf({ committed, changed, added }: CheckoutDifference, uncommitted: boolean): string[] {
  const left = changed.size + added.length;
  const files = left === 1 ? '1 changed file' : `${left} changed files`;
  const submodules = committed.some(({ mode }) => mode === '160000');
  return [
    ...(left > 0 && !uncommitted ? [`The worktree starts at the last commit, without ${files} of the folder.`] : []),
    ...(submodules ? ['Submodules are empty folders in the worktree.'] : []),
  ];
}
