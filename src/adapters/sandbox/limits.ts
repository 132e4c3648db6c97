import os from 'node:os';

/** What may be used inside a sandbox before it is ended. `memory` and `disk` are in megabytes. */
export interface SandboxLimits {
  /** Processes and threads that run at the same time. */
  readonly processes: number;
  /** Memory of all that runs inside, temporary files not counted; those get a part of it of their own. */
  readonly memory: number;
  /**
   * By how much the free space of the disk may shrink while one command runs.
   * Undefined: by three quarters of what is free then.
   */
  readonly disk: number | undefined;
  /** Seconds of one processor that each process may use. */
  readonly cpuSeconds: number;
}

/** Those that a person set; the others follow from the machine. */
export type LimitsWanted = Partial<SandboxLimits>;

const megabyte = 1024 * 1024;

/**
 * All limits: a fork bomb or a runaway program ends while the machine can still be used, a large build does not notice.
 */
export function allLimits(wanted: LimitsWanted): SandboxLimits {
  const processors = os.availableParallelism();
  return {
    processes: Math.max(2048, 64 * processors),
    memory: Math.max(1024, Math.floor(memoryOfMachine() / 2 / megabyte)),
    disk: undefined,
    cpuSeconds: 3600 * processors,
    ...wanted,
  };
}

/** In bytes; in a container that of the container. */
function memoryOfMachine(): number {
  const constrained = process.constrainedMemory?.() ?? 0;
  return constrained > 0 ? Math.min(constrained, os.totalmem()) : os.totalmem();
}

/** Where the sandbox has folders in memory, and which part of its memory each may take: together half of it. */
export const memoryFolders: Readonly<Record<string, number>> = {
  '/tmp': 1 / 4,
  '/dev/shm': 1 / 8,
  '/var/tmp': 1 / 16,
  '/run': 1 / 16,
};

/** Bytes that the folder `place` in memory may hold. */
export const sizeOf = (place: string, { memory }: SandboxLimits): number =>
  Math.floor(memory * megabyte * (memoryFolders[place] ?? 1 / 16));

/**
 * The command line that stands before a program in the sandbox: it asks the system to keep each process to its part,
 * and to end these processes first when memory runs out. `free`: megabytes that are free on the disk.
 */
export function limitingLine({ processes, cpuSeconds, disk }: SandboxLimits, free: number): string[] {
  const largestFile = disk ?? Math.floor((free * 3) / 4);
  const lines = [
    // Shells count in units of 512 bytes, and call processes -u or -p.
    `ulimit -f ${largestFile * 2048}`,
    `ulimit -S -t ${cpuSeconds} && ulimit -H -t ${cpuSeconds + 5}`,
    ...(countsBySandbox() ? [`ulimit -u ${processes + spare} || ulimit -p ${processes + spare}`] : []),
    'echo 500 >/proc/self/oom_score_adj',
  ];
  return ['/bin/sh', '-c', `{ ${lines.join('; ')}; } 2>/dev/null; exec "$@"`, 'sh'];
}

/** Who watches from outside sees the number of processes a little late; up to here it has time. */
const spare = 256;

/** Since Linux 5.14 processes are counted for each user namespace; before, all of the person's would count. */
function countsBySandbox(): boolean {
  const [major = 0, minor = 0] = os.release().split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}

/** Where a person says how much it may be. */
export const whereLimitsAreSet = 'The setting waymark.sandboxLimits (--sandbox-limits) says how much it may be.';

/** Numbers of the signals with which the system ends a process that used too much. */
const signals = { processor: 24, fileSize: 25 };

/** Whether a command ended because a file became larger than the system allows. */
export const isFileTooLarge = (exitCode: number | null): boolean => exitCode === 128 + signals.fileSize;

/**
 * What a command that ended with `exitCode` had too much of, in words for a person;
 * undefined where it ended for another reason.
 */
export function limitReached(exitCode: number, { cpuSeconds, disk }: SandboxLimits): string | undefined {
  if (exitCode === 128 + signals.processor)
    return `It used more than ${cpuSeconds} second${cpuSeconds === 1 ? '' : 's'} of a processor and was ended. ${whereLimitsAreSet}`;
  const size = disk === undefined ? 'three quarters of what is free on the disk' : `${disk} MB`;
  return isFileTooLarge(exitCode)
    ? `It wrote a file larger than ${size} and was ended. ${whereLimitsAreSet}`
    : undefined;
}
