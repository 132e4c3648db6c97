import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { limitOf } from '../../adapters/processes/shortage';
import { readTextOrEmpty } from '../../adapters/storage/lenientReads';

const megabyte = 1024 * 1024;
/**
 * Measured: with less, Node.js or the program that creates terminals aborts in the middle of a run, which no code can
 * catch.
 */
const minAddressSpace = 512 * megabyte;
/** Above this limit there is always room for the few threads, so the test is skipped. */
const fewProcesses = 1024;
/**
 * Six including the shell: Node.js starts four threads for file access, and the first command needs a process and a
 * thread that waits for its end. If one of these threads cannot be started, Node.js aborts.
 */
const minProcesses = 6;
const sixProcesses = `${'sleep 0.05 & '.repeat(minProcesses - 1)}wait`;

/** Too few resources for Node.js to complete a command. The message says which, and what to do. */
export class NoRoom extends Error {}

/**
 * Throws if Node.js would abort this program before its command ends. Only Linux exposes its limits in a file; on other
 * systems nothing is checked.
 */
export function needRoomToStart(): void {
  if (process.platform !== 'linux') return;
  const lacking = tooLittleAddressSpace() ?? tooFewProcesses();
  if (lacking !== undefined) throw new NoRoom(lacking);
}

function tooLittleAddressSpace(): string | undefined {
  const limit = limitOf('self', 'Max address space');
  const used = Number(/^VmSize:\s+(\d+) kB$/m.exec(readTextOrEmpty('/proc/self/status'))?.[1] ?? 0) * 1024;
  if (limit === undefined || limit - used >= minAddressSpace) return undefined;
  const [allowed, needed] = [limit, used + minAddressSpace].map((bytes) => Math.ceil(bytes / megabyte));
  return `There is too little address space to start: ${allowed} MB are allowed (ulimit -v), and ${needed} MB are needed. Raise the limit with "ulimit -v unlimited", and try again.`;
}

function tooFewProcesses(): string | undefined {
  const limit = limitOf('self', 'Max processes');
  if (limit === undefined || limit > fewProcesses) return undefined;
  // The limit counts all processes of the account, including invisible ones, so it is tested.
  const { status, error } = spawnSync('/bin/sh', ['-c', sixProcesses], { stdio: 'ignore', timeout: 3000 });
  const isMissing = (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
  if (status === 0 || isMissing) {
    startFileThreads();
    return undefined;
  }
  return `There are too few processes to start: this account may have ${limit} processes and threads (ulimit -u), and fewer than ${minProcesses} are left. End other programs, or raise the limit, and try again.`;
}

/**
 * Node.js starts its threads for file access with the first such call. Done here, before another program uses up the
 * limit.
 */
function startFileThreads(): void {
  fs.stat('/', () => undefined);
}
