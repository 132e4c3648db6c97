import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { limitOf } from '../../adapters/processes/processLimits';

const megabyte = 1024 * 1024;
/**
 * Measured: with less, Node or the program that makes terminals aborts in the middle of a run, which no code can catch.
 */
const leastAddressSpace = 512 * megabyte;
/** Above this limit there is room for the few threads that are tried, so the trial is skipped. */
const fewProcesses = 1024;
/**
 * Six with the shell: Node starts four threads for files, and the first command is a program and a thread that waits
 * for its end. Where one of these threads cannot be started, Node aborts.
 */
const leastProcesses = 6;
const sixProcesses = `${'sleep 0.05 & '.repeat(leastProcesses - 1)}wait`;

/** Too little is left for Node to get through a command; the message says of what, and what to do. */
export class NoRoom extends Error {}

/**
 * Throws where Node would abort this program before its command ends. Only Linux tells its
 * limits in a file; elsewhere nothing is known.
 */
export function needRoomToStart(): void {
  if (process.platform !== 'linux') return;
  const lacking = tooLittleAddressSpace() ?? tooFewProcesses();
  if (lacking !== undefined) throw new NoRoom(lacking);
}

function tooLittleAddressSpace(): string | undefined {
  const limit = limitOf('self', 'Max address space');
  const used = Number(/^VmSize:\s+(\d+) kB$/m.exec(readOrNothing('/proc/self/status'))?.[1] ?? 0) * 1024;
  if (limit === undefined || limit - used >= leastAddressSpace) return undefined;
  const [allowed, needed] = [limit, used + leastAddressSpace].map((bytes) => Math.ceil(bytes / megabyte));
  return `There is too little address space to start: ${allowed} MB are allowed (ulimit -v), and ${needed} MB are needed. Raise the limit with "ulimit -v unlimited", and try again.`;
}

function tooFewProcesses(): string | undefined {
  const limit = limitOf('self', 'Max processes');
  if (limit === undefined || limit > fewProcesses) return undefined;
  // The limit counts all of the account, also what this program cannot see; so it is tried.
  const { status, error } = spawnSync('/bin/sh', ['-c', sixProcesses], { stdio: 'ignore', timeout: 3000 });
  const isMissing = (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
  if (status === 0 || isMissing) {
    startFileThreads();
    return undefined;
  }
  return `There are too few processes to start: this account may have ${limit} processes and threads (ulimit -u), and fewer than ${leastProcesses} are left. End other programs, or raise the limit, and try again.`;
}

/**
 * Node starts its threads for files with the first call that needs one: now, before another program takes their place.
 */
function startFileThreads(): void {
  fs.stat('/', () => undefined);
}

function readOrNothing(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
