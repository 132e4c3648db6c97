import path from 'node:path';
import { headOf } from './headCommit';
import { git, withoutFilters } from './safeGit';

/** `mode`: 100644, 100755 for a program, 120000 for a link. `hash` is that of Git. */
export interface CommittedFile {
  readonly mode: string;
  readonly hash: string;
}

/**
 * What Git knows of the texts in a workspace folder. Paths are relative to that folder, with "/".
 * Everything fails softly: undefined is "not known".
 */
export class GitTexts {
  private constructor(
    private readonly folder: string,
    private readonly gitFolder: string,
    private readonly commonFolder: string,
    private readonly prefix: string,
  ) {}

  /** Undefined where the folder lies in no repository, or there is no Git. */
  static async of(folder: string): Promise<GitTexts | undefined> {
    const told = await git(folder, ['rev-parse', '--absolute-git-dir', '--git-common-dir', '--show-prefix']);
    const [gitFolder, common, prefix = ''] = told?.toString('utf8').split('\n') ?? [];
    return gitFolder && common ? new GitTexts(folder, gitFolder, path.resolve(folder, common), prefix) : undefined;
  }

  /** The commit that is checked out, read from the files of the repository, because a process costs more. */
  head(): Promise<string | undefined> {
    return headOf(this.gitFolder, this.commonFolder);
  }

  /**
   * Files that are not as in the commit that is checked out, new ones too. Undefined where there are more than `most`.
   */
  async changed(most: number): Promise<string[] | undefined> {
    const told = await git(this.folder, [
      ...(await withoutFilters(this.folder)),
      '--no-optional-locks',
      'status',
      '--porcelain=v1',
      '-z',
      '--untracked-files=all',
      '--no-renames',
      '--',
      '.',
    ]);
    const entries = told
      ?.toString('utf8')
      .split('\0')
      .filter(Boolean)
      .map((entry) => entry.slice(3));
    if (!entries || entries.length > most) return undefined;
    return entries.filter((entry) => entry.startsWith(this.prefix)).map((entry) => entry.slice(this.prefix.length));
  }

  /**
   * The texts of these files in a commit; null for one that it does not hold.
   * Undefined where the commit cannot be read.
   */
  async texts(commit: string, paths: readonly string[]): Promise<Map<string, string | null> | undefined> {
    const found = await this.contents(commit, paths);
    return found && new Map([...found].map(([each, bytes]) => [each, bytes?.toString('utf8') ?? null]));
  }

  /** The same as bytes. */
  async contents(commit: string, paths: readonly string[]): Promise<Map<string, Buffer | null> | undefined> {
    const asked = paths.filter((each) => !each.includes('\n'));
    const told =
      asked.length === 0
        ? Buffer.alloc(0)
        : await git(this.folder, ['cat-file', '--batch'], {
            input: asked.map((each) => `${commit}:${this.prefix}${each}\n`).join(''),
          });
    if (!told) return undefined;
    const found = new Map<string, Buffer | null>();
    let at = 0;
    for (const each of asked) {
      const end = told.indexOf(10, at);
      if (end < 0) return undefined;
      const size = /^[0-9a-f]+ blob (\d+)$/.exec(told.toString('utf8', at, end))?.[1];
      const from = end + 1;
      const to = size === undefined ? from : from + Number(size);
      found.set(each, size === undefined ? null : told.subarray(from, to));
      at = size === undefined ? from : to + 1;
    }
    return found;
  }

  /** The files that a commit holds below the folder. Undefined where there is no such commit. */
  async files(commit: string): Promise<Map<string, CommittedFile> | undefined> {
    const told = await git(this.folder, ['ls-tree', '-r', '-z', commit, '--', '.']);
    const entries = told
      ?.toString('utf8')
      .split('\0')
      .flatMap((entry) => {
        const [, mode, hash, name] = /^(\d+) blob ([0-9a-f]+)\t([^]+)$/.exec(entry) ?? [];
        return name === undefined ? [] : [[name, { mode: mode!, hash: hash! }] as const];
      });
    return entries && new Map(entries);
  }

  /** Files that Git does not know and .gitignore does not leave out. */
  async others(): Promise<string[]> {
    return (
      (await git(this.folder, ['ls-files', '--others', '--exclude-standard', '-z', '--', '.']))
        ?.toString('utf8')
        .split('\0')
        .filter(Boolean) ?? []
    );
  }

  /** Makes a commit the one that is checked out, for Git; no file of the folder changes. False where Git cannot. */
  async pointTo(commit: string): Promise<boolean> {
    return (
      (await git(this.folder, ['update-ref', 'HEAD', commit])) !== undefined &&
      (await git(this.folder, ['read-tree', commit])) !== undefined
    );
  }

  /** The paths that .gitignore leaves out. Undefined if one of them is inside a repository of its own. */
  async ignored(paths: readonly string[]): Promise<ReadonlySet<string> | undefined> {
    const told = await git(this.folder, ['check-ignore', '-z', '--stdin'], {
      input: paths.map((each) => `${each}\0`).join(''),
      good: [0, 1],
    });
    return told && new Set(told.toString('utf8').split('\0').filter(Boolean));
  }

  /** What is not committed yet, new files by their names; empty where all is. Undefined where Git cannot say. */
  async uncommitted(): Promise<string | undefined> {
    const quiet = await withoutFilters(this.folder);
    // Before the first commit what was added is the difference to nothing, and the rest the difference to that.
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
   * A commit with its message and its changes in this folder; for a merge, what it brought in. Undefined if no commit
   * has that name.
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
  async latest(most: number): Promise<{ readonly id: string; readonly subject: string }[]> {
    const told = await git(this.folder, ['log', `--max-count=${most}`, '--format=%h%x09%s']);
    return (told?.toString('utf8') ?? '')
      .split('\n')
      .filter(Boolean)
      .map((line) => ({ id: line.split('\t', 1)[0]!, subject: line.slice(line.indexOf('\t') + 1) }));
  }

  /** Milliseconds since 1970, exact to the second. */
  async timeOf(commit: string): Promise<number | undefined> {
    const seconds = Number((await git(this.folder, ['show', '-s', '--format=%ct', commit]))?.toString('utf8').trim());
    return seconds > 0 ? seconds * 1000 : undefined;
  }
}

/**
 * No program and no setting of the repository draws the difference: of this folder alone, with the
 * names by which it is known what it holds.
 */
const plainDiff = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--submodule=short',
  '--relative',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];
