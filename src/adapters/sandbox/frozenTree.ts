import fs from 'node:fs';
import os from 'node:os';
import { shownName } from '../../core/text/shownName';
import { allProcesses, processEntry, signal, type ProcessEntry } from '../processes/processTree';
import { readTextOrEmpty } from '../storage/lenientReads';

/** Stopped processes, until `thaw` is called. */
export interface FrozenTree {
  /** Resumes every process that was stopped here. Processes that had been stopped before remain stopped. */
  thaw(): void;
}

/** A program that does not stop within this time, in ms, is stuck in the kernel; what it will do is unpredictable. */
const stopTimeoutMs = 5000;
const betweenScansMs = 1;
const linux = process.platform === 'linux';

/**
 * Stops every process below `top` and resolves when none of them can run: neither in a thread, nor in a child created
 * meanwhile, nor because of its own timer. `top` itself keeps running. If that fails, resumes all of them and rejects.
 * `refusesCalls`: the system denies them everything by which a file could resume a stopped program, so their files need
 * no check.
 */
export async function freezeTree(top: number, refusesCalls: boolean): Promise<FrozenTree> {
  const stopped = new Map<number, ProcessEntry>();
  const thaw = (): void => wake([...stopped.values()]);
  const until = performance.now() + stopTimeoutMs;
  let before: ScanResult | undefined;
  for (;;) {
    const look = scanAndStop(top, stopped, refusesCalls);
    if (look.wakesItself !== undefined) {
      thaw();
      throw new Error(
        `The command was not run: “${processName(look.wakesItself)}” in the sandbox can continue although it is stopped, so it could change what was checked. End it first, or wait until it ends.`,
      );
    }
    // Two equal results: any process that ran in between would have been switched to.
    if (look.moving === undefined && look.switches === before?.switches) return { thaw };
    if (performance.now() > until) {
      const name = processName(look.moving ?? top);
      thaw();
      throw new Error(
        `The command was not run: “${name}” in the sandbox could not be stopped, so it could change what was checked. End it, or wait until it ends.`,
      );
    }
    before = look;
    await new Promise((resolve) => setTimeout(resolve, betweenScansMs));
  }
}

interface ScanResult {
  /** A process that was still running. */
  readonly moving: number | undefined;
  /** A process that the system would resume. */
  readonly wakesItself: number | undefined;
  /** All threads, and the number of context switches of each. */
  readonly switches: string;
}

/** Stops everything that is running. */
function scanAndStop(top: number, stopped: Map<number, ProcessEntry>, refusesCalls: boolean): ScanResult {
  let moving: number | undefined;
  let wakesItself: number | undefined;
  const switches: string[] = [];
  for (const entry of descendants(top)) {
    const threads = threadsOf(entry.pid);
    const still = linux ? threads.every(isStill) : 'TZ'.includes(entry.state);
    if (!still) {
      moving = entry.pid;
      stopped.set(entry.pid, entry);
      signal(entry.pid, 'SIGSTOP');
    } else if (hasWakingTimer(entry.pid) || (!refusesCalls && hasWakingFile(entry.pid))) {
      wakesItself = entry.pid;
    }
    switches.push(...threads.map((thread) => `${thread}:${switchesOf(thread)}`));
  }
  return { moving, wakesItself, switches: switches.join() };
}

/** Youngest first, so that no shell sees one of its children stopped. */
function wake(entries: readonly ProcessEntry[]): void {
  for (const { pid, started } of [...entries].reverse()) {
    // The system may have reused its id.
    if (processEntry(pid)?.started === started) signal(pid, 'SIGCONT');
  }
}

/** Parents come before their children. */
function descendants(top: number): ProcessEntry[] {
  const byParent = new Map<number, ProcessEntry[]>();
  for (const entry of allProcesses()) {
    const siblings = byParent.get(entry.parent);
    if (siblings) siblings.push(entry);
    else byParent.set(entry.parent, [entry]);
  }
  const found = [...(byParent.get(top) ?? [])];
  for (let index = 0; index < found.length; index++) found.push(...(byParent.get(found[index]!.pid) ?? []));
  return found;
}

/** Returns the folders of its threads in /proc. The first thread of a process may have ended while others continue. */
function threadsOf(pid: number): string[] {
  try {
    return fs.readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`);
  } catch {
    return [];
  }
}

function isStill(thread: string): boolean {
  const stat = readTextOrEmpty(`${thread}/stat`);
  const state = stat.charAt(stat.lastIndexOf(')') + 2);
  return state === '' || 'TtZXx'.includes(state) || (state === 'D' && waitsForChild(thread));
}

/**
 * Calls with which a process lends its memory to a child (vfork) and ignores signals until the child runs another
 * program.
 */
const lendingCalls: Partial<Record<NodeJS.Architecture, readonly string[]>> = {
  x64: ['56', '58', '435'],
  arm64: ['220', '435'],
};

const waitsForChild = (thread: string): boolean =>
  lendingCalls[process.arch]?.includes(readTextOrEmpty(`${thread}/syscall`).split(' ')[0]!) ?? false;

const { SIGCONT, SIGKILL } = os.constants.signals;

/**
 * A program can have a timer send it SIGCONT. Or a signal that ends it: the system then notifies its parent, its
 * children and the rest of its group, and may resume them.
 */
const hasWakingTimer = (pid: number): boolean =>
  new RegExp(`^signal: (?:${SIGCONT}|${SIGKILL})/`, 'm').test(readTextOrEmpty(`/proc/${pid}/timers`));

/**
 * Returns whether using a file could make the system send the process a signal of its choice: it watches a folder
 * (which cannot be told from a merely open one), gets input notifications or holds a lease. Also true if the kernel
 * continues its work meanwhile, as with io_uring.
 */
function hasWakingFile(pid: number): boolean {
  let files: string[];
  try {
    files = fs.readdirSync(`/proc/${pid}/fd`);
  } catch {
    // A process that hides its files may have such a file. An ended process has none, even if its folder still exists
    // unreadable.
    const entry = processEntry(pid);
    return entry !== undefined && !'ZX'.includes(entry.state);
  }
  return files.some((file) => {
    const about = readTextOrEmpty(`/proc/${pid}/fdinfo/${file}`);
    const flags = Number.parseInt(/^flags:\s*([0-7]+)/m.exec(about)?.[1] ?? '0', 8);
    return (
      (flags & isNotifiedOfInput) !== 0 || /^lock:.*\bLEASE\b/m.test(about) || isFolderOrRing(`/proc/${pid}/fd/${file}`)
    );
  });
}

/** FASYNC, in the flags of an open file. */
const isNotifiedOfInput = 0o20000;

function isFolderOrRing(file: string): boolean {
  try {
    return fs.readlinkSync(file) === 'anon_inode:[io_uring]' || fs.statSync(file).isDirectory();
  } catch {
    return false;
  }
}

const switchesOf = (thread: string): string =>
  [...readTextOrEmpty(`${thread}/status`).matchAll(/^(?:non)?voluntary_ctxt_switches:\t(\d+)/gm)]
    .map(([, count]) => count)
    .join('+');

/** Programs choose their own name; it appears in Waymark's messages. */
const processName = (pid: number): string => shownName(readTextOrEmpty(`/proc/${pid}/comm`).trim()) || String(pid);
