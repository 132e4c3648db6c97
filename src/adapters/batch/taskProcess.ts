import { spawn } from 'node:child_process';
import fs from 'node:fs';

/** How the process of a task ended. */
export interface ProcessEnd {
  /** Null if a signal ended the process. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last part of its stderr. */
  readonly stderr: string;
  /** True if it was killed because it exceeded its time limit. */
  readonly timedOut: boolean;
}

/** The running process of a task. */
export interface TaskProcess {
  /** Resolves when the process has exited or could not be started; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Sends the process one more line. */
  send(line: unknown): void;
  /** Asks the process to exit cleanly, and kills it after a grace period. */
  stop(): void;
  kill(): void;
}

interface ProcessOptions {
  /** Arguments after `node`: the program and its own arguments. */
  readonly program: readonly string[];
  /**
   * Sent to its stdin as one line. The stream stays open: when it closes, the process knows that nobody waits for it.
   */
  readonly job: unknown;
  readonly timeoutMs: number;
  /** Heap limit, in megabytes. */
  readonly memory: number;
  /** Called with each JSON line that the process prints. */
  onTold(line: unknown): void;
}

/** A stopped run waits for its commands to end, which takes a while on a busy machine. */
const graceMs = 30_000;
const maxStderr = 4000;
const maxLineLength = 1_000_000;

/** Starts a task in its own process group, so that Ctrl-C at the terminal reaches only the parent. */
export function startTask({ program, job, timeoutMs, memory, onTold }: ProcessOptions): TaskProcess {
  const child = spawn(process.execPath, [`--max-old-space-size=${memory}`, ...program], {
    detached: process.platform !== 'win32',
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  let stderr = '';
  let unfinishedLine = '';
  let timedOut = false;
  let hasEnded = false;
  child.stdin.on('error', () => undefined);
  child.stdin.write(`${JSON.stringify(job)}\n`);
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-maxStderr);
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (unfinishedLine + text).split('\n');
    unfinishedLine = (lines.pop() ?? '').slice(0, maxLineLength);
    for (const line of lines) passOn(line, onTold);
  });
  const kill = (): void => void child.kill('SIGKILL');
  let grace: NodeJS.Timeout | undefined;
  const stop = (): void => {
    // A timer for an ended process would keep this one alive.
    if (grace || hasEnded) return;
    child.kill('SIGTERM');
    grace = setTimeout(kill, graceMs);
  };
  const limit = setTimeout(() => {
    timedOut = true;
    stop();
  }, timeoutMs);
  const ended = new Promise<ProcessEnd>((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null): void => {
      hasEnded = true;
      clearTimeout(limit);
      clearTimeout(grace);
      resolve({ code, signal, stderr: stderr.trim(), timedOut });
    };
    child.on('error', (error) => {
      stderr += error.message;
      end(null, null);
    });
    // Its child processes may keep its output open, so only its own exit is awaited.
    child.on('exit', (code, signal) => setImmediate(end, code, signal));
  });
  const send = (line: unknown): void => {
    if (child.stdin.writable) child.stdin.write(`${JSON.stringify(line)}\n`);
  };
  return { ended, send, stop, kill };
}

/** Calls `onTold` with the value of a line. Ignores lines that are not JSON. */
function passOn(line: string, onTold: (line: unknown) => void): void {
  try {
    onTold(JSON.parse(line));
  } catch {
    // For example, output of a library.
  }
}

/**
 * Kills processes whose working directory is below a folder, after the task that ran there was killed. Works only on
 * Linux, which exposes the working directories of processes.
 */
export function endProcessesIn(folder: string): void {
  let names: string[];
  try {
    names = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return;
  }
  for (const name of names) {
    try {
      const workingFolder = fs.readlinkSync(`/proc/${name}/cwd`);
      if (workingFolder === folder || workingFolder.startsWith(`${folder}/`)) process.kill(Number(name), 'SIGKILL');
    } catch {
      // It ended in the meantime, or belongs to another user.
    }
  }
}
