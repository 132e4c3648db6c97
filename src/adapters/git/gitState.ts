import { checkedOut, isInRepository, operationInProgress } from './headCommit';
import { git, withoutFilters } from './safeGit';

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
    if (!isInRepository(folder)) return 'no repository';
    const [changed, head, operation] = await Promise.all([
      changedFiles(folder),
      checkedOut(folder),
      operationInProgress(folder),
    ]);
    if (head === undefined) return 'no repository';
    const facts = [
      headInWords(head),
      operation && `${operation} in progress`,
      changed === undefined ? undefined : countInWords(changed),
    ];
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
