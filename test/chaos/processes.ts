import fs from 'node:fs';

/** A live process and its command line. */
interface Found {
  readonly pid: number;
  readonly command: string;
}

/** Returns the content of a file in /proc, or "" if the process has exited. */
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
 * Returns the processes related to a folder: their working directory is in it, or their arguments or environment
 * contain its path. Zombies are left out.
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

/** Waits until no process is related to a folder. Returns those that remain after a timeout. */
export async function processesThatStay(folder: string): Promise<Found[]> {
  const deadline = Date.now() + 30_000;
  let found = processesOf(folder);
  while (found.length > 0 && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    found = processesOf(folder);
  }
  return found;
}
