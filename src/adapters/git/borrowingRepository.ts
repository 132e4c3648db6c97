import fs from 'node:fs';
import path from 'node:path';
import { replaceInvisible } from '../../protocol/plain/invisible';
import { git, withoutFilters, type GitCall } from './safeGit';

/**
 * Creates a repository that reads the objects of another one but writes only its own. Commits, staged changes and
 * settings never reach the other repository, which is not written to at all.
 */

/** A folder with files of a repository, with what is needed to recreate it elsewhere. Paths are absolute. */
export interface Checkout {
  /** The top folder of the working tree. */
  readonly top: string;
  /** The path from `top` to the requested folder; empty if they are the same. */
  readonly below: string;
  /** The Git folder that all worktrees of the repository share. */
  readonly store: string;
  readonly commit: string;
  /** Undefined if HEAD is detached. */
  readonly branch: string | undefined;
  readonly hash: string;
}

/** Prefix of branches in full ref names. The short name of a branch is ambiguous if a tag has the same name. */
const branches = 'refs/heads/';

/** Large repositories on slow disks take long. */
const slowGit: Pick<GitCall, 'timeoutMs'> = { timeoutMs: 600_000 };

/**
 * Describes the checkout that contains a folder. Throws an `Error` with a message for people if no worktree can be
 * created from it.
 */
export async function checkoutAround(folder: string): Promise<Checkout> {
  if ((await git(folder, ['--version'])) === undefined)
    throw new Error('Git is not installed, and a worktree needs it. Install Git, or work in the folder itself.');
  const isBare = await line(folder, 'rev-parse', '--is-bare-repository');
  if (isBare === undefined)
    throw new Error(
      `${folder} is not in a Git repository that this account can read, so it cannot have worktrees. Run "git init" and commit, or work in the folder itself.`,
    );
  const top = isBare === 'true' ? undefined : await line(folder, 'rev-parse', '--show-toplevel');
  if (top === undefined)
    throw new Error(`${folder} is a bare repository without files to work on. Name a folder with its files.`);
  const commit = await line(folder, 'rev-parse', '--verify', '--quiet', 'HEAD^{commit}');
  if (commit === undefined) throw new Error(`${top} has no commits yet, so no worktree can be created. Commit first.`);
  const store = await line(folder, 'rev-parse', '--path-format=absolute', '--git-common-dir');
  if (store === undefined)
    throw new Error(
      'This version of Git is too old for worktrees. Install version 2.31 or newer, or work in the folder itself.',
    );
  const own = await line(folder, 'rev-parse', '--absolute-git-dir');
  // With "core.worktree" a repository can name any folder, whose contents would be copied.
  if (own === undefined || (await line(top, 'rev-parse', '--absolute-git-dir')) !== own)
    throw new Error(
      `The repository of ${folder} sets its working tree (core.worktree) to another folder, ${top}, so no worktree can be created. Work in the folder itself.`,
    );
  const below = (await line(folder, 'rev-parse', '--show-prefix')) ?? '';
  const head = await line(folder, 'symbolic-ref', '--quiet', 'HEAD');
  return {
    top: fs.realpathSync(top),
    below: below.replace(/\/$/, ''),
    store: fs.realpathSync(store),
    commit,
    branch: head?.startsWith(branches) ? head.slice(branches.length) : undefined,
    hash: (await line(folder, 'rev-parse', '--show-object-format')) ?? 'sha1',
  };
}

/** Returns what Git prints, without the line break at its end, or undefined if it fails. */
async function line(folder: string, ...args: string[]): Promise<string | undefined> {
  return (await git(folder, args, slowGit))?.toString('utf8').replace(/\n$/, '');
}

/** Differences between the files of a checkout and its commit. Names are relative to its top folder and use slashes. */
export interface CheckoutDifference {
  /** Files of the commit, with their modes and blobs. */
  readonly committed: readonly CommittedFile[];
  /** Files of the commit that have changed since; they may be missing. */
  readonly changed: ReadonlySet<string>;
  /** Files that were removed from the index and are not untracked: they are deleted or ignored. */
  readonly deleted: ReadonlySet<string>;
  /** Files that are neither in the commit nor ignored. */
  readonly added: readonly string[];
}

/** A file of a commit, by its name in the tree. `blob`: Git object id of the content. */
export interface CommittedFile {
  readonly name: string;
  /** "100644", "100755", "120000" for links, "160000" for submodules. */
  readonly mode: string;
  readonly blob: string;
}

