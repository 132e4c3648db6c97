import { textIn } from '../processes/processTree';
import { namesIn } from '../storage/namesIn';

/** What a tree of processes uses at one moment. */
export interface ProcessUse {
  /** Numbers of all of them, the topmost first. */
  readonly processes: readonly number[];
  /** How many threads run; each process has at least one. */
  readonly threads: number;
  /** Bytes of memory that no file holds, for each process; what several share counts for each of them. */
  readonly memory: ReadonlyMap<number, number>;
}

/** Looks at `top` and all below it, until more than `most` threads were seen. Costs some 30 µs for each process. */
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
      processes.push(...textIn(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number));
  }
  return { processes, threads, memory };
}

/**
 * Bytes that a process and those it shares with use, each counted by its share.
 * Slow: the system walks all of its memory.
 */
export function sharedMemory(pid: number): number {
  const text = textIn(`/proc/${pid}/smaps_rollup`);
  const kilobytes = /^Pss_Anon:\s+(\d+)/m.exec(text)?.[1] ?? /^Pss:\s+(\d+)/m.exec(text)?.[1];
  return kilobytes === undefined ? ownMemory(pid) : Number(kilobytes) * 1024;
}

function ownMemory(pid: number): number {
  const [, resident = 0, ofFiles = 0] = textIn(`/proc/${pid}/statm`).split(' ').map(Number);
  return (resident - ofFiles) * pageSize();
}

/**
 * Bytes of memory of the whole machine that belong to no process alone: what programs share, files in memory and
 * temporary folders there. Nothing tells which program holds a file that it neither maps nor names.
 */
export function memoryOfNobody(): number {
  return Number(/^Shmem:\s+(\d+)/m.exec(textIn('/proc/meminfo'))?.[1] ?? 0) * 1024;
}

let known: number | undefined;

/** The system tells the same figure in pages and in kilobytes. */
function pageSize(): number {
  if (known !== undefined) return known;
  const pages = Number(textIn('/proc/self/statm').split(' ')[0]);
  const kilobytes = Number(/^VmSize:\s+(\d+)/m.exec(textIn('/proc/self/status'))?.[1]);
  const measured = (kilobytes * 1024) / pages;
  return (known = [4096, 16_384, 65_536].sort((a, b) => Math.abs(a - measured) - Math.abs(b - measured))[0]!);
}
