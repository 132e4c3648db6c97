import { spawn } from 'node:child_process';
import fs from 'node:fs';

/** How the process of a task ended. */
export interface ProcessEnd {
  /** Null where a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The end of what it wrote to stderr. */
  readonly stderr: string;
  /** It was ended because it took too long. */
  readonly timedOut: boolean;
}

export interface TaskProcess {
  readonly ended: Promise<ProcessEnd>;
  /** Sends it one more line. */
  tell(line: unknown): void;
  /** Asks it to end in order, and ends it after a while. */
  stop(): void;
  kill(): void;
}

export interface ProcessOptions {
  /** The words after Node: the program and its arguments. */
  readonly program: readonly string[];
  /**
   * Sent to its stdin as one line. The stream stays open: its end tells the process that nobody waits for it any more.
   */
  readonly job: unknown;
  readonly timeoutMs: number;
  /** The space for its objects, in megabytes. */
  readonly memory: number;
  /** Called with each JSON line that it prints. */
  onTold(line: unknown): void;
}

/** A run that is stopped waits for its commands to end, which takes a while on a busy machine. */
const graceMs = 30_000;
const mostStderr = 4000;
const mostLine = 1_000_000;

/** Starts a task in a process group of its own, so that Ctrl-C at the terminal reaches only whoever started it. */
export function startTask({ program, job, timeoutMs, memory, onTold }: ProcessOptions): TaskProcess {
  const child = spawn(process.execPath, [`--max-old-space-size=${memory}`, ...program], {
    detached: process.platform !== 'win32',
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  let stderr = '';
  let told = '';
  let timedOut = false;
  let hasEnded = false;
  child.stdin.on('error', () => undefined);
  child.stdin.write(`${JSON.stringify(job)}\n`);
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-mostStderr);
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (told + text).split('\n');
    told = (lines.pop() ?? '').slice(0, mostLine);
    for (const line of lines) heard(line, onTold);
  });
  const kill = (): void => void child.kill('SIGKILL');
  let grace: NodeJS.Timeout | undefined;
  const stop = (): void => {
    // A timer for a process that is gone would keep this one from its end.
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
    // What it started may keep its output open, so only its own end is waited for.
    child.on('exit', (code, signal) => setImmediate(end, code, signal));
  });
  const tell = (line: unknown): void => {
    if (child.stdin.writable) child.stdin.write(`${JSON.stringify(line)}\n`);
  };
  return { ended, tell, stop, kill };
}

function heard(line: string, onTold: (line: unknown) => void): void {
  try {
    onTold(JSON.parse(line));
  } catch {
    // Words of a library that prints.
  }
}

/**
 * Ends whatever still runs below a folder, after the task that worked there was killed.
 * Only Linux shows the folders of processes.
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
      const at = fs.readlinkSync(`/proc/${name}/cwd`);
      if (at === folder || at.startsWith(`${folder}/`)) process.kill(Number(name), 'SIGKILL');
    } catch {
      // It ended meanwhile, or belongs to somebody else.
    }
  }
}
