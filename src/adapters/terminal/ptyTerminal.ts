import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { CommandOptions, CommandResult, Terminal } from '../../core/ports/terminal';
import { isSameFolder, notRun, wrongFolderWords } from './commandFolder';
import { shownName } from '../../core/text/shownName';
import type { Sandbox } from '../sandbox/sandbox';
import { isFileTooLarge, sandboxLimitWords } from '../sandbox/limits';
import { LimitWatch } from '../sandbox/limitWatch';
import { makeTemporary, removeTemporary } from '../sandbox/madePlaces';
import { atWork, startWhenFree } from '../sandbox/sandboxesAtWork';
import { childEnvironment, gitEditor } from '../processes/childEnvironment';
import { DotenvAround } from '../secrets/dotenvSecrets';
import { Emulator } from './output/emulator';
import { maskFile } from './output/maskFile';
import { Mirror } from './output/mirror';
import { programNeedingTerminal } from './needsTerminal';
import { OutputFile } from './output/outputFile';
import { roomForOutput } from './output/outputRoom';
import { limitOf } from '../processes/shortage';
import { Turns } from '../processes/turns';
import { endSandbox, killFamily, relatives, signal, type ProcessFamily } from '../processes/processTree';
import { adoptState, readShellState, takeVariables, type ShellState } from './shellState';
import { RunningCommand } from './runningCommand';
import type { Shell } from './shell';
import { openShell } from './openShell';
import { shellNameFor } from './shells';
import { TerminalRecording } from './output/terminalRecording';
import { withCommas } from '../../core/text/withCommas';

/** How a shell is started, and where its output goes. */
export interface TerminalOptions {
  /** Absolute folder in which the shell starts. */
  readonly cwd: string;
  /** Absolute folder for outputs that are too long to return; created when needed, never emptied. */
  readonly outputFolder: string;
  /** How long a command waits for space for its output on a full disk, in ms; as long as needed if absent. */
  readonly maxRoomWaitMs?: number | undefined;
  /** Name or path of the shell; the user's own if absent. */
  readonly shell?: string;
  /** Names of additional environment variables to pass on. Keys, tokens and editor handles never pass. */
  readonly passEnvironment?: readonly string[];
  /** Source environment; that of this process if absent. */
  readonly environment?: NodeJS.ProcessEnv;
  /** This environment before folders of the workspace were removed from it. */
  readonly unfiltered?: NodeJS.ProcessEnv;
  /** If false, node-pty is never loaded and the shell runs over pipes. */
  readonly pty?: boolean;
  /** Programs in a sandbox must not reach the files through which this terminal drives its shell. */
  readonly besideSandbox?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  /** Called before each start of the shell; returns the sandbox to start it in. */
  sandbox?(): Promise<Sandbox | undefined>;
  /** Called once per event that the user should know: no terminal could be created, another shell was chosen. */
  onNotice?(text: string): void;
}

const size = (wanted: number): number => Math.max(2, Math.min(1000, Math.floor(wanted) || 2));

/**
 * Overwrites a file. It is truncated afterwards: if it is emptied first, some file systems flush it to disk, which
 * takes a millisecond.
 */
function writeOver(file: string, bytes: Buffer): void {
  const descriptor = fs.openSync(file, fs.constants.O_WRONLY | fs.constants.O_CREAT, 0o600);
  try {
    for (let written = 0; written < bytes.length;)
      written += fs.writeSync(descriptor, bytes, written, bytes.length - written, written);
    fs.ftruncateSync(descriptor, bytes.length);
  } finally {
    fs.closeSync(descriptor);
  }
}

/**
 * The agent's terminal: one persistent shell, on a pseudo-terminal if possible. Starts nothing before the first use.
 */
