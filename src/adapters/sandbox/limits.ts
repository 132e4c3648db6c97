import os from 'node:os';

/** What may be used inside a sandbox before it is killed. `memory` and `disk` are in megabytes. */
export interface SandboxLimits {
  /** Processes and threads that run at the same time. */
  readonly processes: number;
  /** Memory of everything inside, without temporary files, which have an allowance of their own. */
  readonly memory: number;
  /**
   * How much the free disk space may shrink while one command runs. If undefined: by three quarters of the free space.
   */
  readonly disk: number | undefined;
  /** CPU time of each process, in seconds. */
  readonly cpuSeconds: number;
}

/** Limits that the user set; the others are derived from the machine. */
export type LimitSettings = Partial<SandboxLimits>;

const megabyte = 1024 * 1024;

/**
 * Returns all limits: a fork bomb or a runaway program is stopped while the machine is still usable, but a large build
 * is not affected.
 */
export function allLimits(wanted: LimitSettings): SandboxLimits {
  const processors = os.availableParallelism();
  return {
    processes: Math.max(2048, 64 * processors),
    memory: Math.max(1024, Math.floor(memoryOfMachine() / 2 / megabyte)),
    disk: undefined,
    cpuSeconds: 3600 * processors,
    ...wanted,
  };
}

/** In bytes; in a container, the container's limit. */
function memoryOfMachine(): number {
  const constrained = process.constrainedMemory?.() ?? 0;
  return constrained > 0 ? Math.min(constrained, os.totalmem()) : os.totalmem();
}

/** The sandbox's in-memory folders, and the share of its memory that each may take: half of it together. */
export const memoryFolders: Readonly<Record<string, number>> = {
  '/tmp': 1 / 4,
  '/dev/shm': 1 / 8,
  '/var/tmp': 1 / 16,
  '/run': 1 / 16,
};

/** Returns the size limit of the in-memory folder `place`, in bytes. */
export const memoryFolderBytes = (place: string, { memory }: SandboxLimits): number =>
  Math.floor(memory * megabyte * (memoryFolders[place] ?? 1 / 16));

/**
 * Returns the command line to put before a program in the sandbox: it sets limits for each process, and makes these
 * processes the first to be killed when memory runs out. `free`: free megabytes on the disk.
 */
export function limitingLine({ processes, cpuSeconds, disk }: SandboxLimits, free: number): string[] {
  // Not 0 on a nearly full disk: a signal would end the shell at its first write, where a full disk is only an error.
  const largestFile = disk ?? Math.max(1, Math.floor((free * 3) / 4));
  const lines = [
    // Shells count in units of 512 bytes, and use -u or -p for processes.
    `ulimit -f ${largestFile * 2048}`,
    `ulimit -S -t ${cpuSeconds} && ulimit -H -t ${cpuSeconds + 5}`,
    ...(countsBySandbox() ? [`ulimit -u ${processes + spare} || ulimit -p ${processes + spare}`] : []),
    'echo 500 >/proc/self/oom_score_adj',
  ];
  return ['/bin/sh', '-c', `{ ${lines.join('; ')}; } 2>/dev/null; exec "$@"`, 'sh'];
}

/** The monitor outside sees the number of processes with a delay; this margin gives it time to react. */
const spare = 256;

/**
 * Since Linux 5.14 processes are counted for each user namespace; before that, all processes of the user would count.
 */
function countsBySandbox(): boolean {
  const [major = 0, minor = 0] = os.release().split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}

/** Where users set the limits. */
export const whereLimitsAreSet = 'The setting waymark.sandboxLimits (--sandbox-limits) sets this limit.';

/** Numbers of the signals that end a process that used too much. */
const signals = { processor: 24, fileSize: 25 };

/** Returns whether a command ended because a file exceeded the system's size limit. */
export const isFileTooLarge = (exitCode: number | null): boolean => exitCode === 128 + signals.fileSize;

/**
 * Explains to people which limit a command with this `exitCode` exceeded; returns undefined if it ended for another
 * reason.
 */
export function sandboxLimitWords(exitCode: number, { cpuSeconds, disk }: SandboxLimits): string | undefined {
  if (exitCode === 128 + signals.processor)
    return `It used more than ${cpuSeconds} second${cpuSeconds === 1 ? '' : 's'} of processor time and was ended. ${whereLimitsAreSet}`;
  const size = disk === undefined ? 'three quarters of the free disk space' : `${disk} MB`;
  return isFileTooLarge(exitCode)
    ? `It wrote a file larger than ${size} and was ended. ${whereLimitsAreSet}`
    : undefined;
}
