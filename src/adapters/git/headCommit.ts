import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';

const text = (file: string): Promise<string | undefined> => fs.readFile(file, 'utf8').catch(() => undefined);

/**
 * The commit that is checked out in the repository that a folder lies in, read from its files, because a process costs
 * more. Undefined where it cannot be told.
 */
export async function headCommit(folder: string): Promise<string | undefined> {
  const own = await gitFolderAbove(folder);
  return own === undefined
    ? undefined
    : headOf(own, path.resolve(own, (await text(path.join(own, 'commondir')))?.trim() ?? '.'));
}

/** What is checked out: the name of a branch, or a commit. Undefined without a repository. */
export async function checkedOut(
  folder: string,
): Promise<{ readonly branch: string } | { readonly commit: string } | undefined> {
  const own = await gitFolderAbove(folder);
  const head = own === undefined ? undefined : (await text(path.join(own, 'HEAD')))?.trim();
  if (!head) return undefined;
  return head.startsWith('ref: ')
    ? { branch: head.slice('ref: '.length).replace(/^refs\/heads\//, '') }
    : { commit: head };
}

/** Whether a folder is inside a repository, judging by its files only. */
export function isInRepository(folder: string): boolean {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    if (existsSync(path.join(at, '.git'))) return true;
    if (path.dirname(at) === at) return false;
  }
}

/** The `.git` of the repository that a folder lies in. */
async function gitFolderAbove(folder: string): Promise<string | undefined> {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const own = await gitFolderIn(at);
    if (own !== undefined || path.dirname(at) === at) return own;
  }
}

/** The same for a repository; `common` is where it keeps what its worktrees share. */
export async function headOf(gitFolder: string, common: string): Promise<string | undefined> {
  const head = (await text(path.join(gitFolder, 'HEAD')))?.trim();
  const ref = head?.startsWith('ref: ') ? head.slice(5) : undefined;
  if (ref === undefined) return head || undefined;
  for (const folder of [gitFolder, common]) {
    const commit = (await text(path.join(folder, ref)))?.trim();
    if (commit) return commit;
  }
  return (await text(path.join(common, 'packed-refs')))
    ?.split('\n')
    .find((line) => line.endsWith(` ${ref}`))
    ?.split(' ')[0];
}

async function gitFolderIn(folder: string): Promise<string | undefined> {
  const at = path.join(folder, '.git');
  const stat = await fs.stat(at).catch(() => undefined);
  if (stat?.isDirectory()) return at;
  const target = stat && /^gitdir:[ \t]*(\S.*)$/m.exec((await text(at)) ?? '')?.[1]?.trimEnd();
  return target === undefined ? undefined : path.resolve(folder, target);
}
