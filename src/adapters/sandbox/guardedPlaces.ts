import fs from 'node:fs';
import path from 'node:path';
import { protectedWrites, rulesFor } from '../../core/security/pathRules';

/** Made where they are missing, so that nothing can be put there: what Git and the editor obey at once. Git and most file lists do not show empty folders. */
export const neverMissing = ['.git', '.vscode'];
/** Inside a repository the rest stays writable, so that commits work. */
export const inGit = { made: ['hooks'], ifThere: ['config', 'config.worktree', 'info', 'modules', 'commondir'] };

export interface Guarded {
  /** Arguments for bubblewrap. */
  readonly arguments: readonly string[];
  /** Folders that were made to be guarded; whoever made them removes them. */
  readonly made: readonly string[];
}

/** Makes what other programs obey read-only inside `folder`. A guarded entry cannot be moved away either, because something is mounted on it. */
export function guard(folder: string): Guarded {
  const made: string[] = [];
  const make = (place: string): void => {
    // An empty one was left by a sandbox that could not remove it.
    if (kindOf(place) === 'folder' && names(place).length === 0) made.push(place);
    if (kindOf(place) !== 'missing') return;
    try { fs.mkdirSync(place); made.push(place); } catch { /* the folder is read-only anyway */ }
  };
  for (const name of neverMissing) make(path.join(folder, name));
  const git = path.join(folder, '.git');
  const isRepository = !made.includes(git) && kindOf(git) === 'folder';
  if (isRepository) for (const name of inGit.made) make(path.join(git, name));
  const readOnly = [
    ...obeyed(folder).filter(place => !(isRepository && place === git)),
    ...(isRepository ? [...inGit.made, ...inGit.ifThere].map(name => path.join(git, name)) : []),
  ].filter(place => ['file', 'folder'].includes(kindOf(place)));
  return { arguments: [...(isRepository ? ['--bind', git, git] : []), ...readOnly.flatMap(place => ['--ro-bind', place, place])], made };
}

/** What stands in `folder` now that other programs obey. */
export function obeyed(folder: string): string[] {
  const entries = names(folder).filter(name => [name, `${name}/`].some(each => rulesFor(each, protectedWrites).some(({ level }) => level === 'high')));
  const more = ['.github', '.git/commondir'].filter(name => kindOf(path.join(folder, name)) !== 'missing');
  return [...entries, ...more].map(name => path.join(folder, name));
}

/** Removes folders that were made for a sandbox, unless something came into them or another sandbox still needs them. */
export function removeMade(made: readonly string[]): void {
  for (const place of made) {
    if (isMounted(place)) continue;
    try { fs.rmdirSync(place); } catch { /* no longer empty: it has become somebody's */ }
  }
}

/** Whether something is mounted on `place` for any process that can be seen. Removing it would lift its guard. */
function isMounted(place: string): boolean {
  const written = ` ${place.replace(/[ \t\n\\]/g, character => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`)} `;
  return names('/proc').filter(name => /^\d+$/.test(name)).some(pid => {
    try { return fs.readFileSync(`/proc/${pid}/mountinfo`, 'utf8').includes(written); } catch { return false; }
  });
}

function kindOf(place: string): 'file' | 'folder' | 'other' | 'missing' {
  const found = fs.lstatSync(place, { throwIfNoEntry: false });
  return !found ? 'missing' : found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
}

function names(folder: string): string[] {
  try { return fs.readdirSync(folder); } catch { return []; }
}
