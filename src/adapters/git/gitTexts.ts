import path from 'node:path';
import { headOf } from './headCommit';
import { git, withoutFilters } from './safeGit';

/** `mode`: 100644, 100755 for an executable, 120000 for a link. `hash`: the Git object id. */
export interface CommittedBlob {
  readonly mode: string;
  readonly hash: string;
}

/**
 * Reads the texts of a workspace folder from Git. Paths are relative to that folder and use "/". Failures do not throw:
 * undefined means "unknown".
 */
export class GitTexts {
  private constructor(
    private readonly folder: string,
    private readonly gitFolder: string,
    private readonly commonFolder: string,
    private readonly prefix: string,
  ) {}

  /** Returns undefined if the folder is not in a repository, or if Git is not installed. */
  static async inFolder(folder: string): Promise<GitTexts | undefined> {
    const output = await git(folder, ['rev-parse', '--absolute-git-dir', '--git-common-dir', '--show-prefix']);
    const [gitFolder, common, prefix = ''] = output?.toString('utf8').split('\n') ?? [];
    return gitFolder && common ? new GitTexts(folder, gitFolder, path.resolve(folder, common), prefix) : undefined;
  }

  /** The commit that is checked out. Read from the files of the repository, because starting a process costs more. */
  head(): Promise<string | undefined> {
    return headOf(this.gitFolder, this.commonFolder);
  }

  /**
   * Lists files that differ from the commit that is checked out, including new ones. Returns undefined if there are
   * more than `most`.
   */
  async changedFiles(most: number): Promise<string[] | undefined> {
    const output = await git(this.folder, [
      ...(await withoutFilters(this.folder)),
      '--no-optional-locks',
      'status',
      '--porcelain=v1',
      '-z',
      '--untracked-files=all',
      '--no-renames',
      ignoredInSubmodules,
      '--',
      '.',
    ]);
    const entries = output
      ?.toString('utf8')
      .split('\0')
      .filter(Boolean)
      .map((entry) => entry.slice(3));
    if (!entries || entries.length > most) return undefined;
    return entries.filter((entry) => entry.startsWith(this.prefix)).map((entry) => entry.slice(this.prefix.length));
  }

  /**
   * Returns the texts of these files in a commit, null for a file that it does not contain. Returns undefined if the
   * commit cannot be read.
   */
  async texts(commit: string, paths: readonly string[]): Promise<Map<string, string | null> | undefined> {
    const found = await this.contents(commit, paths);
    return found && new Map([...found].map(([each, bytes]) => [each, bytes?.toString('utf8') ?? null]));
  }

  /** Like `texts`, but as bytes. */
  async contents(commit: string, paths: readonly string[]): Promise<Map<string, Buffer | null> | undefined> {
    const asked = paths.filter((each) => !each.includes('\n'));
    const output =
      asked.length === 0
        ? Buffer.alloc(0)
        : await git(this.folder, ['cat-file', '--batch'], {
            input: asked.map((each) => `${commit}:${this.prefix}${each}\n`).join(''),
          });
    if (!output) return undefined;
    const found = new Map<string, Buffer | null>();
    let at = 0;
    for (const each of asked) {
      const end = output.indexOf(10, at);
      if (end < 0) return undefined;
      const size = /^[0-9a-f]+ blob (\d+)$/.exec(output.toString('utf8', at, end))?.[1];
      const from = end + 1;
      const to = size === undefined ? from : from + Number(size);
      found.set(each, size === undefined ? null : output.subarray(from, to));
      at = size === undefined ? from : to + 1;
    }
    return found;
  }

  /** Lists the files of a commit below the folder. Returns undefined if the commit does not exist. */
  async files(commit: string): Promise<Map<string, CommittedBlob> | undefined> {
    const output = await git(this.folder, ['ls-tree', '-r', '-z', commit, '--', '.']);
    const entries = output
      ?.toString('utf8')
      .split('\0')
      .flatMap((entry) => {
        const [, mode, hash, name] = /^(\d+) blob ([0-9a-f]+)\t([^]+)$/.exec(entry) ?? [];
        return name === undefined ? [] : [[name, { mode: mode!, hash: hash! }] as const];
      });
    return entries && new Map(entries);
  }