export class PtyTerminal implements Terminal {
  /** Why there is no pseudo-terminal; undefined if there is one or nothing was started. */
  fallback: string | undefined;
  readonly dotenv: DotenvAround;
  readonly #id = randomBytes(6).toString('hex');
  readonly #mirror = new Mirror();
  #folder: string | undefined;
  #cwd: string;
  #columns: number;
  #rows: number;
  #count = 0;
  #shell: Promise<Shell> | undefined;
  #current: RunningCommand | undefined;
  #screen: TerminalRecording | undefined;
  readonly #turns = new Turns();
  #disposed = false;
  /** True if a shell is about to start and the folders are being read for its sandbox. */
  #isReading = false;
  #sandbox: Sandbox | undefined;
  #watch: LimitWatch | undefined;
  /** The living shell's sandbox, registered as one that can be held. */
  #working: ReturnType<typeof atWork> | undefined;
  /** Exported variables of a shell that exited by itself, for its successor. */
  #handedOn: ShellState['exported'] | undefined;
  /** The file size limit with which the shell started. */
  #fileSizeAtStart: number | undefined;
  /** Messages to show with the next command, as no command was running when they arose. */
  #unsaid: string[] = [];
  readonly #shownNotices = new Set<string>();
  /** Outputs with secrets that are masked once nobody prints into them. */
  readonly #unmasked = new Set<string>();
  #masking: Promise<unknown> = Promise.resolve();
  readonly shellName: string | undefined;

