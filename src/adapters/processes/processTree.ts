import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { programOfWindows } from '../storage/windowsPrograms';

/** A process as the system lists it. `parent`, `group`, `session`: process ids. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** One letter, as in ps: R, S, D, T, Z … */
  readonly state: string;
  /** Foreground process group of its terminal; -1 if it has none. */
  readonly foreground: number;
  /** In hundredths of a second since boot; 0 if unknown. */
  readonly started: number;
}

/** What distinguishes a terminal's processes from all others. */
export interface ProcessFamily {
  readonly shell: number;
  /** `NAME=value` in the environment of every process of the terminal, unless the process cleared it. */
  readonly mark: string;
  /** Path prefix and device of its output files: a process that writes to one of them belongs to the terminal. */
  readonly outputs: string;
  readonly device: string | undefined;
  /** The processes of a sandboxed shell, outermost first; everything inside the sandbox ends with the first one. */
  readonly chain?: readonly number[];
  /** Only processes started at or after this time, in the unit of `ProcessEntry.started`. */
  readonly since?: number;
}

const linux = process.platform === 'linux';

/** Reads one process from /proc; returns undefined if it has ended or the system has no /proc. */
export function processEntry(pid: number): ProcessEntry | undefined {
  let stat: string;
  try {
    stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const number = (at: number): number => Number(fields[at]);
  return {
    pid,
    state: fields[0] ?? '',
    parent: number(1),
    group: number(2),
    session: number(3),
    foreground: number(5),
    started: number(19),
  };
}

/**
 * Returns whether a process runs the same program as another one: a shell has created it and has not begun its command
 * yet, or it is a subshell. False if the system has no /proc.
 */
export function runsSameProgram(pid: number, other: number): boolean {
  try {
    return fs.readlinkSync(`/proc/${pid}/exe`) === fs.readlinkSync(`/proc/${other}/exe`);
  } catch {
    return false;
  }
}

/** Returns what a process prints to a file. Undefined if nothing, or if the system has no /proc. */
export function printedTo(file: string, pid: number): 'output' | 'errors' | undefined {
  const wanted = fs.statSync(file, { throwIfNoEntry: false });
  const leadsThere = (descriptor: number): boolean => {
    try {
      const open = fs.statSync(`/proc/${pid}/fd/${descriptor}`);
      return open.ino === wanted?.ino && open.dev === wanted.dev;
    } catch {
      return false;
    }
  };
  if (leadsThere(1)) return 'output';
  return leadsThere(2) ? 'errors' : undefined;
}

/** Lists the processes of this machine, as far as this user may see them. None on Windows, which has no program for it. */
export function allProcesses(): ProcessEntry[] {
  if (linux)
    return fs
      .readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => processEntry(Number(name)) ?? []);
  return process.platform === 'win32' ? [] : processesByPs();
}

/** For macOS and the BSDs, where `sess` is not a number, so only ancestry and process group count. */
export function processesByPs(): ProcessEntry[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,pgid=,tpgid=,stat='], {
    encoding: 'utf8',
    maxBuffer: 16 << 20,
  })
    .trim()
    .split('\n');
  return lines.map((line) => {
    const [pid, parent, group, foreground, state] = line.trim().split(/\s+/);
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: 0,
      foreground: Number(foreground),
      state: state?.[0] ?? '',
      started: 0,
    };
  });
}

/** Returns the current time in the unit of `ProcessEntry.started`. */
export function moment(): number {
  if (!linux) return 0;
  return Math.floor(Number(fs.readFileSync('/proc/uptime', 'utf8').split(' ')[0]) * 100);
}

/**
 * Returns every living process of the family except the shell itself: its descendants, its session, and processes that
 * carry its mark or write to its files. A process escapes only if it left the tree and the session, cleared its
 * environment and redirected its output.
 */
export function relatives(family: ProcessFamily): number[] {
  const found = new Set<number>([family.shell]);
  const living = allProcesses().filter((each) => each.state !== 'Z' && each.pid !== process.pid);
  const oldest = family.since ?? 0;
  for (const each of living) {
    if (
      each.session === family.shell ||
      each.group === family.shell ||
      (each.started >= oldest && carriesMark(each.pid, family))
    )
      found.add(each.pid);
  }
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const each of living) if (found.has(each.parent)) found.add(each.pid);
  }
  found.delete(family.shell);
  for (const pid of family.chain ?? []) found.delete(pid);
  return living.filter((each) => found.has(each.pid) && each.started >= oldest).map((each) => each.pid);
}

function carriesMark(pid: number, family: ProcessFamily): boolean {
  if (!linux) return false;
  try {
    if (fs.readFileSync(`/proc/${pid}/environ`, 'latin1').includes(family.mark)) return true;
  } catch {
    return false;
  }
  return [1, 2].some((descriptor) => {
    try {
      const target = fs.readlinkSync(`/proc/${pid}/fd/${descriptor}`);
      return target.startsWith(family.outputs) || target === family.device;
    } catch {
      return false;
    }
  });
}

