import { spawn } from 'node:child_process';

/**
 * A running shell as its driver sees it: lines go in, and the shell's own output comes out. Never the output of
 * commands.
 */
export interface ShellProcess {
  readonly pid: number;
  /** The terminal that it runs on, if any. */
  readonly device: TerminalDevice | undefined;
  send(lines: string): void;
  onReply(listener: (text: string) => void): void;
  /** The listener is called once, with null if a signal ended the shell. */
  onExit(listener: (exitCode: number | null) => void): void;
  /** Closes descriptors; does not end the process. */
  close(): void;
}

/** The terminal that a shell is connected to. */
export interface TerminalDevice {
  /** Such as /dev/pts/3. */
  readonly path: string;
  /** Sets the single listener for what programs print on the terminal. */
  onData(listener: (bytes: Buffer) => void): void;
  /** Types the text. */
  write(text: string): void;
  resize(columns: number, rows: number): void;
  /** Resolves when everything printed so far has reached the listener. */
  drained(): Promise<void>;
}

/** How to start a shell. */
export interface ShellStart {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  readonly environment: Record<string, string>;
  /** A private folder. */
  readonly folder: string;
  readonly columns: number;
  readonly rows: number;
}

/**
 * Starts a shell over pipes, in its own session and without a terminal: used for PowerShell and if node-pty cannot
 * load.
 */
export function startPipeShell(start: ShellStart): Promise<ShellProcess> {
  const child = spawn(start.program, start.arguments, {
    cwd: start.cwd,
    env: start.environment,
    detached: process.platform !== 'win32',
    stdio: 'pipe',
    windowsHide: true,
  });
  return new Promise((resolve, reject) => {
    // Must come first: without free file descriptors there are no pipes, and an unhandled error would crash the
    // process.
    child.once('error', reject);
    child.once('spawn', () => {
      child.stdout.setEncoding('utf8');
      child.stderr.setEncoding('utf8');
      child.stdin.on('error', () => {
        /* the shell exited during a write; onExit reports it */
      });
      child.removeListener('error', reject);
      child.on('error', () => {
        /* a signal could not be sent */
      });
      resolve({
        pid: child.pid ?? -1,
        device: undefined,
        send: (lines) => {
          if (child.stdin.writable) child.stdin.write(lines);
        },
        onReply: (listener) => {
          child.stdout.on('data', listener);
          child.stderr.on('data', listener);
        },
        onExit: (listener) => {
          child.once('exit', (code) => listener(code));
        },
        close: () => {
          child.stdin.destroy();
          child.stdout.destroy();
          child.stderr.destroy();
        },
      });
    });
  });
}
