import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { allProcesses, chainFrom, outsideNumber, processEntry, signal } from '../processes/processTree';
import type { ShellProcess, TerminalDevice } from './shellProcess';
import type { CommandFiles, ShellDialect } from './shells';

/** How the shell finished a command. `background`: the process that the command left running. */
export type ShellOutcome =
  | {
      readonly kind: 'reported';
      readonly status: number;
      readonly folder: string;
      readonly background: number | undefined;
    }
  | { readonly kind: 'died'; readonly exitCode: number | null };

/** How a shell is controlled, and where it runs. */
interface ShellManner {
  readonly dialect: ShellDialect;
  readonly folder: string;
  readonly confined: boolean;
  /** The file into which it writes its exported variables when it exits by itself. */
  readonly variablesAtEnd: string;
}

const startMs = 10_000;

/** A shell, or the sandbox around it, ended before it answered. */
export class EndedAtStart extends Error {
  /** `said`: the last line that it printed; may be empty. */
  constructor(shell: string, output: string) {
    super(`The shell ${shell} ended while it was starting${output === '' ? '.' : `: ${output}`}`);
  }
}

/** A live shell. It is told which file to source and reports completion with a nonce that only it was given. */
export class Shell {
  /** Working folder that it last reported. */
  folder: string;
  #background = 0;
  readonly #replies = new Replies();
  #waiting: { readonly nonce: string; readonly resolve: (outcome: ShellOutcome) => void } | undefined;
  #end: ShellOutcome | undefined;
  /** The process that was started, the intermediate ones and the shell itself, which is last. */
  #chain: readonly number[];

  private constructor(
    private readonly process: ShellProcess,
    readonly dialect: ShellDialect,
    folder: string,
    readonly confined: boolean,
  ) {
    this.folder = folder;
    this.#chain = [process.pid];
    process.onReply((text) => {
      for (const report of this.#replies.push(text)) this.#report(report);
    });
    process.onExit((code) => {
      // A sandbox reports the signal that ended its shell as 128 plus the signal's number.
      this.#end ??= { kind: 'died', exitCode: confined && code !== null && code > 128 ? null : code };
      process.close();
      this.#settle(this.#end);
    });
  }

  /** Rejects and kills the shell if it does not answer. */
  static async greet(
    process: ShellProcess,
    { dialect, folder, confined, variablesAtEnd }: ShellManner,
  ): Promise<Shell> {
    const shell = new Shell(process, dialect, folder, confined);
    const setup = [dialect.setup, dialect.atEnd?.(variablesAtEnd)].filter((line) => line !== undefined);
    const answered = shell.#send(`${setup.join('\n')}\n`);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), startMs);
    });
    const outcome = await Promise.race([answered, late]);
    clearTimeout(timer);
    if (outcome !== 'late' && outcome.kind === 'reported') {
      if (confined) shell.#chain = chainFrom(process.pid);
      return shell;
    }
    signal(process.pid, 'SIGKILL');
    if (outcome === 'late')
      throw new Error(`The shell ${dialect.name} did not answer within ${startMs / 1000} seconds.`);
    throw new EndedAtStart(dialect.name, shell.#replies.lastLine);
  }

  /** Process id of the shell itself. */
  get pid(): number {
    return this.#chain.at(-1)!;
  }
  /** Its own processes, starting with the first one: when that ends, everything in the same sandbox ends. */
  get chain(): readonly number[] {
    return this.#chain;
  }
  /** The terminal's name for programs: a sandbox does not see the numbered devices of the machine. */
  get tty(): string | undefined {
    return this.device && (this.confined ? '/dev/tty' : this.device.path);
  }
  get device(): TerminalDevice | undefined {
    return this.process.device;
  }
  get alive(): boolean {
    return this.#end === undefined;
  }

  run(files: CommandFiles): Promise<ShellOutcome> {
    return this.#send(`${this.dialect.run(files)}\n`);
  }