/** Compares them without running a program that the repository names. Throws an `Error` with a message for people. */
export async function differenceOf({ top, commit }: Checkout): Promise<CheckoutDifference> {
  const noFilters = await withoutFilters(top, { ...slowGit, alsoOfAccount: true });
  const [tree, status] = await Promise.all([
    git(top, ['ls-tree', '-r', '-z', '--full-tree', commit], slowGit),
    git(top, [...noFilters, 'status', ...statusFormat], slowGit),
  ]);
  if (tree === undefined || status === undefined)
    throw new Error(`Git could not compare the files of ${top} with its last commit, so no worktree was created.`);
  const committed = splitAtNul(tree).flatMap((entry) => {
    const [mode = '', , blob = ''] = entry.slice(0, entry.indexOf('\t')).split(' ');
    return [{ mode, blob, name: entry.slice(entry.indexOf('\t') + 1) }];
  });
  const bad = committed.find(({ name }) => !isPlainName(name));
  if (bad)
    throw new Error(
      `The last commit of ${top} contains a file that Git does not check out: ${JSON.stringify(bad.name)}. No worktree was created.`,
    );
  const names = new Set(committed.map(({ name }) => name));
  const statuses = splitAtNul(status).map((entry) => ({ how: entry.slice(0, 2), name: entry.slice(3) }));
  const untracked = new Set(statuses.filter(({ how }) => how === '??').map(({ name }) => name));
  const takenOut = statuses.filter(({ how, name }) => how === 'D ' && !untracked.has(name));
  return {
    committed,
    changed: new Set(statuses.filter(({ name }) => names.has(name)).map(({ name }) => name)),
    deleted: new Set(takenOut.map(({ name }) => name)),
    // A name with a trailing slash is another repository.
    added: statuses.map(({ name }) => name).filter((name) => !names.has(name) && !name.endsWith('/')),
  };
}

/**
 * Returns whether a name in a commit stays below the top folder and is not part of `.git`. Hand-crafted commits can
 * contain "..", and the files are written before Git checks them.
 */
function isPlainName(name: string): boolean {
  const isOfWindows = process.platform === 'win32' && /[\\:]/.test(name);
  const hasOddPart = name.split('/').some((part) => part === '' || part === '.' || part === '..');
  return !isOfWindows && !hasOddPart && !isInGit(name);
}

/** Returns whether a name has a part that Git itself never checks out, because it would be a repository folder. */
export const isInGit = (name: string): boolean =>
  name.split(/[\\/]/).some((part) => /^(?:\.git|git~\d+)[. ]*$/i.test(replaceInvisible(part, () => '')));

const statusFormat = [
  '--porcelain=v1',
  '-z',
  '--untracked-files=all',
  '--no-renames',
  '--ignore-submodules=all',
  '--ignored=no',
];

const splitAtNul = (output: Buffer): string[] => output.toString('utf8').split('\0').filter(Boolean);

/**
 * Reads a committed file as it would be checked out, but without filters, which are programs. Throws an `Error` with a
 * message for people.
 */
export async function committedBytes({ top }: Checkout, { name, blob, mode }: CommittedFile): Promise<Buffer> {
  const noFilters = await withoutFilters(top, { ...slowGit, alsoOfAccount: true });
  const how = mode === '120000' ? ['blob', blob] : ['--filters', `--path=${name}`, blob];
  const bytes = await git(top, [...noFilters, 'cat-file', ...how], slowGit);
  if (bytes === undefined)
    throw new Error(
      `Git could not read ${name} of the last commit, so no worktree was created. The file may not be downloaded yet.`,
    );
  return bytes;
}

/** Settings of the repository that affect how its files are read and that start no program. */
const copiedSettings =
  /^(?:core\.(?:autocrlf|eol|safecrlf|filemode|ignorecase|symlinks|precomposeunicode|longpaths)|user\.(?:name|email))$/;

/** Maximum number of refs to copy: each costs a file. */
const maxRefs = 500;

/**
 * Creates the `.git` of `root`, at the same commit and branch. `borrows`: whether it reads the objects in place;
 * otherwise they are copied, which takes longer. `missing`: files of the commit that are left out, as in a sparse
 * checkout. Throws an `Error` with a message for people.
 */
