import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { stateFolder } from '../stateFolder';

/**
 * Makes `place`, a folder, or a file of `content`. Whether it is there only for sandboxes: it was made now, or one that was killed left it.
 * What a person had there before is not; that is told by notes in the state folder, which no sandbox sees.
 */
export function madeForSandbox(place: string, content?: string): boolean {
  if (kindOf(place) !== 'missing') return wasLeft(place, content);
  try {
    if (content === undefined) fs.mkdirSync(place);
    else fs.writeFileSync(place, content, { flag: 'wx' });
  } catch { return false; } // the folder is read-only anyway
  note(place);
  return true;
}

/** Removes what was made for a sandbox, unless something came into it or another sandbox still needs it. */
export function removeMade(made: Iterable<string>): void {
  for (const place of made) {
    if (isMounted(place)) continue;
    const isFolder = kindOf(place) === 'folder';
    try { if (isFolder) fs.rmdirSync(place); else if (isAsMade(place)) fs.unlinkSync(place); } catch { /* no longer empty: it has become somebody's */ }
    fs.rmSync(noteOf(place), { force: true });
  }
}

export function kindOf(place: string): 'file' | 'folder' | 'other' | 'missing' {
  let found: fs.Stats;
  try { found = fs.lstatSync(place); } catch { return 'missing'; }
  return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
}

export function names(folder: string): string[] {
  try { return fs.readdirSync(folder); } catch { return []; }
}

/** One note for each place, so that two windows do not overwrite each other's. */
const noteOf = (place: string): string => path.join(stateFolder(), 'sandbox', createHash('sha256').update(place).digest('hex'));

function note(place: string): void {
  try {
    fs.mkdirSync(path.dirname(noteOf(place)), { recursive: true, mode: 0o700 });
    fs.writeFileSync(noteOf(place), identityOf(place), { mode: 0o600 });
  } catch { /* without a note it stays when this process is killed */ }
}

/** Another folder of the same name has another identity, and so has a file after a change. */
function identityOf(place: string): string {
  const { ino, birthtimeMs, mtimeMs, size } = fs.lstatSync(place);
  return JSON.stringify(kindOf(place) === 'folder' ? [ino, birthtimeMs] : [ino, birthtimeMs, mtimeMs, size]);
}

function isAsMade(place: string): boolean {
  try { return fs.readFileSync(noteOf(place), 'utf8') === identityOf(place); } catch { return false; }
}

const wasLeft = (place: string, content?: string): boolean =>
  isAsMade(place) && (content === undefined ? kindOf(place) === 'folder' && names(place).length === 0 : kindOf(place) === 'file');

/** Whether something is mounted on `place` for any process that can be seen. Removing it would lift its guard. */
function isMounted(place: string): boolean {
  const written = ` ${place.replace(/[ \t\n\\]/g, character => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`)} `;
  return names('/proc').filter(name => /^\d+$/.test(name)).some(pid => {
    try { return fs.readFileSync(`/proc/${pid}/mountinfo`, 'utf8').includes(written); } catch { return false; }
  });
}
