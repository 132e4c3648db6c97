import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { at } from '../repository.mjs';

/** The task of the example; any text works, since the tutorial model plays a script. */
export const TASK =
  'People waiting for the 12:30 pm ferry never see it, and the tests fail. Find out why and repair it.';

/**
 * Creates a fresh copy of examples/first-run outside the repository, under version control if git is available. Returns
 * its absolute path.
 */
export function copyExample() {
  const folder = path.join(fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'waymark-')), 'first-run');
  const left = new Set(['.kept', 'node_modules', 'script.jsonl']);
  fs.cpSync(at('examples/first-run'), folder, { recursive: true, filter: (file) => !left.has(path.basename(file)) });
  const git = (...args) =>
    spawnSync(
      'git',
      ['-c', 'user.name=Waymark example', '-c', 'user.email=example@localhost', '-c', 'commit.gpgsign=false', ...args],
      { cwd: folder, stdio: 'ignore' },
    ).status === 0;
  void (
    git('init', '--quiet') &&
    git('add', '.') &&
    git('commit', '--quiet', '--message', 'The ferry times as they are')
  );
  return folder;
}
