import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { readPlain } from '../storage/lenientReads';

/** A file of references has a line for each branch and tag. */
const maxReferencesBytes = 256 * 1024 * 1024;

const readText = (file: string): Promise<string | undefined> => readPlain(file, maxReferencesBytes);

/**
 * Returns the commit that is checked out in the repository of a folder. Read from its files, because starting a process
 * costs more. Returns undefined if it cannot be determined.
 */
export async function headCommit(folder: string): Promise<string | undefined> {
  const own = await gitFolderAbove(folder);
  return own === undefined
    ? undefined
    : headOf(own, path.resolve(own, (await readText(path.join(own, 'commondir')))?.trim() ?? '.'));
}

/** Returns the branch or the commit that is checked out, or undefined without a repository. */
export async function checkedOut(
  folder: string,
): Promise<{ readonly branch: string } | { readonly commit: string } | undefined> {
  const own = await gitFolderAbove(folder);
  const head = own === undefined ? undefined : (await readText(path.join(own, 'HEAD')))?.trim();
  if (!head) return undefined;
  return head.startsWith('ref: ')
    ? { branch: head.slice('ref: '.length).replace(/^refs\/heads\//, '') }
    : { commit: head };
}

/** Files of `.git` that exist only while an operation waits for a person, and the operation in words. */
const operations = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
] as const;

/** Returns the operation of the repository that is not finished, such as "rebase". */
export async function operationInProgress(folder: string): Promise<string | undefined> {
  const own = await gitFolderAbove(folder);
  return own && operations.find(([file]) => existsSync(path.join(own, file)))?.[1];
}

/** Returns whether a folder is inside a repository, judging by files only. */
export function isInRepository(folder: string): boolean {
  for (let ancestor = path.resolve(folder); ; ancestor = path.dirname(ancestor)) {
    if (existsSync(path.join(ancestor, '.git'))) return true;
    if (path.dirname(ancestor) === ancestor) return false;
  }
}

/** The `.git` of the repository that contains a folder. */
async function gitFolderAbove(folder: string): Promise<string | undefined> {
  for (let ancestor = path.resolve(folder); ; ancestor = path.dirname(ancestor)) {
    const own = await gitFolderIn(ancestor);
    if (own !== undefined || path.dirname(ancestor) === ancestor) return own;
  }
}

/** Like `headCommit`, for a repository. `common`: the Git folder that its worktrees share. */
export async function headOf(gitFolder: string, common: string): Promise<string | undefined> {
  const head = (await readText(path.join(gitFolder, 'HEAD')))?.trim();
  const ref = head?.startsWith('ref: ') ? head.slice(5) : undefined;
  if (ref === undefined) return head || undefined;
  for (const folder of [gitFolder, common]) {
    const commit = (await readText(path.join(folder, ref)))?.trim();
    if (commit) return commit;
  }
  return (await readText(path.join(common, 'packed-refs')))
    ?.split('\n')
    .find((line) => line.endsWith(` ${ref}`))
    ?.split(' ')[0];
}

async function gitFolderIn(folder: string): Promise<string | undefined> {
  const at = path.join(folder, '.git');
  const stat = await fs.stat(at).catch(() => undefined);
  if (stat?.isDirectory()) return at;
  const target = stat && /^gitdir:[ \t]*(\S.*)$/m.exec((await readText(at)) ?? '')?.[1]?.trimEnd();
  return target === undefined ? undefined : path.resolve(folder, target);
}
