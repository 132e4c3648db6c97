import fs from 'node:fs';
import { git } from '../git/safeGit';

/** Remembers a folder in a Git repository outside of it, which nobody who works in the folder can change. */
export interface Shadow {
  /** What was changed since, as a patch for Git; what Git ignores is left out. Throws an `Error` in words. */
  patch(): Promise<string>;
}

const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';
const patienceMs = 300_000;

/** `place`: where the repository is made. */
export async function shadowOf(root: string, place: string): Promise<Shadow> {
  const call = async (...args: string[]): Promise<string> => {
    const settings = ['-c', 'core.autocrlf=false', '-c', 'core.safecrlf=false', '-c', 'advice.addEmbeddedRepo=false'];
    const at = ['--git-dir', place, '--work-tree', root];
    const told = await git(root, [...settings, ...at, ...args], { timeoutMs: patienceMs });
    if (told === undefined) throw new Error(`What the task changes cannot be told: git ${args[0]} failed.`);
    return told.toString('utf8');
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
      return call('diff', '--cached', '--binary', '--no-color', '--no-ext-diff', '--no-textconv', before);
    },
  };
}
