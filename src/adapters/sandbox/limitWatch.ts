import fs from 'node:fs';
import { signal } from '../processes/processTree';
import { memoryFolders, whereLimitsAreSet, type SandboxLimits } from './limits';
import { namesIn, readTextOrEmpty } from '../storage/lenientReads';

interface WatchedSandbox {
  /** The processes of the sandbox itself, outermost first; the last is the shell. */
  readonly chain: readonly number[];
  readonly limits: SandboxLimits;
  /** Absolute paths of folders that are writable inside. */
  readonly folders: readonly string[];
  /** Called with a message for people when something was killed. */
  onExceeded(words: string): void;
}

const megabyte = 1024 * 1024;
const usualMs = 200;
const hurriedMs = 30;
/** A check may take at most a twentieth of the time. */
const minIntervalFactor = 20;
const settleMs = 3000;

/**
 * Monitors what runs in a sandbox from outside and kills it if it exceeds its limits. Covers what the system does not
 * limit by itself: all processes together, and those of root.
 */
export class LimitWatch {
  #timer: NodeJS.Timeout | undefined;
  #threads = 0;
  #free: Promise<number> | undefined;
  #ended = false;
  #ofNobody = memoryOfNobody();

  constructor(private readonly watched: WatchedSandbox) {
    this.#measureLater(usualMs);
  }

  /** Call this when a command begins: free disk space and shared memory are measured from here. */
  commandBegins(): void {
    this.#free = this.#freeSpace();
    this.#ofNobody = memoryOfNobody();
  }

  /**
   * Waits while the number of processes keeps growing, so that a command that only started them does not count as done.
   * Resolves to true if the sandbox had to be killed.
   */
  async settled(): Promise<boolean> {
    const until = performance.now() + settleMs;
    let quietLooks = 0;
    while (quietLooks < 3 && performance.now() < until && !this.#ended) {
      const before = this.#threads;
      await new Promise((resolve) => setTimeout(resolve, hurriedMs));
      await this.#measure();
      quietLooks = this.#threads < before + 5 ? quietLooks + 1 : 0;
    }
    return this.#ended;
  }

  /** True if nothing but the shell is running there. */
  get alone(): boolean {
    const { chain, limits } = this.watched;
    return processUse(chain[0]!, limits.processes).processes.every((pid) => chain.includes(pid));
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
  }

  #measureLater(ms: number): void {
    if (this.#ended) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      void this.#measure();
    }, ms);
    this.#timer.unref();
  }

  async #measure(): Promise<void> {
    if (this.#ended) return;
    const { chain, limits } = this.watched;
    const since = performance.now();
    const use = processUse(chain[0]!, limits.processes);
    const grew = use.threads - this.#threads;
    this.#threads = use.threads;
    if (use.threads > limits.processes) {
      this.#endAll();
      return this.watched.onExceeded(
        `The sandbox and everything in it was ended: it ran more than ${limits.processes} processes and threads at once. ${whereLimitsAreSet}`,
      );
    }
    if (this.#sharesTooMuchMemory()) {
      // Some of the memory would outlive the programs.
      this.#endAll();
      return this.watched.onExceeded(
        `The sandbox and everything in it was ended: its shared memory and files in memory grew by more than ${this.#mayShare()} MB. ${whereLimitsAreSet}`,
      );
    }
    if (this.#usesTooMuchMemory(use)) {
      this.#endPrograms();
      this.watched.onExceeded(
        `The programs in the sandbox were ended: they used more than ${limits.memory} MB of memory. ${whereLimitsAreSet}`,
      );
    } else if (await this.#usesTooMuchDisk(use)) {
      this.#endPrograms();
      this.watched.onExceeded(
        `The programs in the sandbox were ended: the disk lost more than ${Math.floor(this.#mayShrink(await this.#free!) / megabyte)} MB of free space while they ran. ${whereLimitsAreSet}`,
      );
      this.commandBegins();
    }
    const cost = performance.now() - since;
    this.#measureLater(grew > 100 ? hurriedMs : Math.max(usualMs, cost * minIntervalFactor));
  }

  #usesTooMuchMemory({ memory }: ProcessUse): boolean {
    const most = this.watched.limits.memory * megabyte;
    const sum = (values: Iterable<number>): number => [...values].reduce((total, value) => total + value, 0);
    if (sum(memory.values()) <= most) return false;
    // Shared memory was counted once per process: measure precisely before killing anything.
    return sum([...memory.keys()].map(sharedMemory)) > most;
  }

  #sharesTooMuchMemory(): boolean {
    return memoryOfNobody() - this.#ofNobody > this.#mayShare() * megabyte;
  }

  /** In megabytes. Includes the temporary folders, which have an allowance of their own. */
  #mayShare(): number {
    const inFolders = Object.values(memoryFolders).reduce((sum, part) => sum + part, 0);
    return Math.floor(this.watched.limits.memory * (1 + inFolders));
  }

  async #usesTooMuchDisk({ processes }: ProcessUse): Promise<boolean> {
    if (!this.#free || processes.length <= this.watched.chain.length) return false;
    const [before, now] = await Promise.all([this.#free, this.#freeSpace()]);
    return before - now > this.#mayShrink(before);
  }

  #mayShrink(free: number): number {
    const { disk } = this.watched.limits;
    return disk === undefined ? (free * 3) / 4 : disk * megabyte;
  }

  /** Free bytes on the folders' disks; the smallest value. */
  async #freeSpace(): Promise<number> {
    const free = await Promise.all(
      this.watched.folders.map(async (folder) => {
        try {
          const { bavail, bsize } = await fs.promises.statfs(folder);
          return bavail * bsize;
        } catch {
          return Infinity;
        } // the folder is deleted
      }),
    );
    return Math.min(...free);
  }

  /** Killing the first process of a sandbox ends all others, however fast they multiply. */
  #endAll(): void {
    this.end();
    for (const pid of [this.watched.chain[1], this.watched.chain[0]]) if (pid !== undefined) signal(pid, 'SIGKILL');
  }

  /** Kills everything but the shell; also the shell if it is the one that grew. */
  #endPrograms(): void {
    const { chain, limits } = this.watched;
    for (let round = 0; round < 5; round++) {
      const programs = processUse(chain[0]!, limits.processes).processes.filter((pid) => !chain.includes(pid));
      if (programs.length === 0) break;
      for (const pid of programs) signal(pid, 'SIGKILL');
    }
    const shell = chain.at(-1)!;
    if (sharedMemory(shell) > (limits.memory * megabyte) / 2) this.#endAll();
  }
}

/** What a tree of processes uses at one moment. */
interface ProcessUse {
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
function processUse(top: number, most: number): ProcessUse {
  const processes = [top];
  const memory = new Map<number, number>();
  let threads = 0;
  for (let index = 0; index < processes.length && threads <= most; index++) {
    const pid = processes[index]!;
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
function sharedMemory(pid: number): number {
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
function memoryOfNobody(): number {
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
