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
