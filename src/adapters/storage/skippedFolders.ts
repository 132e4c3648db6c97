/**
 * The folders that a walk over the disk does not enter, by what the walk looks for. They are large, and what is in them
 * is not what it looks for.
 */

const packages = ['node_modules', 'bower_components', '.venv', 'venv', 'site-packages', '__pycache__'];

/** For files that a person, the agent or Waymark wrote: drafts, excluded names, skills, authors of lines. */
export const withoutOwnFiles: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/**
 * For protected files. Packages bring their own, which concern only themselves. `.git` is entered, because its files
 * are protected, too.
 */
export const withoutProtectedFiles: ReadonlySet<string> = new Set(packages);

/** For files that the sandbox guards. It guards `.git` by other means. */
export const withoutGuardedFiles: ReadonlySet<string> = new Set(['.git', ...packages]);

/** For repositories. Some of Bower's packages are repositories themselves. */
export const withoutRepositories: ReadonlySet<string> = new Set([
  '.git',
  'node_modules',
  '.venv',
  'venv',
  'site-packages',
]);

/** For `.gitattributes` of the project: neither packages nor what a build makes. */
export const withoutAttributes: ReadonlySet<string> = new Set([
  '.git',
  'node_modules',
  '.venv',
  'venv',
  'dist',
  'build',
  'out',
  'target',
]);

/**
 * For `.env` files. Packages and version control data contain a lot of published text. A virtual environment is
 * entered: people keep such files beside its programs. So are folders that Git ignores, as it does most of these files.
 */
export const withoutEnvironmentFiles: ReadonlySet<string> = new Set([
  'node_modules',
  'site-packages',
  '.git',
  '.hg',
  '.svn',
]);

/** For files that cannot be restored. Packages can be installed again, and contain keys for their own tests. */
export const withoutLosses: ReadonlySet<string> = new Set(['node_modules', '__pycache__', 'vendor']);
