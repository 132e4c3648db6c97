import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { CommandEnd } from '../../protocol/events/details';
import type { CommandOptions, CommandResult } from '../../core/ports/terminal';
import { LiveText } from './output/cleanText';
import type { Mirror } from './output/mirror';
import { missedInput, missedTerminal, programNeedingTerminal } from './needsTerminal';
import { cleanFile, shortenFile, openOutput, type CapturedOutput, type OutputFile } from './output/outputFile';
import { isFull } from './output/outputRoom';
import {
  killFamily,
  moment,
  printedTo,
  processEntry,
  runsSameProgram,
  type ProcessFamily,
} from '../processes/processTree';
import type { ShellOutcome, Shell } from './shell';
import type { TerminalRecording } from './output/terminalRecording';
import { QuietWatch } from './quietWatch';
import { syncFolder } from '../storage/durableFile';
import { maxTimerMs } from '../../core/ports/maxTimerMs';

const firstPollMs = 30;
const pollMs = 50;
/** How long an interrupted command may take to exit by itself before its tree is killed, in ms. */
const graceMs: Partial<Record<CommandEnd, number>> = { interrupted: 50, too_much_output: 50, timed_out: 750 };
/** Time in ms for a command in the background to begin. A subshell never does. */
const beginMs = 40;
/** Time in ms for an interrupted program to show its prompt and wait for input. */
const promptMs = 2000;
const megabyte = 1024 * 1024;
const maxOutputBytes = 256 * megabyte;
const keptOutput = 32 * megabyte;
/** Message about a shell that ended with its command. */
const shellReplaced = (variablesKept: boolean): string =>
  variablesKept
    ? 'A new shell replaces the old one, in the folder where this command began. Exported variables are kept; other variables and functions are lost.'
    : 'A new shell replaces the old one, in the folder where this command began. Variables and functions are lost.';

export const inputWasEmpty =
  'The command seems to have asked for input, and its input was empty. Answer in advance: with a flag such as --yes or --no-input, or by piping the answers into it.';
const answerOnTerminal = (ttyArgument: string): string => `To answer step by step, run it with ${ttyArgument}.`;

interface CommandStage {
  readonly shell: Shell;
  readonly command: string;
  /** Name of the command file in the shell's own messages. */
  readonly commandFile: string;
  /** Where the command prints: a file, or the terminal. */
  readonly printed: OutputFile | TerminalRecording;
  /** What is drawn on the terminal; same as `printed` for a command that runs on it. */
  readonly onTerminal: TerminalRecording;
  readonly mirror: Mirror;
  readonly family: ProcessFamily;
  readonly notes: readonly string[];
  readonly begin: () => Promise<ShellOutcome>;
  /**
   * Waits until the processes that the command left running have stopped multiplying. Resolves to true if all of them
   * had to be killed, including the shell.
   */
  readonly settled?: () => Promise<boolean> | undefined;
  /**
   * Returns how long the sandbox was frozen, in ms, which does not count towards the command's time limit. Zero if
   * nothing freezes it.
   */
  readonly heldMs?: () => number;
  /** Returns whether a shell that ended left its exported variables for the next one. */
  readonly variablesKept: () => boolean;
  /** Called with an output that is kept as printed: `written` is true while somebody still prints into it. */
  readonly onKept: (file: string, options: { readonly written: boolean }) => void;
}

/** One command from start to end, which may span several answers. */
export class RunningCommand {
  readonly #started = performance.now();
  readonly #since = moment();
  readonly #ended: Promise<ShellOutcome>;
  readonly #live = new LiveText();
  readonly #asideLive = new LiveText();
  readonly #quiet: QuietWatch;
  #outcome: ShellOutcome | undefined;
  #notes: string[];
  #typed = false;
  #diskWasFull = false;
  over = false;

