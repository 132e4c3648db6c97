import fs from 'node:fs';

/** A living process, and the command line that it was started with. */
export interface Found {
  readonly pid: number;
  readonly command: string;
}

/** What a file of /proc holds; nothing where the process has gone meanwhile. */
function heldBy(pid: number, name: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/${name}`, 'latin1').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function folderOf(pid: number): string {
  try {
    return fs.readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

/**
 * The processes that have to do with a folder: they work in it or below, or their arguments or variables name it. One
 * that ended and that nobody has asked for is none.
 */
export function processesOf(folder: string): Found[] {
  if (process.platform !== 'linux') return [];
  const pids = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).flatMap((pid) => {
    if (pid === process.pid) return [];
    const command = heldBy(pid, 'cmdline').trim();
    const isItsOwn =
      command.includes(folder) || folderOf(pid).startsWith(folder) || heldBy(pid, 'environ').includes(folder);
    return isItsOwn && command !== '' ? [{ pid, command: command.slice(0, 200) }] : [];
  });
}

/** Waits until no process has to do with a folder; answers those that stay longer than anybody waits. */
export async function processesThatStay(folder: string): Promise<Found[]> {
  const deadline = Date.now() + 30_000;
  let found = processesOf(folder);
  while (found.length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    found = processesOf(folder);
  }
  return found;
}
