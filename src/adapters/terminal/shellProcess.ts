/**
 * A running shell as its driver sees it: lines go in, what the shell itself prints
 * comes out. Never the output of commands.
 */
export interface ShellProcess {
  readonly pid: number;
  /** The terminal that it runs on, if it has one. */
  readonly device: TerminalDevice | undefined;
  send(lines: string): void;
  onReply(listener: (text: string) => void): void;
  /** Called once; null when a signal ended it. */
  onExit(listener: (exitCode: number | null) => void): void;
  /** Gives back descriptors; does not end the process. */
  close(): void;
}

export interface TerminalDevice {
  /** Such as /dev/pts/3. */
  readonly path: string;
  /** Sets the one listener for what programs print on the terminal. */
  onData(listener: (bytes: Buffer) => void): void;
  /** Types. */
  write(text: string): void;
  resize(columns: number, rows: number): void;
  /** Resolves when everything printed so far has reached the listener. */
  drained(): Promise<void>;
}

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