  constructor(private readonly stage: CommandStage) {
    this.#notes = [...stage.notes];
    this.#quiet = new QuietWatch(
      stage.shell,
      stage.onTerminal,
      this.onTerminal,
      programNeedingTerminal(stage.command) !== undefined,
    );
    this.#ended = stage.begin().then((outcome) => (this.#outcome = outcome));
  }

  get shell(): Shell {
    return this.stage.shell;
  }

  private get onTerminal(): boolean {
    return this.stage.printed === this.stage.onTerminal;
  }

  get ended(): boolean {
    return this.#outcome !== undefined;
  }

  /** Settles when the command's shell has reported its end, or has exited. */
  get shellEnded(): Promise<unknown> {
    return this.#ended;
  }

  type(text: string): void {
    if (this.#outcome) {
      this.#notes.push('The command ended before this could be typed.');
      return;
    }
    this.#typed = true;
    this.#quiet.typed(text);
    this.stage.shell.device?.write(text);
  }

  /**
   * Watches until the command ends, waits for input, times out or is stopped. `durationMs` is measured from `since`.
   */
  async watch(options: CommandOptions, since = this.#started): Promise<CommandResult> {
    const first = await this.#next(options);
    const reason = first === 'timed_out' ? await this.#afterTimeout(options) : first;
    if (reason !== 'exited' && reason !== 'waiting_for_input') await this.stop(reason);
    if (reason === 'exited') await this.#leftRunning();
    const end = reason === 'exited' && this.#outcome?.kind === 'died' ? 'shell_died' : reason;
    return this.#result(end, options, since);
  }

  /** Adds a message for the user to the result. */
  note(text: string): void {
    this.#notes.push(text);
  }

  /**
   * Interrupts a program that worked for too long after something was typed into it, such as an interpreter. If it then
   * waits for input again, nothing has to be ended.
   */
  async #afterTimeout(options: CommandOptions): Promise<CommandEnd> {
    if (!this.#typed || !this.onTerminal) return 'timed_out';
    this.stage.shell.interrupt(this.#since);
    this.#quiet.restart();
    for (const until = performance.now() + promptMs; performance.now() < until && !this.#outcome;) {
      await Promise.race([this.#ended, new Promise((resolve) => setTimeout(resolve, pollMs))]);
      if (options.signal.aborted) return 'interrupted';
      const size = this.stage.printed.size();
      this.#show(options, size);
      if (this.#outcome || !this.#quiet.isWaiting(size)) continue;
      this.#notes.push('It took too long and was interrupted; it waits for input again.');
      return 'waiting_for_input';
    }
    return 'timed_out';
  }

  /** Waits for the command in the background to begin, up to a limit: before that, it prints where its shell prints. */
  async #untilBegun(): Promise<void> {
    for (const until = performance.now() + beginMs; performance.now() < until;) {
      const background = this.#inBackground();
      if (background === undefined || !runsSameProgram(background.outside, this.stage.family.shell)) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** A command that only starts others did not succeed if those had to be killed at once, and the shell with them. */
  async #leftRunning(): Promise<void> {
    if (this.#outcome?.kind !== 'reported' || this.#outcome.background === undefined) return;
    await this.#untilBegun();
    if ((await this.stage.settled?.()) !== true) return;
    this.stage.shell.abandon();
    this.#outcome = { kind: 'died', exitCode: null };
  }

  /**
   * Interrupts, waits for the grace period of `end`, then kills: the shell first, so that nothing more of the command
   * runs.
   */
  async stop(end: CommandEnd): Promise<void> {
    const { shell, family } = this.stage;
    const until = performance.now() + (graceMs[end] ?? 0);
    while (!this.#outcome && performance.now() < until) {
      shell.interrupt(this.#since);
      shell.requestAgain();
      await Promise.race([this.#ended, new Promise((resolve) => setTimeout(resolve, 30))]);
    }
    const begun = { ...family, since: this.#since };
    const background = this.#inBackground();
    const lost = !this.#outcome;
    if (lost) shell.folder = shell.currentFolder();
    await killFamily(begun, { shell: lost, politeMs: end === 'timed_out' ? 150 : 0 });
    if (background !== undefined && this.#inBackground() === undefined)
      this.#notes.push(`Process ${background.number}, which it had started in the background, was ended as well.`);
    if (lost) {
      shell.abandon();
      this.#notes.push(
        'The command could not be interrupted, so its shell was ended too. A new shell in the same folder replaces it; variables and functions are lost.' +
          (shell.confined
            ? ' Background processes in the sandbox ended too, and files in temporary folders of its own are lost.'
            : ''),
      );
    }
  }

  #next(options: CommandOptions): Promise<CommandEnd> {
    return new Promise((resolve) => {
      const stop = (end: CommandEnd): void => {
        clearTimeout(ticker);
        clearTimeout(limit);
        options.signal.removeEventListener('abort', aborted);
        resolve(end);
      };
      const aborted = (): void => stop('interrupted');
      const tick = (): void => {
        const size = this.stage.printed.size();
        this.#show(options, size);
        if (size > maxOutputBytes) return stop('too_much_output');
        if (this.#quiet.isWaiting(size)) return stop('waiting_for_input');
        ticker = setTimeout(tick, pollMs);
      };
      let ticker = setTimeout(tick, firstPollMs);
      const heldMs = this.stage.heldMs ?? (() => 0);
      let heldBefore = heldMs();
      const timeIsUp = (): void => {
        const heldMeanwhile = heldMs() - heldBefore;
        heldBefore += heldMeanwhile;
        if (heldMeanwhile > 0) limit = setTimeout(timeIsUp, heldMeanwhile);
        else stop('timed_out');
      };
      let limit = setTimeout(timeIsUp, Math.min(options.timeoutMs, maxTimerMs));
      options.signal.addEventListener('abort', aborted, { once: true });
      if (options.signal.aborted) return aborted();
      void this.#ended.then(() => stop('exited'));
    });
  }

  /** Passes new output to the listeners. */
  #show({ onOutput }: CommandOptions, size: number): void {
    const { printed, onTerminal, mirror } = this.stage;
    this.#diskWasFull ||= isFull(printed.path);
    if (onOutput || mirror.watched || this.#quiet.listens) {
      const text = this.#live.push(printed.takeNew(size));
      if (!this.onTerminal) mirror.text(text);
      this.#quiet.received(text);
      if (text !== '') onOutput?.(text);
    }
    if (!this.onTerminal && onTerminal.size() > 0) {
      const text = this.#asideLive.push(onTerminal.takeNew());
      this.#quiet.received(text);
      if (text !== '') onOutput?.(text);
    }
  }

  async #result(end: CommandEnd, options: CommandOptions, since: number): Promise<CommandResult> {
    const { shell, printed, onTerminal, commandFile } = this.stage;
    this.over = end !== 'waiting_for_input';
    if (onTerminal.size() > 0 || this.onTerminal) await shell.device?.drained();
    this.#show(options, printed.size());
    const output = await printed.take();
    const aside = this.onTerminal || onTerminal.size() === 0 ? undefined : await onTerminal.take();
    const outcome = this.#outcome;
    const kept = this.#keep(end, output);
    if (this.over && shell.alive && (this.onTerminal || this.#typed || end !== 'exited'))
      await shell.restore(this.#typed);
    if (this.over) onTerminal.close();
    if (outcome?.kind === 'died' && end === 'shell_died') this.#notes.push(shellReplaced(this.stage.variablesKept()));
    if (this.#diskWasFull) this.#notes.push('The disk is full: parts of the output may be missing.');
    this.#diskWasFull = false;
    if (end === 'too_much_output')
      this.#notes.push(
        `That was more than ${maxOutputBytes / megabyte} MB; the file keeps the first ${keptOutput / megabyte}.`,
      );
    const text = [
      output.text.replaceAll(commandFile, shell.dialect.name).replaceAll('bash: bash: ', 'bash: '),
      aside?.text ?? '',
    ]
      .filter((part) => part !== '')
      .join('\n');
    const advice = this.onTerminal ? undefined : this.#adviceFor(text, end, outcome, options);
    if (advice !== undefined) this.#notes.push(advice);
    const notes = this.#notes.splice(0);
    return {
      end,
      exitCode: exitCodeOf(end, outcome),
      output: text,
      outputBytes: output.bytes + (aside?.bytes ?? 0),
      ...(kept !== undefined && { fullOutput: kept }),
      durationMs: Math.round((performance.now() - since) * 10) / 10,
      cwd: end === 'waiting_for_input' ? shell.currentFolder() : shell.folder,
      ...(this.over && this.#inBackground() !== undefined && { leftRunning: true as const }),
      ...(notes.length > 0 ? { note: notes.join(' ') } : {}),
    };
  }

  /** Returns what to tell the model about a command that wanted a terminal or input, which it did not have. */
  #adviceFor(
    text: string,
    end: CommandEnd,
    outcome: ShellOutcome | undefined,
    { ttyArgument }: CommandOptions,
  ): string | undefined {
    const { shell, command } = this.stage;
    const failed = end === 'exited' && outcome?.kind === 'reported' && outcome.status !== 0;
    if (failed && shell.device && missedTerminal(text))
      return ttyArgument === undefined
        ? 'The program asked for a terminal, and there is none here.'
        : `The program asked for a terminal: run it again with ${ttyArgument}.`;
    if (!this.over || !missedInput(command, text, { failed: exitCodeOf(end, outcome) !== 0 })) return undefined;
    return inputWasEmpty + (shell.device && ttyArgument !== undefined ? ` ${answerOnTerminal(ttyArgument)}` : '');
  }

  /**
   * Returns the resulting path of the output. A file too long to be cleaned at once keeps its name until it is masked.
   */
  #clean(file: string): string {
    if (cleanFile(file)) return namedByContent(file);
    this.stage.onKept(file, { written: false });
    return file;
  }

  /**
   * Returns the last background process of the shell, if it is running: its number as the command sees it, and as this
   * process does.
   */
  #inBackground(): { readonly number: number; readonly outside: number } | undefined {
    const number = this.#outcome?.kind === 'reported' ? this.#outcome.background : undefined;
    const outside = number === undefined ? undefined : this.stage.shell.numberOutside(number);
    if (number === undefined || outside === undefined) return undefined;
    const state = processEntry(outside)?.state;
    return state === undefined || state === 'Z' ? undefined : { number, outside };
  }

  /**
   * Returns the file with the output if it must be kept: because the result shows only its ends, or because somebody
   * still prints into it.
   */
  #keep(end: CommandEnd, output: CapturedOutput): string | undefined {
    const { printed } = this.stage;
    if (end === 'too_much_output') shortenFile(printed.path, keptOutput);
    if (this.onTerminal || !this.over || !('discard' in printed)) {
      if (this.over && output.cut) return this.#clean(printed.path);
      if (output.cut) this.stage.onKept(printed.path, { written: true });
      return output.cut ? printed.path : undefined;
    }
    const background = this.#inBackground();
    if (background !== undefined) {
      const here = printedTo(printed.path, background.outside);
      const further = here ? `; its further ${here} ${here === 'output' ? 'goes' : 'go'} to ${printed.path}` : '';
      this.#notes.push(`Process ${background.number} keeps running in the background${further}.`);
      // Another process may still print there.
      this.stage.onKept(printed.path, { written: true });
      return here || output.cut ? printed.path : undefined;
    }
    if (output.cut) return this.#clean(printed.path);
    printed.discard();
    return undefined;
  }
}

const pieceBytes = 1024 * 1024;

/**
 * Renames a kept output to the SHA-256 of its content and makes it durable, so that an event never names a file that a
 * crash could delete, and readers can verify its content. Returns the old name if that fails.
 */
export function namedByContent(file: string): string {
  try {
    const descriptor = openOutput(file, 'read');
    const hash = createHash('sha256');
    try {
      const buffer = Buffer.allocUnsafe(pieceBytes);
      for (let read; (read = fs.readSync(descriptor, buffer, 0, pieceBytes, null)) > 0;)
        hash.update(buffer.subarray(0, read));
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
    const named = path.join(path.dirname(file), `${hash.digest('hex')}.txt`);
    fs.renameSync(file, named);
    syncFolder(path.dirname(file));
    return named;
  } catch {
    return file;
  }
}

/**
 * Returns the exit code of the command, or of the shell that exited with it; null if it was stopped or is still
 * running.
 */
function exitCodeOf(end: CommandEnd, outcome: ShellOutcome | undefined): number | null {
  if (end === 'exited' && outcome?.kind === 'reported') return outcome.status;
  if (end === 'shell_died' && outcome?.kind === 'died') return outcome.exitCode;
  return null;
}