  constructor(private readonly options: TerminalOptions) {
    this.shellName = shellNameFor(options.shell, options.environment ?? process.env, options.cwd);
    this.#cwd = options.cwd;
    this.dotenv = new DotenvAround(options.cwd);
    [this.#columns, this.#rows] = [size(options.columns ?? 120), size(options.rows ?? 30)];
  }

  /** Starts the shell, so that the first command need not wait for it. */
  warm(): Promise<void> {
    return this.#turns.take(async () => {
      await this.#livingShell();
    });
  }

  run(command: string, options: CommandOptions): Promise<CommandResult> {
    if (command.includes('\0'))
      return Promise.reject(
        new Error('The command contains a NUL character, which a shell would silently drop. Remove it.'),
      );
    return this.#turns.take(() => this.#run(command, options));
  }

  /** Types exactly `text`; a line break acts as the Enter key. */
  answer(text: string, options: CommandOptions): Promise<CommandResult> {
    return this.#turns.take(async () => {
      const waiting = this.#current;
      if (!waiting || waiting.over) throw new Error('No command is waiting for input.');
      const since = performance.now();
      waiting.type(text.replaceAll('\n', '\r'));
      return this.#withLimits(await waiting.watch(options, since), waiting.shell);
    });
  }

  /** True if a command is still running or waits for input. */
  get busy(): boolean {
    return this.#current !== undefined && !this.#current.over && !this.#current.ended;
  }
  /** True if no process of its commands is running in the sandbox. */
  get alone(): boolean {
    return this.#watch?.alone ?? true;
  }
  get commandGone(): Promise<unknown> {
    return this.#current?.shellEnded ?? Promise.resolve();
  }
  /** The shell's working folder. */
  get folder(): string {
    return this.#cwd;
  }

  /**
   * Returns the folder and the exported variables. Interrupts a command that waits for input. Undefined if the shell
   * cannot report them.
   */
  state(): Promise<ShellState | undefined> {
    return this.#turns.take(async () => {
      if (this.#current && !this.#current.over) {
        await this.#current.stop('interrupted');
        this.#current.over = true;
      }
      const shell = await this.#livingShell();
      return shell.dialect.usesTerminal
        ? readShellState(shell, path.join(this.#privateFolder(), 'state'), `${this.#outputs()}state`)
        : undefined;
    });
  }

  /** Changes to the folder and exports the variables. Returns false if the folder does not exist. */
  adopt(state: ShellState): Promise<boolean> {
    return this.#turns.take(async () => {
      const shell = await this.#livingShell();
      const arrived = await this.#adoptIn(shell, state);
      this.#cwd = shell.folder;
      return arrived;
    });
  }

  /** Reports everything that happens in the terminal, sanitized for display in a real one. */
  onData(listener: (text: string) => void): { dispose(): void } {
    return this.#mirror.listen(listener);
  }

  /**
   * Passes what the user types to the running program; dropped between commands, since the shell never reads from the
   * terminal.
   */
  write(text: string): void {
    if (this.#current && !this.#current.over) this.#current.type(text);
  }

  resize(columns: number, rows: number): void {
    this.#columns = size(columns);
    this.#rows = size(rows);
    this.#screen?.resize(this.#columns, this.#rows);
    void this.#shell?.then(
      (shell) => shell.device?.resize(this.#columns, this.#rows),
      () => {
        /* reported to the caller that runs a command */
      },
    );
  }

  /** See `Terminal`. */
  async fileSystem(): Promise<string | undefined> {
    const shell = await this.#shell?.catch(() => undefined);
    return shell?.alive && shell.confined && process.platform === 'linux' ? `/proc/${shell.pid}/root` : undefined;
  }

  /** Returns the number of living processes of its commands. */
  async processes(): Promise<number> {
    const shell = await this.#shell?.catch(() => undefined);
    return shell ? relatives(this.#family(shell)).length : 0;
  }

  /** Returns whether a process of its commands is alive, by the cheapest check. */
  async hasProcesses(): Promise<boolean> {
    const shell = await this.#shell?.catch(() => undefined);
    if (!shell || process.platform === 'win32') return false;
    if (shell.alive && this.#watch) return !this.#watch.alone;
    return relatives(this.#family(shell)).length > 0;
  }

  /** Kills the shell and every process of its commands at once. The next command gets a new shell. */
  async endProcesses(): Promise<void> {
    const shell = await this.#shell?.catch(() => undefined);
    if (!shell) return;
    await killFamily(this.#family(shell), { shell: shell.alive, politeMs: 0 });
    shell.close();
  }

  async dispose(): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#watch?.end();
    this.#working?.end();
    const shell = await this.#shell?.catch(() => undefined);
    const hasEnded = shell?.confined ? await endSandbox(shell.chain) : false;
    // Without a command it started no program, and searching all processes is slow.
    if (shell?.alive && this.#count === 0 && !shell.confined) signal(shell.pid, 'SIGKILL');
    else if (shell && !hasEnded) await killFamily(this.#family(shell), { shell: shell.alive, politeMs: 0 });
    shell?.close();
    await this.#current?.shellEnded;
    // Reading a large folder may take long, and no shell starts after that.
    if (!this.#isReading) await this.#turns.whenDone();
    for (const file of this.#unmasked) this.#mask(file);
    await this.#masking;
    fs.rmSync(this.#variablesAtEnd, { recursive: true, force: true });
    this.#sandbox?.end();
    if (this.#folder) removeTemporary(this.#folder);
  }

  async #run(command: string, options: CommandOptions): Promise<CommandResult> {
    await roomForOutput(path.join(this.options.outputFolder, 'output.txt'), {
      maxWaitMs: this.options.maxRoomWaitMs,
      isOver: () => options.signal.aborted || this.#disposed,
      notify: (text) => this.options.onNotice?.(text),
    });
    if (options.signal.aborted) return notRun(options.judgedFor?.folder ?? this.#cwd, ['The command was not started.']);
    const notes: string[] = this.#unsaid.splice(0);
    if (this.#current && !this.#current.over) {
      await this.#current.stop('interrupted');
      this.#current.over = true;
      notes.push('The previous command was still waiting for input and was interrupted.');
    }
    const shell = await this.#livingShell(notes);
    const wrongFolder = await this.#goTo(shell, options.judgedFor?.folder);
    if (wrongFolder !== undefined) return notRun(shell.folder, [...notes, wrongFolder]);
    await this.dotenv.beforeCommand(shell.folder);
    const needing = options.tty ? undefined : programNeedingTerminal(command);
    const tty = (options.tty || needing !== undefined) && shell.device !== undefined;
    if (tty && needing) notes.push(`It ran on the terminal, because ${needing} needs one.`);
    if (options.tty && !tty)
      notes.push(`It ran without a terminal: ${this.fallback ?? 'this shell does not provide one'}.`);
    const ended = await this.#begin(shell, command, tty, notes).watch(options);
    const result = this.#withLimits(ended, shell);
    if (options.forgets) this.#forgetVariables();
    this.#cwd = result.cwd;
    return this.#disposed ? { ...result, end: 'interrupted', exitCode: null } : result;
  }

  /** Changes to the folder for which a command was judged. Returns why the command cannot run if that is impossible. */
  async #goTo(shell: Shell, folder: string | undefined): Promise<string | undefined> {
    if (folder === undefined || isSameFolder(folder, shell.folder)) return undefined;
    await this.#adoptIn(shell, { folder, exported: new Map() });
    this.#cwd = shell.folder;
    return isSameFolder(folder, shell.folder) ? undefined : wrongFolderWords(folder, shell.folder);
  }

  /** Returns the result with a message about limits that the command reached. */
  #withLimits(result: CommandResult, shell: Shell): CommandResult {
    const { exitCode, note } = result;
    const bounded = shell.confined ? this.#sandbox?.bounded : undefined;
    const words =
      this.#fileSizeReached(result, shell) ??
      (bounded && exitCode !== null ? sandboxLimitWords(exitCode, bounded.limits) : undefined);
    return words === undefined ? result : { ...result, note: [note, words].filter(Boolean).join(' ') };
  }

  /**
   * Returns a message if a file size limit truncated what a command prints or writes, unless it is a limit of the
   * sandbox.
   */
  #fileSizeReached({ exitCode, outputBytes }: CommandResult, shell: Shell): string | undefined {
    const most = limitOf(shell.alive ? shell.pid : 'self', 'Max file size');
    if (most === undefined || !(isFileTooLarge(exitCode) || outputBytes >= most)) return undefined;
    const what = `The file size limit is ${withCommas(most)} bytes (ulimit -f), so the output of the command or a file that it wrote is truncated.`;
    if (most !== this.#fileSizeAtStart) return `${what} A command of this session set that limit.`;
    if (most !== limitOf('self', 'Max file size')) return undefined;
    return `${what} Waymark was started with that limit. Raise the limit there, for example with "ulimit -f unlimited".`;
  }

  #begin(shell: Shell, command: string, tty: boolean, notes: readonly string[]): RunningCommand {
    const { dialect, device } = shell;
    const commandFile = path.join(this.#privateFolder(), `command${dialect.extension}`);
    writeOver(commandFile, Buffer.from(`${dialect.prefix}${command}\n`));
    const output = `${this.#outputs()}${++this.#count}.txt`;
    const onTerminal = new TerminalRecording(output, this.#columns, this.#rows);
    this.#screen = onTerminal;
    device?.onData((bytes) => {
      onTerminal.push(bytes);
      this.#mirror.bytes(bytes);
    });
    this.#mirror.command(command, shell.folder);
    if (tty) Emulator.prepare();
    const files =
      tty && shell.tty !== undefined
        ? { command: commandFile, input: shell.tty, output: shell.tty }
        : { command: commandFile, input: os.devNull, output };
    this.#watch?.commandBegins();
    this.#current = new RunningCommand({
      settled: () => this.#watch?.settled(),
      heldMs: () => this.#working?.heldMs() ?? 0,
      shell,
      command,
      commandFile,
      printed: tty ? onTerminal : new OutputFile(output),
      onTerminal,
      mirror: this.#mirror,
      family: this.#family(shell),
      notes,
      variablesKept: () => this.#variablesOfEnded() !== undefined,
      begin: () => shell.run(files).finally(() => this.dotenv.afterCommand(shell.folder, this.#watch?.alone === true)),
      onKept: (file, { written }) => {
        if (written) this.#unmasked.add(file);
        else this.#mask(file);
      },
    });
    return this.#current;
  }

  /** Masks outputs one by one in the background. An output that cannot be masked stays readable only by its owner. */
  #mask(file: string): void {
    this.#masking = this.#masking
      .then(() => maskFile(file))
      .catch(() => {
        /* see above */
      });
  }

  /** Returns the living shell; if it ended, a new one in the same folder. */
  async #livingShell(notes: string[] = []): Promise<Shell> {
    if (this.#disposed) throw new Error('The terminal is closed.');
    const shell = await this.#shell?.catch(() => undefined);
    if (shell?.alive) return shell;
    if (!fs.existsSync(this.#cwd)) {
      notes.push(
        `The folder ${shownName(this.#cwd)} no longer exists, so the new shell started in ${this.options.cwd}.`,
      );
      this.#cwd = this.options.cwd;
    }
    const handedOn = this.#variablesOfEnded();
    this.#isReading = true;
    const sandbox = await this.options.sandbox?.();
    this.#sandbox = sandbox ?? this.#sandbox;
    const problem = await sandbox?.begin();
    this.#isReading = false;
    if (this.#disposed) {
      sandbox?.end();
      throw new Error('The terminal is closed.');
    }
    if (problem !== undefined) this.options.onNotice?.(problem);
    const open = () =>
      openShell({
        workspace: this.options.cwd,
        ...this.options,
        confined: sandbox && { sandbox, outputs: this.options.outputFolder },
        cwd: this.#cwd,
        folder: this.#privateFolder(),
        variablesAtEnd: this.#variablesAtEnd,
        columns: this.#columns,
        rows: this.#rows,
        environment: {
          GIT_EDITOR: gitEditor,
          ...childEnvironment(this.options.environment ?? process.env, this.options.passEnvironment),
          WAYMARK_TERMINAL: this.#id,
        },
        onNotice: (text) => {
          if (!this.#shownNotices.has(text)) this.options.onNotice?.(text);
          this.#shownNotices.add(text);
        },
        onFallback: (reason) => {
          this.fallback = reason;
        },
      });
    this.#shell = sandbox
      ? startWhenFree(sandbox.folders, async () => this.#markAtWork(sandbox, await open()))
      : open();
    const opened = await this.#shell;
    if (!this.#disposed) {
      this.#watch?.end();
      this.#watch = sandbox?.bounded && this.#watchOver(opened, sandbox.bounded);
      this.#fileSizeAtStart = limitOf(opened.pid, 'Max file size');
      if (handedOn) await this.#adoptIn(opened, { folder: opened.folder, exported: handedOn });
      this.#handedOn = undefined;
      return opened;
    }
    await killFamily(this.#family(opened), { shell: opened.alive, politeMs: 0 });
    opened.close();
    throw new Error('The terminal was closed while its shell was starting.');
  }

  #adoptIn(shell: Shell, state: ShellState): Promise<boolean> {
    return adoptState(shell, state, path.join(this.#privateFolder(), 'state'), `${this.#outputs()}state`);
  }

  get #variablesAtEnd(): string {
    return `${this.#prefix}end`;
  }

  /** Returns what the last shell had exported when it ended, if it could save that. */
  #variablesOfEnded(): ShellState['exported'] | undefined {
    return (this.#handedOn ??= takeVariables(this.#variablesAtEnd));
  }

  #forgetVariables(): void {
    this.#variablesOfEnded();
    this.#handedOn = undefined;
  }

  #markAtWork(sandbox: Sandbox, shell: Shell): Shell {
    this.#working?.end();
    this.#working = atWork(sandbox.folders, shell.chain[0]!, sandbox.refusesCalls === true);
    return shell;
  }

  #watchOver(shell: Shell, bounded: NonNullable<Sandbox['bounded']>): LimitWatch {
    return new LimitWatch({
      ...bounded,
      chain: shell.chain,
      onExceeded: (words) => {
        if (this.#current && !this.#current.over) this.#current.note(words);
        else this.#unsaid.push(words);
      },
    });
  }

  #family(shell: Shell): ProcessFamily {
    return {
      shell: shell.alive ? shell.chain[0]! : -1,
      ...(shell.confined && { chain: shell.chain }),
      mark: `WAYMARK_TERMINAL=${this.#id}`,
      outputs: path.join(this.options.outputFolder, this.#id),
      device: shell.device?.path,
    };
  }

  #outputs(): string {
    fs.mkdirSync(this.options.outputFolder, { recursive: true, mode: 0o700 });
    return this.#prefix;
  }

  get #prefix(): string {
    return path.join(this.options.outputFolder, `${this.#id}-`);
  }

  #privateFolder(): string {
    if (!this.#folder || !fs.existsSync(this.#folder))
      this.#folder = makeTemporary('waymark-', {
        hidden: this.options.besideSandbox ?? false,
        notIn: this.#sandbox?.folders ?? [],
      });
    return this.#folder;
  }
}

/** See `TerminalOptions`. The shell starts with the first command or with `warm()`. */
export const createTerminal = (options: TerminalOptions): PtyTerminal => new PtyTerminal(options);
