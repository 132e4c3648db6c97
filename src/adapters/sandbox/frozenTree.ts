import fs from 'node:fs';
import os from 'node:os';
import { shownName } from '../../core/text/shownName';
import { allProcesses, processEntry, signal, textIn, type ProcessEntry } from '../processes/processTree';

/** What was stopped, until it goes on. */
export interface FrozenTree {
  /** Lets everything go on that was stopped here. What had stopped itself before stays so. */
  thaw(): void;
}

/** A program that does not stop within this time is stuck in the system; nothing can be said about what it will do. */
const longestMs = 5000;
const betweenLooksMs = 1;
const linux = process.platform === 'linux';

/**
 * Stops every process below `top` and resolves when none of them can run any more: neither in a thread, nor in a child
 * that was born meanwhile, nor because of a timer of its own. `top` itself stays awake. Rejects, with everything awake
 * again, where that cannot be reached. `refusesCalls`: the system refuses them whatever would let a stopped program go
 * on through a file, so its files need no look.
 */
export async function freezeTree(top: number, refusesCalls: boolean): Promise<FrozenTree> {
  const stopped = new Map<number, ProcessEntry>();
  const thaw = (): void => wake([...stopped.values()]);
  const until = performance.now() + longestMs;
  let before: Look | undefined;
  for (;;) {
    const look = lookAndStop(top, stopped, refusesCalls);
    if (look.wakesItself !== undefined) {
      thaw();
      throw new Error(
        `The command was not run: “${nameOf(look.wakesItself)}” in the sandbox can go on although it is stopped, so it could change what was checked. End it first, or wait until it ends.`,
      );
    }
    // The same twice: whoever ran in between has switched to it.
    if (look.moving === undefined && look.switches === before?.switches) return { thaw };
    if (performance.now() > until) {
      const name = nameOf(look.moving ?? top);
      thaw();
      throw new Error(
        `The command was not run: “${name}” in the sandbox could not be stopped, so it could change what was checked. End it, or wait until it ends.`,
      );
    }
    before = look;
    await new Promise((resolve) => setTimeout(resolve, betweenLooksMs));
  }
}

interface Look {
  /** A process that still moved. */
  readonly moving: number | undefined;
  /** A process that the system would let go on. */
  readonly wakesItself: number | undefined;
  /** All threads and how often each of them was given a processor. */
  readonly switches: string;
}

/** Sends everything that moves to sleep. */
function lookAndStop(top: number, stopped: Map<number, ProcessEntry>, refusesCalls: boolean): Look {
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

/** The youngest first, so that no shell sees a child of its own stopped. */
function wake(entries: readonly ProcessEntry[]): void {
  for (const { pid, started } of [...entries].reverse()) {
    // Its number may belong to another process by now.
    if (processEntry(pid)?.started === started) signal(pid, 'SIGCONT');
  }
}

/** Parents stand before their children. */
function descendants(top: number): ProcessEntry[] {
  const byParent = new Map<number, ProcessEntry[]>();
  for (const entry of allProcesses()) {
    const siblings = byParent.get(entry.parent);
    if (siblings) siblings.push(entry);
    else byParent.set(entry.parent, [entry]);
  }
  const found = [...(byParent.get(top) ?? [])];
  for (let at = 0; at < found.length; at++) found.push(...(byParent.get(found[at]!.pid) ?? []));
  return found;
}

/** Their folders in /proc. The first thread of a process may have ended while others go on. */
function threadsOf(pid: number): string[] {
  try {
    return fs.readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`);
  } catch {
    return [];
  }
}

function isStill(thread: string): boolean {
  const stat = textIn(`${thread}/stat`);
  const state = stat.charAt(stat.lastIndexOf(')') + 2);
  return state === '' || 'TtZXx'.includes(state) || (state === 'D' && waitsForChild(thread));
}

/**
 * The calls with which a process lends its memory to a child and waits, deaf to
 * signals, until that has become another program.
 */
const lendingCalls: Partial<Record<NodeJS.Architecture, readonly string[]>> = {
  x64: ['56', '58', '435'],
  arm64: ['220', '435'],
};

const waitsForChild = (thread: string): boolean =>
  lendingCalls[process.arch]?.includes(textIn(`${thread}/syscall`).split(' ')[0]!) ?? false;

const { SIGCONT, SIGKILL } = os.constants.signals;

/**
 * A program can ask the system for the very signal that lets it go on. Or for one that ends it: the system then tells
 * its parent, its children and the rest of its group, and lets them go on if they wish.
 */
const hasWakingTimer = (pid: number): boolean =>
  new RegExp(`^signal: (?:${SIGCONT}|${SIGKILL})/`, 'm').test(textIn(`/proc/${pid}/timers`));

/**
 * Whether the system may send it a signal of its choice when somebody uses a file: it watches a folder (which
 * cannot be told from one that is merely open), is told of input, or has a lease. Or whether the system goes on
 * with its work meanwhile, as io_uring does.
 */
function hasWakingFile(pid: number): boolean {
  let files: string[];
  try {
    files = fs.readdirSync(`/proc/${pid}/fd`);
  } catch {
    // Who hides its files may have such a one. What has ended has none, though its folder may be there and closed.
    const entry = processEntry(pid);
    return entry !== undefined && !'ZX'.includes(entry.state);
  }
  return files.some((file) => {
    const about = textIn(`/proc/${pid}/fdinfo/${file}`);
    const flags = Number.parseInt(/^flags:\s*([0-7]+)/m.exec(about)?.[1] ?? '0', 8);
    return (flags & toldOfInput) !== 0 || /^lock:.*\bLEASE\b/m.test(about) || isFolderOrRing(`/proc/${pid}/fd/${file}`);
  });
}

/** FASYNC, in the flags of an open file. */
const toldOfInput = 0o20000;

function isFolderOrRing(file: string): boolean {
  try {
    return fs.readlinkSync(file) === 'anon_inode:[io_uring]' || fs.statSync(file).isDirectory();
  } catch {
    return false;
  }
}

const switchesOf = (thread: string): string =>
  [...textIn(`${thread}/status`).matchAll(/^(?:non)?voluntary_ctxt_switches:\t(\d+)/gm)]
    .map(([, count]) => count)
    .join('+');

/** A program chooses its name; this stands in words of Waymark. */
const nameOf = (pid: number): string => shownName(textIn(`/proc/${pid}/comm`).trim()) || String(pid);