  /** Lists untracked files that .gitignore does not exclude. */
  async untrackedFiles(): Promise<string[]> {
    return (
      (await git(this.folder, ['ls-files', '--others', '--exclude-standard', '-z', '--', '.']))
        ?.toString('utf8')
        .split('\0')
        .filter(Boolean) ?? []
    );
  }

  /** Makes Git consider a commit as checked out; no file of the folder changes. Returns false if Git fails. */
  async pointTo(commit: string): Promise<boolean> {
    return (
      (await git(this.folder, ['update-ref', 'HEAD', commit])) !== undefined &&
      (await git(this.folder, ['read-tree', commit])) !== undefined
    );
  }

  /** Returns the paths that .gitignore excludes, or undefined if one of them is inside a nested repository. */
  async ignoredPaths(paths: readonly string[]): Promise<ReadonlySet<string> | undefined> {
    const output = await git(this.folder, ['check-ignore', '-z', '--stdin'], {
      input: paths.map((each) => `${each}\0`).join(''),
      good: [0, 1],
    });
    return output && new Set(output.toString('utf8').split('\0').filter(Boolean));
  }

  /**
   * Returns the uncommitted changes, with new files by name; empty if there are none. Returns undefined if Git fails.
   */
  async uncommittedChanges(): Promise<string | undefined> {
    const quiet = await withoutFilters(this.folder);
    // Before the first commit, the index is compared to nothing, and the working tree to the index.
    const sides = (await this.head()) === undefined ? [['--cached'], []] : [['HEAD']];
    const [added, ...known] = await Promise.all([
      git(this.folder, [...quiet, 'ls-files', '--others', '--exclude-standard', '-z', '--', '.']),
      ...sides.map((side) => git(this.folder, [...quiet, 'diff', ...plainDiff, ...side, '--', '.'])),
    ]);
    const names = added?.toString('utf8').split('\0').filter(Boolean) ?? [];
    return known.some((each) => each === undefined)
      ? undefined
      : [...known.map((each) => each!.toString('utf8')), ...names.map((name) => `New file, not added yet: ${name}`)]
          .filter(Boolean)
          .join('\n');
  }

  /**
   * Returns a commit with its message and its changes in this folder; for a merge, what it brought in. Returns
   * undefined if no commit has that name.
   */
  async commit(name: string): Promise<string | undefined> {
    if (!/^[\w@][\w./@^~{}-]*$/.test(name)) return undefined;
    return (
      await git(this.folder, [
        ...(await withoutFilters(this.folder)),
        'show',
        '--format=medium',
        '--stat',
        '--patch',
        '-m',
        '--first-parent',
        ...plainDiff,
        '--end-of-options',
        `${name}^{commit}`,
        '--',
      ])
    )?.toString('utf8');
  }

  /** The latest commits, newest first. */
  async latestCommits(most: number): Promise<{ readonly id: string; readonly subject: string }[]> {
    const output = await git(this.folder, ['log', `--max-count=${most}`, '--format=%h%x09%s']);
    return (output?.toString('utf8') ?? '')
      .split('\n')
      .filter(Boolean)
      .map((line) => ({ id: line.split('\t', 1)[0]!, subject: line.slice(line.indexOf('\t') + 1) }));
  }

  /** Time of a commit in ms since 1970, with a precision of one second. */
  async timeOf(commit: string): Promise<number | undefined> {
    const seconds = Number((await git(this.folder, ['show', '-s', '--format=%ct', commit]))?.toString('utf8').trim());
    return seconds > 0 ? seconds * 1000 : undefined;
  }
}

/** Git would start itself in each submodule to look for changed files, and with it the filters that this names. */
const ignoredInSubmodules = '--ignore-submodules=dirty';

/**
 * Options for a diff that runs no program and obeys no display setting of the repository. Limited to this folder, with
 * names relative to it.
 */
const plainDiff = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--submodule=short',
  ignoredInSubmodules,
  '--relative',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];
