import { git, withoutFilters } from './safeGit';
import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';

/**
 * Maximum time in ms that a task may wait for the number of changed files. For a large repository only the branch is
 * shown.
 */
const maxWaitMs = 250;
const harmlessName = /^[\w./@#+-]{1,100}$/;

/**
 * Describes the Git state of a folder briefly: "branch main, 2 changed files", or "no repository". Runs nothing that
 * the repository names. Returns undefined if the state cannot be determined. Never rejects.
 */
export async function gitState(folder: string): Promise<string | undefined> {
  try {
    // Read from files, so that no process is started outside a repository.
    const head = await checkedOut(folder);
    if (head === undefined) return 'no repository';
    const changed = await changedFiles(folder);
    const facts = [headInWords(head), changed === undefined ? undefined : countInWords(changed)];
    return facts.filter((fact) => fact !== undefined).join(', ');
  } catch {
    return undefined;
  }
}

/** Branch names are untrusted input, and this text is part of the system prompt. */
function headInWords(head: NonNullable<Awaited<ReturnType<typeof checkedOut>>>): string {
  if ('commit' in head)
    return /^[0-9a-f]+$/.test(head.commit) ? `commit ${head.commit.slice(0, 10)}, no branch` : 'no branch';
  return harmlessName.test(head.branch) ? `branch ${head.branch}` : 'a branch with an unusual name';
}

function countInWords(changed: number): string {
  if (changed === 0) return 'clean';
  return changed === 1 ? '1 changed file' : `${changed} changed files`;
}

/** Returns undefined without Git or a repository, or on a timeout. A new folder counts as one file. */
async function changedFiles(folder: string): Promise<number | undefined> {
  const until = performance.now() + maxWaitMs;
  const quiet = await withoutFilters(folder, { timeoutMs: maxWaitMs });
  const left = Math.floor(until - performance.now());
  if (left <= 0) return undefined;
  const wanted = [
    'status',
    '--porcelain=v1',
    '-z',
    '--untracked-files=normal',
    '--no-renames',
    '--ignore-submodules=all',
  ];
  const output = await git(folder, [...quiet, ...wanted], { timeoutMs: left });
  return output?.toString('utf8').split('\0').filter(Boolean).length;
}

const readText = (file: string): Promise<string | undefined> => fs.readFile(file, 'utf8').catch(() => undefined);

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
async function checkedOut(
  folder: string,
): Promise<{ readonly branch: string } | { readonly commit: string } | undefined> {
  const own = await gitFolderAbove(folder);
  const head = own === undefined ? undefined : (await readText(path.join(own, 'HEAD')))?.trim();
  if (!head) return undefined;
  return head.startsWith('ref: ')
    ? { branch: head.slice('ref: '.length).replace(/^refs\/heads\//, '') }
    : { commit: head };
}

/** Returns whether a folder is inside a repository, judging by files only. */
export function isInRepository(folder: string): boolean {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    if (existsSync(path.join(at, '.git'))) return true;
    if (path.dirname(at) === at) return false;
  }
}

/** The `.git` of the repository that contains a folder. */
async function gitFolderAbove(folder: string): Promise<string | undefined> {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const own = await gitFolderIn(at);
    if (own !== undefined || path.dirname(at) === at) return own;
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