export async function borrowingRepository(
  root: string,
  from: Checkout,
  { borrows, missing }: { readonly borrows: boolean; readonly missing: readonly string[] },
): Promise<void> {
  const { top, commit, branch, hash, store } = from;
  const gitOrThrow = async (args: readonly string[], call: GitCall = {}): Promise<void> => {
    if ((await git(root, args, { ...slowGit, ...call })) === undefined)
      throw new Error(`No worktree of ${top} could be created: ${describeGitCall(args)} failed.`);
  };
  await gitOrThrow(['init', '--quiet', '--template=', `--object-format=${hash}`, root]);
  const own = path.join(root, '.git');
  for (const [name, value] of await settingsOf(top)) await gitOrThrow(['config', name, value]);
  copyText(path.join(store, 'info', 'exclude'), path.join(own, 'info', 'exclude'));
  if (borrows) {
    const objects = path.join(store, 'objects');
    fs.mkdirSync(path.join(own, 'objects', 'info'), { recursive: true });
    fs.writeFileSync(path.join(own, 'objects', 'info', 'alternates'), `${quotedLine(objects)}\n`);
    copyText(path.join(store, 'shallow'), path.join(own, 'shallow'));
    // Best effort: refs whose commits are not available are left out.
    await git(root, ['update-ref', '--stdin'], { ...slowGit, input: await refsOf(top) });
  } else {
    const uploadPack = '--upload-pack=git -c uploadpack.allowAnySHA1InWant=true upload-pack';
    const local = ['-c', 'protocol.file.allow=always', 'fetch', '--quiet', '--no-tags', '--no-write-fetch-head'];
    await gitOrThrow([...local, '--update-shallow', uploadPack, '--', store, commit]);
  }
  if (branch !== undefined) {
    await gitOrThrow(['update-ref', `${branches}${branch}`, commit]);
    await gitOrThrow(['symbolic-ref', 'HEAD', `${branches}${branch}`]);
  } else await gitOrThrow(['update-ref', '--no-deref', 'HEAD', commit]);
  await gitOrThrow(['read-tree', commit]);
  if (missing.length > 0)
    await gitOrThrow(['update-index', '-z', '--skip-worktree', '--stdin'], {
      input: missing.map((name) => `${name}\0`).join(''),
    });
  const noFilters = await withoutFilters(root, { ...slowGit, alsoOfAccount: true });
  // Exit code 1: some files differ.
  await gitOrThrow([...noFilters, 'update-index', '-q', '--refresh'], { good: [0, 1] });
}

/** A Git call for messages, without its settings: "git read-tree". */
function describeGitCall(args: readonly string[]): string {
  const subcommand = args.find((word, index) => !word.startsWith('-') && args[index - 1] !== '-c');
  return `git ${subcommand}`;
}

async function settingsOf(top: string): Promise<(readonly [name: string, value: string])[]> {
  const output = await git(top, ['config', '--local', '--list', '-z'], slowGit);
  return splitAtNul(output ?? Buffer.alloc(0)).flatMap((entry) => {
    const at = entry.indexOf('\n');
    const name = entry.slice(0, at);
    return at > 0 && copiedSettings.test(name) ? [[name, entry.slice(at + 1)] as const] : [];
  });
}

/**
 * Lines for `git update-ref --stdin`, so that for example `git log main..` prints the same as in the original
 * repository.
 */
async function refsOf(top: string): Promise<string> {
  const format = '--format=%(if)%(symref)%(then)%(else)%(objectname) %(refname)%(end)';
  const kinds = ['refs/heads', 'refs/remotes', 'refs/tags'];
  const output = await git(top, ['for-each-ref', `--count=${maxRefs}`, format, ...kinds], slowGit);
  return (output?.toString('utf8') ?? '')
    .split('\n')
    .filter(Boolean)
    .map((entry) => `create ${entry.slice(entry.indexOf(' ') + 1)} ${entry.slice(0, entry.indexOf(' '))}\n`)
    .join('');
}

/** Quotes a path for the alternates file. */
const quotedLine = (place: string): string => (/^["#]|\n/.test(place) ? JSON.stringify(place) : place);

function copyText(from: string, to: string): void {
  if (!fs.statSync(from, { throwIfNoEntry: false })?.isFile()) return;
  fs.mkdirSync(path.dirname(to), { recursive: true });
  fs.writeFileSync(to, fs.readFileSync(from));
}
