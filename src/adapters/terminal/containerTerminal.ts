import { maxTimerMs } from '../../core/ports/maxTimerMs';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { CommandEnd } from '../../protocol/events/details';
import type { SessionContainer } from '../../protocol/events/event';
import type { CommandOptions, CommandResult, Terminal, TerminalPlace } from '../../core/ports/terminal';
import type { Container, ShellInside } from './container';
import { LiveText } from './output/cleanText';
import { maskFile } from './output/maskFile';
import { cleanFile, openOutput, OutputFile, shortenFile } from './output/outputFile';
import { startPipeShell } from './shellProcess';
import { notRun, wrongFolderWords } from './commandFolder';
import { Turns } from '../processes/turns';
import { missedInput } from './needsTerminal';
import { inputWasEmpty, namedByContent } from './runningCommand';
import { Shell, type ShellOutcome } from './shell';
import { shellDialects, type ShellDialect } from './shells';

interface ContainerTerminalOptions {
  readonly container: Container;
  /** Absolute folder for outputs that are too long to return. */
  readonly outputFolder: string;
}

const pollMs = 50;
/** How long interrupted processes, and then killed ones, may take to end, in ms. */
const graceMs = 1500;
const maxOutputBytes = 256 * 1024 * 1024;
const keptOutput = 32 * 1024 * 1024;

/** A persistent shell in a container. Its folder, variables and functions are kept between commands. */
export class ContainerTerminal implements Terminal {
  readonly container: SessionContainer;
  readonly shellName: string;
  readonly #dialect: ShellDialect;
  readonly #id = randomBytes(6).toString('hex');
  #count = 0;
  #folder: string;
  #shell: Shell | undefined;
  /** The shell's process id inside the container. */
  #shellNumber = '';
  readonly #turns = new Turns();
  #isDisposed = false;
  /** Plan mode promises that commands change nothing, which a container cannot enforce. */
  readonly readOnly: Terminal = {
    run: () => Promise.reject(noLooking()),
    answer: () => Promise.reject(noLooking()),
    dispose: () => Promise.resolve(),
  };

  constructor(private readonly options: ContainerTerminalOptions) {
    const { settings, folders } = options.container;
    const program = path.posix.basename(settings.shell[0] ?? 'bash');
    const dialect = shellDialects.find(({ programs, usesTerminal }) => usesTerminal && programs.includes(program));
    if (!dialect) throw new Error(`Waymark does not support the shell ${program}. Use --container-shell bash or sh.`);
    this.#dialect = dialect;
    this.shellName = dialect.name;
    this.container = { engine: settings.executable, image: settings.image };
    this.#folder = folders[0]!;
  }

  isConfined(): Promise<boolean> {
    return Promise.resolve(this.options.container.isConfined);
  }

  hasOwnTemporary(): Promise<boolean> {
    return Promise.resolve(this.options.container.moreGiven.length === 0);
  }

  /** See `AgentTerminal`. */
  wroteOnlyInside(): Promise<boolean> {
    return this.hasOwnTemporary();
  }

  place(): Promise<TerminalPlace> {
    const { settings, hasNoNetwork, moreGiven } = this.options.container;
    const network = hasNoNetwork ? 'no network' : 'the network of the container engine';
    const touches =
      moreGiven.length === 0
        ? 'on this machine it can write only this workspace'
        : `besides this workspace it has the access that --container-run-args gives it (${moreGiven.join(' ')})`;
    const words = `Runs in a container of ${settings.image}: ${touches}, ${network}.`;
    return Promise.resolve({ runs: 'inside', domains: [], words });
  }

  get #inside(): ShellInside {
    return { mark: this.#id, number: this.#shellNumber };
  }

  /** Starts the container, in parallel with what happens before the first command. */
  async prepare(): Promise<void> {
    await this.options.container.start();
  }

  run(command: string, options: CommandOptions): Promise<CommandResult> {
    if (command.includes('\0'))
      return Promise.reject(
        new Error('The command contains a NUL character, which a shell would silently drop. Remove it.'),
      );
    return this.#turns.take(() => this.#run(command, options));
  }

  answer(): Promise<CommandResult> {
    return Promise.reject(new Error('No command is waiting for input: in a container, commands have no terminal.'));
  }

