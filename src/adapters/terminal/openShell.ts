import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { raiseLimits, isShortageMessage } from '../processes/shortage';
import { type ShellProcess, type ShellStart, startPipeShell, type TerminalDevice } from './shellProcess';
import type { Sandbox } from '../sandbox/sandbox';
import { EndedAtStart, Shell } from './shell';
import { chooseShell, type ShellDialect } from './shells';
import { errorMessage } from '../../core/text/errorMessage';
import type { IPty } from 'node-pty';

/** The shell's own input and output are two FIFOs; the terminal is left to the programs that it runs. */
const launcher = 'in=$1 out=$2; shift 2; mkfifo -m 600 "$in" "$out" && echo ready && exec "$@" <"$in" >"$out" 2>&1';

/** Starts a shell on a pseudo-terminal. Rejects if node-pty cannot load here or the terminal cannot be created. */
async function startPtyShell(start: ShellStart): Promise<ShellProcess> {
  const loaded = await import('node-pty');
  const { spawn } = 'default' in loaded ? (loaded.default as typeof loaded) : loaded;
  const id = randomBytes(4).toString('hex');
  const [input, output] = [path.join(start.folder, `${id}.in`), path.join(start.folder, `${id}.out`)];
  const pty = spawn('/bin/sh', ['-c', launcher, 'sh', input, output, start.program, ...start.arguments], {
    cwd: start.cwd,
    env: start.environment,
    cols: start.columns,
    rows: start.rows,
    name: start.environment['TERM'] ?? 'xterm-256color',
    encoding: null,
  });
  let exit: { code: number | null } | undefined;
  let exited = (_code: number | null): void => {};
  pty.onExit(({ exitCode, signal }) => {
    exit = { code: signal ? null : exitCode };
    exited(exit.code);
  });
  await new Promise<void>((resolve, reject) => {
    let printed = '';
    const early = pty.onData((data) => {
      printed += data;
      if (/ready\r?\n/.test(printed)) {
        early.dispose();
        resolve();
      }
    });
    pty.onExit(() =>
      reject(new Error(`The shell could not be started on a terminal: ${printed.trim() || 'it ended at once'}.`)),
    );
  });
  // Read and write, so that opening does not wait for the shell and only onExit reports its end.
  const commands = fs.openSync(input, fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
  const replies = new net.Socket({
    fd: fs.openSync(output, fs.constants.O_RDWR | fs.constants.O_NONBLOCK),
    readable: true,
    writable: false,
  });
  replies.setEncoding('utf8');
  const device = new PtyDevice(pty);
  let open = true;
  return {
    pid: pty.pid,
    device,
    send: (lines) => {
      if (open) fs.writeSync(commands, lines);
    },
    onReply: (listener) => {
      replies.on('data', listener);
    },
    onExit: (listener) => {
      if (exit) listener(exit.code);
      else exited = listener;
    },
    close: () => {
      if (!open) return;
      open = false;
      fs.closeSync(commands);
      replies.destroy();
      device.close();
      for (const file of [input, output]) fs.rmSync(file, { force: true });
    },
  };
}

interface OpenShell extends Omit<ShellStart, 'program' | 'arguments'> {
  readonly shell?: string;
  /** Programs in this folder are not accepted as shells. */
  readonly workspace: string;
  /** The environment before folders of the workspace were removed from it, to explain why there is no shell. */
  readonly unfiltered?: NodeJS.ProcessEnv;
  readonly pty?: boolean;
  /** Sandbox of the shell, if it is confined; `outputs` is the folder for the output of its commands. */
  readonly confined?: { readonly sandbox: Sandbox; readonly outputs: string } | undefined;
  /** See `ShellManner`. */
  readonly variablesAtEnd: string;
  onNotice?(text: string): void;
  onFallback(reason: string): void;
}

/** Returns why the shell gets no pseudo-terminal, for people. Undefined if it can have one. */
function whyNoTerminal({ pty, confined }: OpenShell, { name, usesTerminal }: ShellDialect): string | undefined {
  if (pty === false) return 'it was turned off';
  if (confined?.sandbox.terminal === false) return 'the sandbox of this system does not provide one';
  return usesTerminal ? undefined : `${name} runs over pipes`;
}

/**
 * Opens a shell on a pseudo-terminal if possible, else over pipes; reports which and why. Rejects if no shell starts at
 * all.
 */
export async function openShell(open: OpenShell): Promise<Shell> {
  const { program, dialect, notice } = chooseShell(open.shell, open.environment, open.workspace, open.unfiltered);
  if (notice) open.onNotice?.(notice);
  const { confined } = open;
  const prepared = (): ShellStart => ({
    ...open,
    ...(confined?.sandbox.wrap(program, dialect.arguments, { readable: open.folder, writable: confined.outputs }) ?? {
      program,
      arguments: dialect.arguments,
    }),
    environment: { ...open.environment, ...confined?.sandbox.environment },
  });
  const how = {
    dialect,
    folder: open.cwd,
    confined: confined !== undefined,
    variablesAtEnd: open.variablesAtEnd,
  };
  const greet = (started: Promise<ShellProcess>): Promise<Shell> =>
    started.then((process) => Shell.greet(process, how));
  const begin = confined ? againIfEnded : (start: () => Promise<Shell>) => start();
  let reason = whyNoTerminal(open, dialect);
  if (reason === undefined) {
    try {
      const shell = await begin(() => greet(startPtyShell(prepared())));
      await shell.device?.drained();
      return shell;
    } catch (problem) {
      // The terminal worked, and the sandbox or the shell in it did not: it would not without a terminal either.
      if (confined && problem instanceof EndedAtStart) throw problem;
      reason = firstLine(problem);
    }
  }
  open.onFallback(`no pseudo-terminal is available (${reason})`);
  open.onNotice?.(
    `Commands run without a terminal (${reason}). Programs that need one will report it; everything else works.`,
  );
  return begin(() => greet(startPipeShell(prepared()).catch(reportShortage)));
}

/**
 * Starts a sandboxed shell, a second time if it ends at once: the sandbox of another process may just have deleted a
 * place that both guard. Preparing the sandbox again creates it again.
 */
const againIfEnded = (start: () => Promise<Shell>): Promise<Shell> =>
  start().catch((problem: unknown) => {
    if (problem instanceof EndedAtStart) return start();
    throw problem;
  });

/** Explains a failure to start a shell for lack of system resources: the system's own message is not enough. */
function reportShortage(problem: unknown): never {
  const why = firstLine(problem);
  if (!isShortageMessage(why)) throw problem;
  throw new Error(`The shell could not be started (${why}). ${raiseLimits}`, { cause: problem });
}

const firstLine = (problem: unknown): string => errorMessage(problem).split('\n')[0] ?? '';

/** After this many ms without data a terminal has nothing more to pass on. */
const silenceMs = 1000;

/**
 * The terminal of one shell. It keeps the programs' end open itself, so that no output is lost when the last of them
 * exits.
 */
class PtyDevice implements TerminalDevice {
  readonly path: string;
  #slave: number | undefined;
  #listener = (_bytes: Buffer): void => {};
  #mark: { readonly bytes: Buffer; readonly onSeen: () => void } | undefined;
  #held: Buffer = Buffer.alloc(0);
  #open = true;
  /** Number of times that data arrived. */
  #received = 0;

  constructor(private readonly pty: IPty) {
    // Missing from node-pty's typings, but available in every version.
    const name = (pty as { ptsName?: unknown }).ptsName;
    this.path = typeof name === 'string' && name !== '' ? name : '/dev/tty';
    try {
      if (this.path !== '/dev/tty')
        this.#slave = fs.openSync(this.path, fs.constants.O_RDWR | fs.constants.O_NOCTTY | fs.constants.O_NONBLOCK);
    } catch {
      /* then `drained` waits for a pause in the output instead */
    }
    pty.onData((data) => this.#receive(data as unknown as Buffer));
    // Its descriptor is then closed, and the number may soon refer to another file.
    pty.onExit(() => {
      this.#open = false;
    });
  }

  onData(listener: (bytes: Buffer) => void): void {
    this.#listener = listener;
  }

  write(text: string): void {
    if (this.#open) this.pty.write(text);
  }

  resize(columns: number, rows: number): void {
    if (this.#open) this.pty.resize(columns, rows);
  }

  /** Prints an unpredictable marker after everything printed so far, and waits until it arrives. */
  async drained(): Promise<void> {
    if (!this.#open) return;
    if (this.#slave === undefined) return new Promise((resolve) => setTimeout(resolve, 50));
    const bytes = Buffer.from(`\x1b]waymark;${randomBytes(12).toString('hex')}\x07`);
    const arrived = new Promise<void>((resolve) => {
      this.#mark = { bytes, onSeen: resolve };
    });
    for (let sent = 0, tries = 0; sent < bytes.length && tries < 200; tries++) {
      try {
        sent += fs.writeSync(this.#slave, bytes, sent);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    }
    await Promise.race([arrived, this.#silence()]);
    this.#mark = undefined;
    this.#pass(this.#held);
    this.#held = Buffer.alloc(0);
  }

  /**
   * Resolves when nothing arrived for a while. If this process was blocked meanwhile, pending data is handled first.
   */
  async #silence(): Promise<void> {
    for (let received = -1; received !== this.#received && this.#mark;) {
      received = this.#received;
      await new Promise((resolve) => setTimeout(resolve, silenceMs).unref());
      await new Promise((resolve) => setImmediate(resolve));
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  close(): void {
    this.#open = false;
    if (this.#slave !== undefined) fs.closeSync(this.#slave);
    this.#slave = undefined;
  }

  #receive(data: Buffer): void {
    this.#received += 1;
    if (!this.#mark) return this.#pass(data);
    const { bytes, onSeen } = this.#mark;
    const all = Buffer.concat([this.#held, data]);
    const at = all.indexOf(bytes);
    if (at < 0) {
      const keep = Math.min(all.length, bytes.length - 1);
      this.#held = all.subarray(all.length - keep);
      return this.#pass(all.subarray(0, all.length - keep));
    }
    this.#mark = undefined;
    this.#held = Buffer.alloc(0);
    this.#pass(Buffer.concat([all.subarray(0, at), all.subarray(at + bytes.length)]));
    onSeen();
  }

  #pass(bytes: Buffer): void {
    if (bytes.length > 0) this.#listener(bytes);
  }
}
