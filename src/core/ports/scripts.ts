/**
 * Everything besides its own text that determines what a command runs. Reads files from disk, as a shell does, not from
 * editor buffers. Paths are relative to the first folder of the workspace, and absolute in the others.
 */
export interface Scripts {
  /**
   * Text of a file of the workspace. Undefined if it does not exist, is outside, is not a regular file, is over 64 KB,
   * or is not text.
   */
  read(path: string): Promise<string | undefined>;
  /**
   * Paths of manifests, makefiles and shell scripts in their usual places, at most 100 in each folder of the workspace,
   * and of programs there, at most 60.
   */
  usualPlaces(): Promise<string[]>;
  /**
   * Returns the real locations of a path that goes through symbolic links, if they differ from the path: relative to
   * the folder if inside, else absolute.
   * `pattern`: the locations of all links among the matching names. Throws if a pattern matches too much.
   */
  linkTargets(path: string, pattern: boolean): Promise<readonly string[]>;
  /**
   * Returns protected files and folders below a folder: relative to the workspace, absolute, or in the home folder
   * ("~/…"). Those in packages do not count. `pattern`: below all folders that match; only a `hidden` one also matches
   * folders with a leading dot. `fileSystem`: folder below which paths outside of the workspace are, instead of "/".
   */
  protectedBelow(path: string, pattern?: 'visible' | 'hidden', fileSystem?: string): Promise<ProtectedBelow>;
  /**
   * Returns the first path excluded by .agentignore among those that `path` names. Undefined if there is none, or too
   * much to check. See `CommandContext.excludedPath`.
   */
  excludedPath(path: string, how: PathUse): Promise<string | undefined>;
  /**
   * Returns what would be lost with each of the paths, in their order, with a single call of Git. `made`: files of this
   * session and their versions.
   */
  inGit(deleted: readonly DeletedPath[], made: ReadonlyMap<string, string>): Promise<readonly LossIfDeleted[]>;
  /**
   * Returns what is at an absolute path in the machine's temporary folders. `since`: start of the session, in
   * milliseconds since 1970.
   */
  temporaryFile(path: string, since: number): Promise<TemporaryFile>;
  /**
   * Everything in the repositories of the workspace's folders that can make Git run a program: settings, hooks and
   * attributes. The same text as long as nothing changed; empty without a repository.
   */
  gitSettings(): Promise<string>;
  /**
   * The same for other repositories in the workspace that Git obeys if it starts in a folder: the one that it finds
   * there, and submodules. The folder may be a pattern; `**` stands for every folder.
   */
  gitSettingsBelow(folder: string): Promise<readonly SettingsBelow[]>;
  /** Returns the PowerShell parser. Throws if it is missing. */
  powershell(): Promise<(text: string) => SyntaxNode>;
  /** Short, collision-resistant hash. */
  hash(text: string): string;
}

/** A repository below the workspace's folder. */
export interface SettingsBelow {
  /** Relative to the workspace. */
  readonly folder: string;
  /** As in `Scripts.gitSettings`. */
  readonly settings: string;
  /** True if its settings are in an ordinary folder, which commits can contain, and not in a `.git`. */
  readonly isOpen: boolean;
}

/** The result of a search for protected files. */
export interface ProtectedBelow {
  /** At most three paths. Empty for a file. */
  readonly found: readonly string[];
  /** False if there may be more: the folder has too many entries, or some of it could not be read. */
  readonly isComplete: boolean;
}

/** A path that a command deletes, relative to the workspace. `pattern`: it is a glob that the shell expands. */
export interface DeletedPath {
  readonly path: string;
  readonly pattern: boolean;
}

/**
 * What would be lost if a path of the workspace were deleted, worst first. `changed`: tracked, with uncommitted
 * changes. `untracked`: not tracked and not ignored. `unknown`: there is no repository, or Git did not answer.
 * `secrets` and `repository`: ignored, but contains secrets or a repository. `tracked`: as committed. `made`: created
 * by this session and unchanged since. `ignored`: ignored by Git. `nothing`: the path does not exist.
 */
export type LossIfDeleted =
  'changed' | 'untracked' | 'unknown' | 'secrets' | 'repository' | 'tracked' | 'made' | 'ignored' | 'nothing';

/**
 * `none`: does not exist. `ours`: created by this session, or since it began. `others`: anything else, including
 * unknown.
 */
export type TemporaryFile = 'none' | 'ours' | 'others';

/**
 * How a command uses a path. `pattern`: it is a glob that the shell expands. `within`: includes everything below it.
 */
export interface PathUse {
  readonly pattern: boolean;
  readonly within: boolean;
}

/** A node of the syntax tree, as in tree-sitter. */
export interface SyntaxNode {
  readonly type: string;
  readonly text: string;
  readonly isNamed: boolean;
  readonly isMissing: boolean;
  readonly hasError: boolean;
  readonly children: readonly (SyntaxNode | null)[];
}
