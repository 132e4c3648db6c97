import { namesIn } from '../storage/listFolder';
import { readTextOrEmpty } from '../storage/readTextOrEmpty';

/** What a tree of processes uses at one moment. */
export interface ProcessUse {
  /** Process ids, topmost first. */
  readonly processes: readonly number[];
  /** Number of threads; each process has at least one. */
  readonly threads: number;
  /** Bytes of memory not backed by files, for each process; shared memory counts for each process that shares it. */
  readonly memory: ReadonlyMap<number, number>;
}

/**
 * Measures `top` and everything below it; stops once more than `most` threads were seen. Takes about 30 µs per process.
 */
export function processUse(top: number, most: number): ProcessUse {
  const processes = [top];
  const memory = new Map<number, number>();
  let threads = 0;
  for (let at = 0; at < processes.length && threads <= most; at++) {
    const pid = processes[at]!;
    const tasks = namesIn(`/proc/${pid}/task`);
    threads += tasks.length;
    memory.set(pid, ownMemory(pid));
    for (const task of tasks)
      processes.push(...readTextOrEmpty(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number));
  }
  return { processes, threads, memory };
}

/**
 * Returns the memory of a process in bytes, with shared memory counted proportionally. Slow: the system walks all of
 * its memory.
 */
export function sharedMemory(pid: number): number {
  const text = readTextOrEmpty(`/proc/${pid}/smaps_rollup`);
  const kilobytes = /^Pss_Anon:\s+(\d+)/m.exec(text)?.[1] ?? /^Pss:\s+(\d+)/m.exec(text)?.[1];
  return kilobytes === undefined ? ownMemory(pid) : Number(kilobytes) * 1024;
}

function ownMemory(pid: number): number {
  const [, resident = 0, ofFiles = 0] = readTextOrEmpty(`/proc/${pid}/statm`).split(' ').map(Number);
  return (resident - ofFiles) * pageSize();
}

/**
 * Returns the bytes of machine memory that belong to no single process: shared memory, cached files and in-memory
 * temporary folders. Nothing tells which program keeps a file that it neither maps nor names.
 */
export function memoryOfNobody(): number {
  return Number(/^Shmem:\s+(\d+)/m.exec(readTextOrEmpty('/proc/meminfo'))?.[1] ?? 0) * 1024;
}

let cachedPageSize: number | undefined;

/** The system reports the same figure in pages and in kilobytes. */
function pageSize(): number {
  if (cachedPageSize !== undefined) return cachedPageSize;
  const pages = Number(readTextOrEmpty('/proc/self/statm').split(' ')[0]);
  const kilobytes = Number(/^VmSize:\s+(\d+)/m.exec(readTextOrEmpty('/proc/self/status'))?.[1]);
  const measured = (kilobytes * 1024) / pages;
  return (cachedPageSize = [4096, 16_384, 65_536].sort((a, b) => Math.abs(a - measured) - Math.abs(b - measured))[0]!);
}