/**
 * Sends a signal. A negative number means a process group. Refuses 0 and ±1, which would mean ourselves or every
 * process.
 */
export function signal(pid: number, name: NodeJS.Signals): void {
  if (!Number.isInteger(pid) || Math.abs(pid) <= 1) return;
  try {
    process.kill(pid, name);
  } catch {
    /* already ended, or not ours */
  }
}

/**
 * Kills the family, including the shell if `shell` is true (the shell first, so that it starts nothing more). Processes
 * may exit by themselves for `politeMs`. Repeats until none is left: a tree can grow while it is being killed.
 */
export async function killFamily(
  whole: ProcessFamily,
  { shell, politeMs }: { shell: boolean; politeMs: number },
): Promise<void> {
  if (process.platform === 'win32') {
    try {
      execFileSync(programOfWindows('taskkill.exe'), ['/PID', String(whole.shell), '/T', '/F'], { stdio: 'ignore' });
    } catch {
      // Already ended, or this system's taskkill is missing or cannot end a tree.
      if (shell) signal(whole.shell, 'SIGKILL');
    }
    return;
  }
  const { chain, since, ...all } = whole;
  const family: ProcessFamily = shell && chain ? all : whole;
  let left = relatives(family);
  // In a sandbox, the shell is the last of the chain, and would only end some time after the first.
  const shells = family.shell > 1 ? (chain ?? [family.shell]) : [];
  if (shell) for (const pid of [...shells].reverse()) signal(pid, 'SIGKILL');
  if (politeMs > 0 && left.length > 0) {
    for (const pid of left) signal(pid, 'SIGTERM');
    for (const until = performance.now() + politeMs; performance.now() < until && relatives(family).length > 0;)
      await pause(20);
    left = relatives(family);
  }
  for (let round = 0; round < 20 && left.length > 0; round++) {
    for (const pid of left) signal(pid, 'SIGKILL');
    await pause(5);
    left = relatives(family);
  }
}

/**
 * Ends a sandbox and everything in it: it has its own PID namespace, so when its first process ends, the kernel ends
 * the others. `chain`: as in `ProcessFamily`. Returns false if some may have survived; then search all processes for them.
 */
export async function endSandbox(chain: readonly number[]): Promise<boolean> {
  const inner = chain.at(-1);
  if (!linux || inner === undefined || chain.length < 2) return false;
  const isGone = (pid: number): boolean => [undefined, 'Z', 'X'].includes(processEntry(pid)?.state);
  if (chain.every(isGone)) return true;
  const own = numbersOf('self');
  const hasOwnNumbers = own !== undefined && (numbersOf(inner) ?? own) !== own;
  // The system may have reused a process id.
  const isStillChain = chain.every((pid, index) => index === 0 || processEntry(pid)?.parent === chain[index - 1]);
  if (!hasOwnNumbers || !isStillChain) return false;
  const living = [...chain];
  for (const pid of living) living.push(...childPids(pid).filter((child) => !living.includes(child)));
  for (const pid of living) signal(pid, 'SIGKILL');
  for (let round = 0; round < 200 && !living.every(isGone); round++) await pause(1);
  return living.every(isGone);
}

/** Returns the identifier of a process's PID namespace. */
function numbersOf(pid: number | 'self'): string | undefined {
  try {
    return fs.readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
}

/**
 * Returns a process, its only child, and so on: from a sandbox to the program that it was started with. Relays that
 * serve the sandbox come before their sibling.
 */
export function chainFrom(pid: number): number[] {
  const chain = [pid];
  const children = linux ? childPids : childrenIn(allProcesses());
  for (;;) {
    const [serving, others] = [true, false].map((serves) =>
      children(chain.at(-1)!).filter((each) => isRelay(each) === serves),
    ) as [number[], number[]];
    if (others.length !== 1) return chain;
    chain.push(...serving, others[0]!);
  }
}

const childrenIn =
  (all: readonly ProcessEntry[]) =>
  (pid: number): number[] =>
    all.filter((each) => each.parent === pid && each.state !== 'Z').map((each) => each.pid);

/** True for a relay of `sandbox/domains.ts`. No shell has that name. */
function isRelay(pid: number): boolean {
  try {
    return fs.readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'socat';
  } catch {
    return false;
  }
}

/** Returns the ids of the direct child processes. Linux only: elsewhere, and for a process that ended, returns none. */
export function childPids(pid: number): number[] {
  let tasks: string[];
  try {
    tasks = fs.readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
  return tasks.flatMap((task) => {
    try {
      return fs.readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
    } catch {
      return [];
    }
  });
}

/** Returns the outside id of the process with id `inner` in the sandbox whose outermost process is `top`. */
export function outsideNumber(inner: number, top: number): number | undefined {
  const found = [top];
  for (let index = 0; index < found.length; index++) found.push(...childPids(found[index]!));
  return found.slice(1).find((pid) => {
    try {
      return /^NSpid:.*\t(\d+)$/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] === String(inner);
    } catch {
      return false;
    }
  });
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
