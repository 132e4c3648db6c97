import fs from 'node:fs';
import { git } from '../git/safeGit';

/** Tracks a folder in a Git repository outside of it, which nothing that runs in the folder can change. */
interface ShadowRepository {
  /**
   * Returns the changes since it was created as a Git patch, without ignored files. Throws an `Error` with a message for people.
   */
  patch(): Promise<string>;
}

const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const shadowTimeoutMs = 300_000;

/**
 * Overrides account settings, such as `diff.noprefix`, that would make a patch that cannot be applied. Renames are
 * written as a deletion and an addition, so that either file can be left out by name.
 */
const asPatch = [
  ...['--binary', '--no-color', '--no-ext-diff', '--no-textconv', '--no-renames'],
  ...['--unified=3', '--submodule=short', '--src-prefix=a/', '--dst-prefix=b/'],
];

/** Begins to track a folder. `place`: where the repository is created. */
export async function createShadowRepository(root: string, place: string): Promise<ShadowRepository> {
  const call = async (...args: string[]): Promise<string> => {
    const settings = ['-c', 'core.autocrlf=false', '-c', 'core.safecrlf=false', '-c', 'advice.addEmbeddedRepo=false'];
    const repository = ['--git-dir', place, '--work-tree', root];
    const output = await git(root, [...settings, ...repository, ...args], { timeoutMs: shadowTimeoutMs });
    if (output === undefined) throw new Error(`Waymark cannot tell what the task changed: git ${args[0]} failed.`);
    return output.toString('utf8');
  };
  const isEmpty = fs.readdirSync(root).length === 0;
  const begin = async (): Promise<void> => void (await call('init', '--quiet'));
  let before = emptyTree;
  if (!isEmpty) {
    await begin();
    await call('add', '--all', '--', '.');
    before = (await call('write-tree')).trim();
  }
  return {
    async patch() {
      if (isEmpty && fs.readdirSync(root).length === 0) return '';
      if (isEmpty && !fs.existsSync(place)) await begin();
      await call('add', '--all', '--', '.');
      return call('diff', '--cached', ...asPatch, before);
    },
  };
}
