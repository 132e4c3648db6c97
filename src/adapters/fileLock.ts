import fs from 'node:fs';

export interface Lock { release(): void }

/** A lock file that names its owner: undefined while a living process holds it. A lock whose owner died is taken over. */
export function acquireLock(file: string): Lock | undefined {
  const mine = `${process.pid} ${startOf(process.pid)} ${crypto.randomUUID()}`;
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      fs.writeFileSync(file, mine, { flag: 'wx', mode: 0o600 });
      return { release: () => { if (read(file) === mine) fs.rmSync(file, { force: true }); } };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = read(file);
    const [pid = '0', start] = owner.split(' ');
    if (owner !== '' && startOf(Number(pid)) === start) return undefined;
    // Two that find a stale lock at once: only the one whose rename succeeds takes it away.
    const grave = `${file}.${process.pid}`;
    try { fs.renameSync(file, grave); fs.rmSync(grave, { force: true }); } catch { /* another was first */ }
  }
  return undefined;
}

const read = (file: string): string => { try { return fs.readFileSync(file, 'utf8'); } catch { return ''; } };

/** Tells a process from a later one with the same number; "" for none. */
function startOf(pid: number): string {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return '';
  }
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? 'alive';
  } catch {
    return 'alive';
  }
}