  /** Requests the report again: an interrupted shell may have dropped the first request. */
  requestAgain(): void {
    if (this.#waiting) this.process.send(`${this.dialect.report(this.#waiting.nonce)}\n`);
  }

  /**
   * Acts like Ctrl-C for the processes that started at or after `since`, as in `ProcessEntry.started`. Without job control,
   * background processes of earlier commands are in the same group, and some programs stop ignoring the interrupt.
   */
  interrupt(since: number): void {
    if (!this.alive) return;
    const group = this.device
      ? (processEntry(this.pid)?.foreground ?? -1)
      : (processEntry(this.pid)?.group ?? this.#chain[0]!);
    if (group > 1) {
      // The group may include the sandbox itself, which must survive.
      for (const each of allProcesses())
        if (each.pid === this.pid || (each.group === group && !this.#chain.includes(each.pid) && each.started >= since))
          signal(each.pid, 'SIGINT');
    } else this.device?.write('\x03');
  }

  /** Restores the terminal's settings and, if the user typed, discards what no program read. */
  async restore(typed: boolean): Promise<void> {
    if (this.tty === undefined || !this.alive) return;
    const tty = `'${this.tty}'`;
    const flush = typed
      ? `\\command stty -icanon -echo min 0 time 0 <${tty} && \\command cat <${tty} >/dev/null; `
      : '';
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([
      this.#send(`{ ${flush}\\command stty sane <${tty}; } 2>/dev/null\n`),
      new Promise((resolve) => {
        timer = setTimeout(resolve, 1000);
      }),
    ]);
    clearTimeout(timer);
  }

  /** Returns the system's id of a process that the shell knows as `pid`; undefined if it has ended. */
  numberOutside(pid: number): number | undefined {
    return this.confined && process.platform === 'linux' ? outsideNumber(pid, this.process.pid) : pid;
  }

  /** Returns the current working folder, even in the middle of a command. */
  currentFolder(): string {
    try {
      return fs.readlinkSync(`/proc/${this.pid}/cwd`);
    } catch {
      return this.folder;
    }
  }

  /** Treats it as ended: the process was killed, but the system has not reported it yet. */
  abandon(): void {
    this.#end ??= { kind: 'died', exitCode: null };
    this.#settle(this.#end);
  }

  /** Releases its system resources, after it was killed. */
  close(): void {
    this.abandon();
    this.process.close();
  }

  #send(lines: string): Promise<ShellOutcome> {
    if (this.#end) return Promise.resolve(this.#end);
    const nonce = randomBytes(12).toString('hex');
    return new Promise((resolve) => {
      this.#waiting = { nonce, resolve };
      this.process.send(`${lines}${this.dialect.report(nonce)}\n`);
    });
  }

  #report(report: Report): void {
    if (report.nonce !== this.#waiting?.nonce) return;
    const background = report.background !== this.#background && report.background > 0 ? report.background : undefined;
    this.#background = report.background;
    this.folder = report.folder || this.folder;
    this.#settle({ kind: 'reported', status: report.status, folder: this.folder, background });
  }

  #settle(outcome: ShellOutcome): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.resolve(outcome);
  }
}

/** The shell's report after a command: exit status, process id of the last background job (0: none) and folder. */
interface Report {
  readonly nonce: string;
  readonly status: number;
  readonly background: number;
  readonly folder: string;
}

/** The beginning of a report; the folder and the text of `endMarker` follow. */
const beginning = /\x1e([0-9a-f]{24})\x1f(\d*)\x1f(\d*)\x1f/g;
const endMarker = (nonce: string): string => `\x1e${nonce}\n`;
const maxKeptOutput = 64 * 1024;

/**
 * Finds reports in what the shell itself prints, however it is split; drops everything else there (prompts, job
 * notices).
 */
export class Replies {
  #kept = '';

  push(text: string): Report[] {
    this.#kept += text;
    const reports: Report[] = [];
    let end = 0;
    for (const { 0: begun, 1: nonce = '', 2: status, 3: background, index } of this.#kept.matchAll(beginning)) {
      if (index < end) continue;
      const folderEnd = this.#kept.indexOf(endMarker(nonce), index + begun.length);
      if (folderEnd < 0) continue;
      // "pwd" ends the folder with a line break.
      const folder = this.#kept.slice(index + begun.length, folderEnd).replace(/\n$/, '');
      reports.push({ nonce, status: Number(status), background: Number(background), folder });
      end = folderEnd + endMarker(nonce).length;
    }
    this.#kept = this.#kept.slice(end).slice(-maxKeptOutput);
    return reports;
  }

  /** The last line that is no report, such as the reason why a sandbox could not start; empty if there is none. */
  get lastLine(): string {
    return this.#kept.trim().split('\n').at(-1)!.trim();
  }
}