  /** Returns 1 if a shell is alive in it, else 0. */
  processes(): Promise<number> {
    return Promise.resolve(this.#shell?.alive ? 1 : 0);
  }

  /** Returns whether processes of commands may be alive: in a container that is unknown once a command has run. */
  hasProcesses(): Promise<boolean> {
    return Promise.resolve(this.#shell !== undefined);
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    const shell = this.#shell;
    if (shell?.alive) await this.options.container.signal('KILL', this.#inside);
    shell?.close();
    await this.#turns.whenDone();
  }

  async #run(command: string, options: CommandOptions): Promise<CommandResult> {
    if (options.signal.aborted || this.#isDisposed) return this.#notStarted(options);
    const notes: string[] = [];
    const { container } = this.options;
    await Promise.race([container.start(), whenAborted(options.signal)]);
    if (options.signal.aborted) return this.#notStarted(options);
    const isNewShell = this.#count === 0 && options.judgedFor?.isUsed === true;
    if (isNewShell) notes.push('The container is new: outside of the workspace, its files are those of the image.');
    const shell = await this.#livingShell(notes);
    const wrongFolder = await this.#goTo(shell, options.judgedFor?.folder);
    if (wrongFolder !== undefined) return notRun(this.#folder, [...notes, wrongFolder]);
    if (options.tty) notes.push('It ran without a terminal: commands in a container have none.');
    const { commandFile, output } = this.#files(command);
    const began = performance.now();
    const live = new LiveText();
    let outcome: ShellOutcome | undefined;
    const running = shell
      .run({ command: commandFile, input: '/dev/null', output: output.path })
      .then((told) => (outcome = told));
    const show = (): void => {
      const text = options.onOutput ? live.push(output.takeNew()) : '';
      if (text !== '') options.onOutput!(text);
    };
    const reason = await waitForEnd(running, options, () => {
      show();
      return output.size();
    });
    if (reason !== 'exited') await this.#stop(shell, () => outcome !== undefined, notes);
    if (!shell.alive && reason === 'exited')
      notes.push('A new shell replaces the old one, in the folder where this command began. Variables are lost.');
    this.#folder = shell.folder;
    show();
    fs.rmSync(commandFile, { force: true });
    const end = reason === 'exited' && outcome?.kind === 'died' ? 'shell_died' : reason;
    const ended = { command, output, commandFile, notes, durationMs: performance.now() - began };
    const result = await this.#result(end, outcome, ended);
    return isNewShell ? { ...result, isNewShell } : result;
  }

  #notStarted({ judgedFor }: CommandOptions): CommandResult {
    return notRun(judgedFor?.folder ?? this.#folder, ['The command was not started.']);
  }

  /** Changes to the folder for which a command was judged. Returns why the command cannot run if that is impossible. */
  async #goTo(shell: Shell, folder: string | undefined): Promise<string | undefined> {
    if (folder === undefined || folder === shell.folder) return undefined;
    await this.#runLines(shell, this.#dialect.folderLine(folder));
    this.#folder = shell.folder;
    return folder === shell.folder ? undefined : wrongFolderWords(folder, shell.folder);
  }

  /** Runs lines in the shell itself. Returns the exit code, if the shell reported one, and what they printed. */
  async #runLines(
    shell: Shell,
    lines: string,
  ): Promise<{ readonly status: number | undefined; readonly text: string }> {
    const { commandFile, output } = this.#files(lines);
    const end = await shell.run({ command: commandFile, input: '/dev/null', output: output.path });
    const { text } = output.take();
    output.discard();
    return { status: end.kind === 'reported' ? end.status : undefined, text };
  }

  /** Returns the living shell, or a new one in the same folder. */
  async #livingShell(notes: string[]): Promise<Shell> {
    if (this.#shell?.alive) return this.#shell;
    const { container } = this.options;
    if (!container.isAlive)
      throw new Error(
        `The command was not run: the container of ${container.settings.image} has ended. Its time limit is ${container.settings.lifetime} (--container-timeout).`,
      );
    const [, ...options] = container.settings.shell;
    const ofDialect = this.#dialect.arguments.filter((word) => !['--noprofile', '--norc'].includes(word));
    const words = [container.settings.shell[0]!, ...ofDialect.filter((word) => word.startsWith('--'))];
    const short = ofDialect.filter((word) => !word.startsWith('--'));
    const line = container.wordsFor([...words, ...options, ...short], this.#id);
    const place = { cwd: '/', folder: container.commands, columns: 80, rows: 24 };
    const environment = Object.fromEntries(
      Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
    const started = await startPipeShell({ ...line, ...place, environment });
    const manner = {
      dialect: this.#dialect,
      folder: container.folders[0]!,
      confined: false,
      variablesAtEnd: '/dev/null',
    };
    const shell = await Shell.greet(started, manner);
    this.#shell = shell;
    const { status, text } = await this.#runLines(shell, `${this.#dialect.folderLine(this.#folder)}; echo "$$"`);
    this.#shellNumber = text.trim().split('\n').at(-1) ?? '';
    if (status !== undefined && status !== 0)
      notes.push(`The folder ${this.#folder} no longer exists, so the new shell started in ${shell.folder}.`);
    return shell;
  }

  /** Creates the file of a command, and an empty one for its output. */
  #files(command: string): { readonly commandFile: string; readonly output: OutputFile } {
    const { commands, outputs } = this.options.container;
    this.#count += 1;
    const name = `${this.#id}-${this.#count}`;
    const commandFile = path.join(commands, name);
    fs.writeFileSync(commandFile, `${command}\n`, { mode: 0o644 });
    const output = new OutputFile(path.join(outputs, `${name}.txt`));
    fs.closeSync(openOutput(output.path, 'new'));
    return { commandFile, output };
  }

  /** Interrupts the command, then kills it, then the shell with it. */
  async #stop(shell: Shell, isOver: () => boolean, notes: string[]): Promise<void> {
    const { container } = this.options;
    await container.signal('INT', this.#inside);
    if (await isTrueInTime(graceMs, isOver)) return;
    await container.signal('KILL', this.#inside, { isSpared: true });
    if (await isTrueInTime(graceMs, isOver)) return;
    await container.signal('KILL', this.#inside);
    shell.close();
    notes.push(
      'The command could not be interrupted, so its shell was ended too. A new shell in the same folder replaces it; variables and functions are lost.',
    );
  }

  async #result(
    end: CommandEnd,
    outcome: ShellOutcome | undefined,
    told: {
      readonly command: string;
      readonly output: OutputFile;
      readonly commandFile: string;
      readonly notes: string[];
      readonly durationMs: number;
    },
  ): Promise<CommandResult> {
    const { command, output, commandFile, notes, durationMs } = told;
    if (end === 'too_much_output') {
      shortenFile(output.path, keptOutput);
      notes.push('That was more than 256 MB; the file keeps the first 32.');
    }
    const { text, bytes, cut } = output.take();
    const fullOutput = cut ? await this.#keepOutput(output) : undefined;
    if (fullOutput === undefined) output.discard();
    const exitCode = outcome?.kind === 'reported' ? outcome.status : (outcome?.exitCode ?? null);
    if (missedInput(command, text, { failed: exitCode !== 0 })) notes.push(inputWasEmpty);
    return {
      end,
      exitCode: end === 'exited' || end === 'shell_died' ? exitCode : null,
      output: text.replaceAll(commandFile, this.shellName),
      outputBytes: bytes,
      ...(fullOutput !== undefined && { fullOutput }),
      durationMs: Math.round(durationMs * 10) / 10,
      cwd: this.#folder,
      ...(notes.length > 0 && { note: notes.join(' ') }),
      sandbox: 'inside',
      ...(this.options.container.hasNoNetwork && { offline: true }),
    };
  }

  /** Moves a long output to where the model may read it. */
  async #keepOutput(output: OutputFile): Promise<string> {
    const { outputFolder } = this.options;
    fs.mkdirSync(outputFolder, { recursive: true, mode: 0o700 });
    const file = path.join(outputFolder, path.basename(output.path));
    const source = openOutput(output.path, 'read');
    const target = openOutput(file, 'new');
    try {
      const piece = Buffer.alloc(1024 * 1024);
      for (let read; (read = fs.readSync(source, piece, 0, piece.length, null)) > 0;)
        fs.writeSync(target, piece.subarray(0, read));
    } finally {
      fs.closeSync(source);
      fs.closeSync(target);
    }
    output.discard();
    if (!cleanFile(file)) await maskFile(file);
    return namedByContent(file);
  }
}

const noLooking = (): Error =>
  new Error(
    'In plan mode, commands do not run in a container. Read and search with the other tools, or leave plan mode.',
  );

/** Resolves when the signal aborts. */
const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Waits until a command ends or must be stopped. `bytesPrinted`: number of bytes printed so far. */
function waitForEnd(
  running: Promise<unknown>,
  options: CommandOptions,
  bytesPrinted: () => number,
): Promise<CommandEnd> {
  return new Promise((resolve) => {
    const end = (reason: CommandEnd): void => {
      clearInterval(looking);
      clearTimeout(limit);
      options.signal.removeEventListener('abort', interrupted);
      resolve(reason);
    };
    const interrupted = (): void => end('interrupted');
    const looking = setInterval(() => {
      if (bytesPrinted() > maxOutputBytes) end('too_much_output');
    }, pollMs);
    const limit = setTimeout(() => end('timed_out'), Math.min(options.timeoutMs, maxTimerMs));
    options.signal.addEventListener('abort', interrupted, { once: true });
    if (options.signal.aborted) return interrupted();
    void running.then(() => end('exited'));
  });
}

/** Returns whether a condition becomes true in time. */
async function isTrueInTime(limitMs: number, isTrue: () => boolean): Promise<boolean> {
  const end = performance.now() + limitMs;
  while (!isTrue() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  return isTrue();
}
