import type { Shell } from './shell';
import type { TerminalRecording } from './output/terminalRecording';
import fs from 'node:fs';
import { childPids, processEntry } from '../processes/processTree';
import { namesIn } from '../storage/lenientReads';

const firstPollMs = 150;
const maxPauseMs = 1000;
/** Maximum number of processes of a command to look at. */
const maxProcesses = 500;
/**
 * A program that sleeps may still be working: it counts as waiting for input only after this many ms without output and
 * after a prompt.
 */
const promptQuietMs = 600;
const guessQuietMs = 1500;

/** Detects when a command that prints nothing waits for input. */
export class QuietWatch {
  #size = -1;
  #since = performance.now();
  #pause = firstPollMs;
  #nextLook = 0;
  #seenReading = false;
  #recent = '';
  /** True if the text typed last ended without Enter, so a program may still wait for the rest of the line. */
  #lineIsOpen = false;

  /** `needsTerminal`: the program is known to be interactive. */
  constructor(
    private readonly shell: Shell,
    private readonly screen: TerminalRecording,
    private readonly onTerminal: boolean,
    private readonly needsTerminal: boolean,
  ) {}

  /** True if it needs the text of the output. */
  get listens(): boolean {
    return this.onTerminal;
  }

  received(text: string): void {
    this.#recent = (this.#recent + text).slice(-400);
  }

  restart(): void {
    this.#since = performance.now();
    this.#pause = firstPollMs;
    this.#nextLook = this.#since + firstPollMs;
    this.#seenReading = false;
  }

  typed(text: string): void {
    this.#lineIsOpen = text !== '' && !/[\r\n]$/.test(text);
    this.restart();
  }

  isWaiting(printed: number): boolean {
    const device = this.shell.device;
    if (!device) return false;
    const size = printed + this.screen.size();
    if (size !== this.#size) {
      this.#size = size;
      this.restart();
      return false;
    }
    const now = performance.now();
    if (now < this.#nextLook) return false;
    const quiet = now - this.#since;
    const found = waitingFor(this.shell.pid, device.path);
    const prompts = this.needsTerminal || this.screen.fullScreen || this.#lineIsOpen || looksLikePrompt(this.#recent);
    const shown = this.onTerminal || this.screen.size() > 0;
    if (found === 'listening' && quiet > promptQuietMs && shown && prompts) return true;
    if (found === 'unknown' && quiet > guessQuietMs && shown && prompts) return true;
    // Required twice, because a program may read only briefly.
    if (found === 'reading' && this.#seenReading) return true;
    this.#seenReading = found === 'reading';
    if (!this.#seenReading) this.#pause = Math.min(this.#pause * 1.5, maxPauseMs);
    this.#nextLook = this.#seenReading ? now : Math.min(now + this.#pause, Math.max(this.#since + promptQuietMs, now));
    return false;
  }
}

/**
 * System call numbers for reading, and for sleeping until one of several descriptors is ready. Only architectures on
 * which VS Code runs under Linux.
 */
const calls: Record<string, { read: readonly number[]; wait: readonly number[] }> = {
  x64: { read: [0, 17, 19], wait: [7, 23, 232, 270, 271, 281, 441] },
  arm64: { read: [63, 65, 67], wait: [20, 22, 72, 73, 441] },
};

/**
 * `reading`: blocked in a read of the terminal. `listening`: asleep, with the terminal as its input. `unknown`: this
 * system cannot tell.
 */
type Waiting = 'reading' | 'listening' | 'no' | 'unknown';

/** Returns what the foreground process of the terminal `device` waits for; searches from the shell downwards. */
function waitingFor(shell: number, device: string): Waiting {
  const table = process.platform === 'linux' ? calls[process.arch] : undefined;
  const top = processEntry(shell);
  if (!table || !top) return 'unknown';
  let answer: Waiting = 'no';
  for (const pid of descent(shell)) {
    const entry = processEntry(pid);
    if (!entry || (entry.group !== top.foreground && pid !== shell)) continue;
    for (const [call, descriptor] of sleepers(pid)) {
      if (table.read.includes(call) && isTerminal(pid, descriptor, device)) return 'reading';
      if (pid !== shell && table.wait.includes(call) && isTerminal(pid, 0, device)) answer = 'listening';
    }
  }
  return answer;
}

/** Returns a process and the processes below it, at most `maxProcesses`. */
function descent(pid: number): number[] {
  const found = [pid];
  for (let index = 0; index < found.length && found.length < maxProcesses; index++)
    found.push(...childPids(found[index]!));
  return found;
}

/** Returns the system call and its first argument for each thread that is blocked in one. */
function sleepers(pid: number): [number, number][] {
  return namesIn(`/proc/${pid}/task`)
    .slice(0, 64)
    .flatMap((task) => {
      try {
        const [call, first] = fs.readFileSync(`/proc/${pid}/task/${task}/syscall`, 'utf8').split(' ');
        return call && /^\d+$/.test(call) ? [[Number(call), Number(first)] satisfies [number, number]] : [];
      } catch {
        return [];
      }
    });
}

function isTerminal(pid: number, descriptor: number, device: string): boolean {
  try {
    const target = fs.readlinkSync(`/proc/${pid}/fd/${descriptor}`);
    return target === device || target === '/dev/tty';
  } catch {
    return false;
  }
}

/** Returns whether a text ends like a prompt: with an unfinished line and a character after which people type. */
export function looksLikePrompt(text: string): boolean {
  const line = text.slice(text.lastIndexOf('\n') + 1);
  return /(?:[:?>$#%)\]]|(?:>>>|\.\.\.))\s*$/.test(line) && line.length < 300;
}
