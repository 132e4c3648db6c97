import fs from 'node:fs';
import path from 'node:path';
import type { WorkspaceFolders } from '../../core/shell/syntax/place';
import { loadCommandAnalysis } from '../../core/security/commandAnalysis';
import { isAllowedOutside } from '../../core/shell/syntax/variablesOutside';
import { relativeTo } from '../../core/text/relativeTo';
import type { CommandOptions, CommandResult, Hold, Terminal, TerminalPlace } from '../../core/ports/terminal';
import { shownName } from '../../core/text/shownName';
import { gitForLooking } from '../git/gitForLooking';
import { Turns } from '../processes/turns';
import { PtyTerminal, type TerminalOptions } from './ptyTerminal';
import { findSandbox, notFoundOut, readOnly } from '../sandbox/findSandbox';
import type { Sandbox, SandboxOrNot, SandboxSetting } from '../sandbox/sandbox';
import {
  denialIn,
  guardWords,
  hiddenNetworkWords,
  isFilled,
  portWords,
  refusedPlaces,
  temporaryWords,
} from '../sandbox/denial';
import { plantedWords } from '../sandbox/guardedTrees';
import { tidyUp } from '../sandbox/madePlaces';
import type { LimitSettings } from '../sandbox/limits';
import { holdSandboxes } from '../sandbox/sandboxesAtWork';
import { notRun, wrongFolderWords } from './commandFolder';
import { lookingEnvironment, addedNames } from './lookingEnvironment';
import type { ShellState } from './shellState';

/**
 * Returns what one shell passes to the next. The folder is the one that its last command reported: the next command was
 * judged for that folder, even if a trap changed it since.
 */
async function stateToPassOn(from: PtyTerminal): Promise<ShellState> {
  const { folder } = from;
  const state = await from.state();
  return { folder, exported: state?.exported ?? new Map() };
}

/** The shell of a session, and the sandbox around it. */
export interface AgentTerminalOptions extends Omit<TerminalOptions, 'sandbox'> {
  readonly wanted: SandboxSetting;
  /** Domains that sandboxed commands may reach. */
  readonly allowedDomains?: readonly string[];
  /** Limits of the sandbox that the user set. */
  readonly limits?: LimitSettings;
  /** Absolute paths of the workspace folders, with links resolved. */
  readonly folders: readonly string[];
  /** Absolute paths that sandboxed commands cannot read, in addition to those hidden by default. */
  readonly hidden?: readonly string[];
  /** Replaces `findSandbox`. */
  find?(): Promise<SandboxOrNot>;
}

/**
 * The terminal of a session: a shell inside a sandbox, if available, and one outside for commands that the user allowed
 * to leave it. The working folder follows the commands from one to the other; see `hand` for variables.
 */
export class AgentTerminal implements Terminal {
  /** For commands that may run outside the sandbox; the same shell if there is no sandbox. */
  readonly outside: Terminal;
  /**
   * For plan mode: a fresh shell whose programs load nothing from the workspace and, in the sandbox, cannot write to
   * it.
   */
  readonly readOnly: Terminal;
  private readonly options: AgentTerminalOptions;
  readonly #tell: (text: string) => void;
  readonly #inner: PtyTerminal;
  readonly #outer: PtyTerminal;
  /** For plan mode; started with its first command. */
  #looker: PtyTerminal | undefined;
  #at: PtyTerminal;
  #found: Promise<SandboxOrNot> | undefined;
  readonly #turns = new Turns();
  /** Messages that were shown and are not repeated. */
  readonly #shownNotices = new Set<string>();
  /** What the outside shell had exported when the last command moved to it. */
  #exportedOutside: ShellState['exported'] = new Map();
  /** Holds on the sandbox for commands outside; `over` once only a command that is still running there needs it. */
  #holds: { readonly hold: Hold; over: boolean }[] = [];
  /** What the inside shell could pass on when it was stopped. */
  #stateInside: ShellState | undefined;
  /** Listeners to all shells, including those started later. */
  readonly #listening = new Set<{
    readonly listener: (text: string) => void;
    readonly subscriptions: { dispose(): void }[];
  }>();
  /** Placeholders of the sandbox that the model was told about. */
  readonly #toldOf = new Set<string>();
  /** True if programs of the last inside command kept running after it. */
  #leftBehind = false;
  /** True once a command was requested. */
  #began = false;
  /** True once a command may have set variables in a shell that still exists. */
  #hasRun = false;
  /** True if earlier commands had left processes outside the sandbox when the last one inside began. */
  #hadOthersOutside = false;
  /** Messages for the user to show with the first command, as their cause came before it. */
  #unsaid: string[] = [];
  /** Returns what was created after the shell was started ahead, which its sandbox does not guard. */
  #cameSinceWarm: (() => readonly string[]) | undefined;

  constructor(parts: AgentTerminalOptions) {
    tidyUp();
    const options = { ...parts, onNotice: (text: string) => this.#notice(text) };
    this.options = options;
    this.#tell = (text) => parts.onNotice?.(text);
    this.#inner = new PtyTerminal({
      ...options,
      outputFolder: path.join(options.outputFolder, 'inside'),
      sandbox: async () => this.#sandbox(),
    });
    this.#outer = new PtyTerminal({ ...options, besideSandbox: true });
    this.#at = this.#inner;
    this.outside = {
      run: (command, more) =>
        this.#turns.take(() => this.#run(this.#outer, command, more).finally(() => this.#releaseHolds())),
      answer: (text, more) => this.answer(text, more),
      dispose: () => this.dispose(),
    };
    this.readOnly = {
      shellName: this.#inner.shellName,
      run: (command, more) => this.#turns.take(() => this.#runReadOnly(command, more)),
      answer: (text, more) => this.#turns.take(() => this.#lookingShell().answer(text, more)),
      dispose: () => this.dispose(),
    };
  }

  /** Returns the sandbox in which commands run, if any; determined on first use. */
  find(): Promise<SandboxOrNot> {
    const { wanted, folders, allowedDomains, limits, hidden } = this.options;
    const off: SandboxOrNot = { none: 'it is turned off', next: 'Set waymark.sandbox to auto to turn it on.' };
    if (wanted === 'off') return Promise.resolve(off);
    return (this.#found ??= (
      this.options.find?.() ?? findSandbox(folders, { allowed: allowedDomains, wanted: limits, hidden })
    )
      .catch(notFoundOut)
      .then((found) => {
        // The system may have more resources by the next command.
        if ('exhausted' in found) this.#found = undefined;
        return found;
      }));
  }

  /** A sandbox that can reach some domains can leak data, so it is not confined. */
  async isConfined(): Promise<boolean> {
    const found = await this.find();
    return 'sandbox' in found && found.sandbox.domains.length === 0;
  }
  async hasOwnTemporary(): Promise<boolean> {
    const found = await this.find();
    return 'sandbox' in found && found.sandbox.ownTemporary === true;
  }

  /**
   * Returns whether the last command, and what earlier ones left running, can write only workspace folders and temporary
   * files of the sandbox: nothing can be moved into the workspace then, only copied.
   */
  async wroteOnlyInside(): Promise<boolean> {
    if (this.#at !== this.#inner || this.#hadOthersOutside || !(await this.hasOwnTemporary())) return false;
    return !(await this.#outer.hasProcesses());
  }

  fileSystem(): Promise<string | undefined> {
    return this.#inner.fileSystem();
  }

  async place(types: boolean): Promise<TerminalPlace> {
    const found = await this.find();
    if ('none' in found && this.options.wanted === 'on')
      return { runs: 'nowhere', domains: [], why: `${found.none}, and the setting waymark.sandbox requires a sandbox` };
    if ('none' in found && found.exhausted) return { runs: 'nowhere', domains: [], why: found.none };
    if ('none' in found)
      return {
        runs: 'unconfined',
        domains: [],
        why: this.options.wanted === 'off' ? 'the sandbox is turned off' : 'there is no sandbox',
      };
    const isTypedOutside = types && this.#at === this.#outer;
    if (isTypedOutside)
      return {
        runs: 'unconfined',
        domains: [],
        why: 'the program that receives the input was started outside the sandbox',
      };
    return { runs: 'inside', domains: found.sandbox.domains };
  }

  /**
   * Starts the shell ahead of the first command. Messages about it are shown with that command. A sandbox creates an
   * empty folder `.git` if there is none, so outside a repository its shell starts with the command.
   */
  warm(): Promise<void> {
    return this.#turns.take(async () => {
      if (this.#began) return;
      const found = await this.find();
      if ('sandbox' in found) {
        const isRepository = found.sandbox.folders.every((folder) => fs.existsSync(path.join(folder, '.git')));
        if (!isRepository) return;
        this.#cameSinceWarm = found.sandbox.watchObeyed(false);
      }
      await this.#inner.warm();
    });
  }

  /** Loads what the first command needs and determines where it runs. Starts no shell. */
  async prepare(): Promise<void> {
    await Promise.all([import('node-pty'), this.find()]);
  }
  run(command: string, options: CommandOptions): Promise<CommandResult> {
    return this.#turns.take(() => this.#run(this.#inner, command, options));
  }
  answer(text: string, options: CommandOptions): Promise<CommandResult> {
    return this.#turns.take(async () =>
      this.#withSandboxFacts(this.#at, await this.#at.answer(text, options).finally(() => this.#releaseHolds())),
    );
  }

  /** See `Terminal`. A command outside that waits for input keeps the sandbox held until it ends. */
  hold(): Promise<Hold> {
    return this.#turns.take(async () => {
      await this.#beforeCommand();
      const found = await this.find();
      if (!('sandbox' in found)) return { release: () => undefined };
      // Once it is stopped, the inside shell cannot be queried.
      if (this.#at === this.#inner && this.#holds.length === 0) this.#stateInside = await stateToPassOn(this.#inner);
      const held = { hold: await holdSandboxes(found.sandbox.folders), over: false };
      this.#holds.push(held);
      return {
        release: () => {
          held.over = true;
          this.#releaseHolds();
        },
      };
    });
  }

  /** Releases the holds that are over, once no command runs outside. */
  #releaseHolds(): void {
    if (this.#outer.busy) {
      if (this.#holds.length > 0) void this.#outer.commandGone.then(() => this.#releaseHolds());
      return;
    }
    for (const { hold } of this.#holds.filter(({ over }) => over)) hold.release();
    this.#holds = this.#holds.filter(({ over }) => !over);
  }

  /** Releases also the holds that are still needed. Nothing can run outside before the next hold. */
  #releaseAllHolds(): void {
    for (const { hold } of this.#holds) hold.release();
    this.#holds = [];
  }

  /** See `PtyTerminal`. */
  onData(listener: (text: string) => void): { dispose(): void } {
    const subscriptions = this.#shells.map((shell) => shell.onData(listener));
    const listening = { listener, subscriptions };
    this.#listening.add(listening);
    return {
      dispose: () => {
        this.#listening.delete(listening);
        for (const each of subscriptions) each.dispose();
      },
    };
  }
  write(text: string): void {
    this.#at.write(text);
  }
  resize(columns: number, rows: number): void {
    for (const each of this.#shells) each.resize(columns, rows);
  }
  /** Number of living processes of its commands, in all shells. */
  async processes(): Promise<number> {
    return (await Promise.all(this.#shells.map((each) => each.processes()))).reduce((sum, count) => sum + count, 0);
  }
  /** Returns whether any such process is alive. */
  async hasProcesses(): Promise<boolean> {
    return (await Promise.all(this.#shells.map((each) => each.hasProcesses()))).includes(true);
  }
  /** Kills all processes of its commands, and the shells. */
  async endProcesses(): Promise<void> {
    this.#hasRun = false;
    await Promise.all(this.#shells.map((each) => each.endProcesses()));
    this.#releaseAllHolds();
  }
  async dispose(): Promise<void> {
    await Promise.all(this.#shells.map((each) => each.dispose())).finally(() => this.#releaseAllHolds());
  }

  get #shells(): PtyTerminal[] {
    return [this.#inner, this.#outer, ...(this.#looker ? [this.#looker] : [])];
  }

  #lookingShell(): PtyTerminal {
    if (this.#looker) return this.#looker;
    const { options } = this;
    const unfiltered = options.environment ?? process.env;
    const looker = new PtyTerminal({
      ...options,
      environment: lookingEnvironment(unfiltered, options.folders),
      unfiltered,
      passEnvironment: addedNames,
      outputFolder: path.join(options.outputFolder, 'looking'),
      sandbox: async () => readOnly(await this.#sandbox()),
    });
    for (const { listener, subscriptions } of this.#listening) subscriptions.push(looker.onData(listener));
    return (this.#looker = looker);
  }

  /**
   * Passes on only the folder: variables and functions of earlier commands could make other programs run under the same
   * names.
   */
  async #runReadOnly(command: string, options: CommandOptions): Promise<CommandResult> {
    await this.#beforeCommand();
    const shell = this.#lookingShell();
    const folder = options.judgedFor?.folder ?? this.#at.folder;
    this.#releaseAllHolds();
    this.#at = shell;
    const { cwd } = this.options;
    const place = {
      ...this.#placeOf(folder),
      ...(shell.shellName !== undefined && { shell: shell.shellName }),
    };
    // The command analyzer is loaded in parallel with the model's first request, not before it.
    await loadCommandAnalysis();
    const { gitFolders } = await import('../../core/shell/onlyReads');
    const settings = await gitForLooking(
      gitFolders(command, place).map((each) => path.resolve(cwd, each)),
      cwd,
    );
    const arrived = await shell.adopt({ folder, exported: settings });
    // Not an error: the next command is judged for the folder of this result.
    if (!arrived) return notRun(shell.folder, [wrongFolderWords(folder, shell.folder)]);
    const result = await shell.run(command, options);
    return 'sandbox' in (await this.find()) ? { ...result, sandbox: 'inside' } : result;
  }

  #tellOnce(words: string): void {
    if (!this.#shownNotices.has(words)) this.options.onNotice?.(words);
    this.#shownNotices.add(words);
  }

  async #sandbox(): Promise<Sandbox | undefined> {
    const found = await this.find();
    if ('sandbox' in found) {
      for (const words of [found.unreachable, found.weaker]) if (words !== undefined) this.#tellOnce(words);
      return found.sandbox;
    }
    if (this.options.wanted === 'on')
      throw new Error(
        `The command was not run: ${found.none}, and the setting waymark.sandbox requires a sandbox. ${found.next}`,
      );
    if (found.exhausted)
      throw new Error(
        `The command was not run: ${found.none}. ${found.next} To run commands without a sandbox, set waymark.sandbox (--sandbox) to off.`,
      );
    const mayBeMissed = this.options.wanted === 'auto' && ['linux', 'darwin'].includes(process.platform);
    if (mayBeMissed)
      this.#tellOnce(`Commands run without a sandbox, with all rights of this account: ${found.none}. ${found.next}`);
    return undefined;
  }

  /** A shell that was started ahead is replaced if a shell started now would be guarded differently. */
  async #beforeCommand(): Promise<void> {
    this.#began = true;
    for (const words of this.#unsaid.splice(0)) this.#notice(words);
    const appeared = this.#cameSinceWarm?.() ?? [];
    this.#cameSinceWarm = undefined;
    if (appeared.length > 0) await this.#inner.endProcesses();
  }

  #notice(text: string): void {
    if (this.#began) this.#tell(text);
    else this.#unsaid.push(text);
  }

  async #run(wanted: PtyTerminal, command: string, options: CommandOptions): Promise<CommandResult> {
    const isNewShell = !this.#hasRun && options.judgedFor?.isUsed === true;
    this.#hasRun = true;
    await this.#beforeCommand();
    const confined = 'sandbox' in (await this.find());
    const terminal = confined ? wanted : this.#inner;
    const found = await this.find();
    const replaced = 'sandbox' in found && terminal === this.#inner ? await this.#guardAgain(found.sandbox) : undefined;
    const note = terminal === this.#at ? undefined : await this.#hand(this.#at, terminal);
    const cameSince =
      'sandbox' in found && terminal === this.#inner ? found.sandbox.watchObeyed(this.#leftBehind) : () => [];
    const { folder } = terminal;
    this.#hadOthersOutside = terminal === this.#inner && (await this.#outer.hasProcesses());
    const result = await this.#withSandboxFacts(terminal, await terminal.run(command, options), { command, folder });
    const planted = plantedWords(cameSince(this.#inner.dotenv.stamps), this.#leftBehind);
    // Stamps exist only if it was alone when the command ended.
    this.#leftBehind = this.#inner.dotenv.stamps === undefined && !this.#inner.alone;
    const notes = [replaced, note, result.note, planted].filter(Boolean);
    return { ...result, ...(isNewShell && { isNewShell }), ...(notes.length > 0 && { note: notes.join(' ') }) };
  }

  /** `begun`: the command, and the folder in which it began; absent for a command that was already running. */
  async #withSandboxFacts(
    terminal: PtyTerminal,
    result: CommandResult,
    begun?: { readonly command: string; readonly folder: string },
  ): Promise<CommandResult> {
    const found = await this.find();
    if (!('sandbox' in found)) return result;
    if (terminal === this.#outer) return { ...result, sandbox: 'outside' };
    const { guards } = found.sandbox;
    const refused = refusedPlaces(result, guards);
    const denied = denialIn(result) ?? (refused.length > 0 ? 'files' : undefined);
    const created = begun ? await this.#repositoriesOf(begun) : [];
    const words = guardWords(result, { guards, refused, created, knownPaths: this.#toldOf });
    const { ownTemporary, ownPorts, folders, domains } = found.sandbox;
    const isOffline = domains.length === 0;
    const elsewhere = ownTemporary ? temporaryWords(result, folders) : '';
    const unreached = hiddenNetworkWords(result);
    const ports = ownPorts && result.leftRunning ? portWords : '';
    const note = [result.note, ports, words, elsewhere, unreached].filter(Boolean).join(' ');
    return {
      ...result,
      sandbox: 'inside',
      ...(denied && { denied }),
      ...(isOffline && { offline: true as const }),
      ...(note !== '' && { note }),
    };
  }

  /** Returns the folders in which a command creates repositories. */
  async #repositoriesOf({ command, folder }: { readonly command: string; readonly folder: string }): Promise<string[]> {
    // Most commands need not be parsed.
    if (!command.includes('init')) return [];
    await loadCommandAnalysis();
    const { newRepositories } = await import('../../core/shell/onlyReads');
    const found = newRepositories(command, this.#placeOf(folder));
    return found.map((each) => path.resolve(this.options.cwd, each));
  }

  /** Returns the place of a command in a folder, for those that judge it. */
  #placeOf(folder: string): WorkspaceFolders & { readonly folder: string } {
    const { cwd, folders } = this.options;
    return { workspace: cwd, otherFolders: folders.slice(1), folder: relativeTo(cwd, folder) };
  }

  /**
   * Replaces the inside shell if a repository was created outside in the meantime, which its sandbox keeps read-only as a
   * whole, unless processes in it would end. Returns a message about the new shell.
   */
  async #guardAgain({ guards }: Sandbox): Promise<string | undefined> {
    const isOutdated = guards.placeholders.some((place) => path.basename(place) === '.git' && isFilled(place));
    if (!isOutdated || this.#inner.busy || !this.#inner.alone) return undefined;
    const state = await stateToPassOn(this.#inner);
    await this.#inner.endProcesses();
    await this.#inner.adopt(state);
    return 'A new shell replaces the old one, so that commands can write the new repository. Exported variables are kept; other variables, functions and files in /tmp are lost.';
  }

  /** Passes on only the folder: nothing else was set there. */
  async #leaveLooking(from: PtyTerminal, to: PtyTerminal): Promise<undefined> {
    const leaving = to === this.#outer;
    if (!leaving) this.#releaseAllHolds();
    const arrived = await to.adopt({ folder: from.folder, exported: new Map() });
    if (leaving && !arrived)
      throw new Error(
        `The command was not run: it would leave the sandbox, and ${shownName(from.folder)} does not exist outside.`,
      );
    if (leaving) this.#exportedOutside = (await to.state())?.exported ?? new Map();
    this.#at = to;
    return undefined;
  }

  /**
   * Passes state to the other shell. Out of the sandbox only the few variables of `isAllowedOutside`, since code inside may
   * have set them; into it everything that a command outside exported. Returns a message about what was not passed on.
   */
  async #hand(from: PtyTerminal, to: PtyTerminal): Promise<string | undefined> {
    if (from === this.#looker) return this.#leaveLooking(from, to);
    const leaving = to === this.#outer;
    const passedOn = (leaving && this.#holds.length > 0 && this.#stateInside) || (await stateToPassOn(from));
    if (!leaving) this.#releaseAllHolds();
    const before = await to.state();
    if (!before) {
      this.#at = to;
      return undefined;
    }
    const known = leaving ? before.exported : this.#exportedOutside;
    const changed = [...passedOn.exported].filter(([name, value]) => known.get(name) !== value);
    const mayGo = ([name, value]: readonly [string, string]): boolean => !leaving || isAllowedOutside(name, value);
    const state: ShellState = { folder: passedOn.folder, exported: new Map(changed.filter(mayGo)) };
    const arrived = await to.adopt(state);
    // Approval of a command in one folder does not cover the same command in another.
    if (leaving && !arrived)
      throw new Error(
        `The command was not run: it would leave the sandbox, and ${shownName(passedOn.folder)} does not exist outside. Change to a folder of the workspace first.`,
      );
    this.#at = to;
    const stayed = changed.filter((each) => !mayGo(each)).map(([name]) => name);
    if (leaving) this.#exportedOutside = new Map([...before.exported, ...state.exported]);
    const isFirstTime = leaving && !this.#shownNotices.has('second shell');
    if (isFirstTime) this.#shownNotices.add('second shell');
    return (
      [
        isFirstTime &&
          'It ran outside the sandbox, in a second shell: functions, aliases, background jobs, /tmp and variables that are not exported are not shared with the first.',
        stayed.length > 0 && `Not passed to it: ${stayed.join(', ')}.`,
        !arrived &&
          `${shownName(passedOn.folder)} does not exist on the other side of the sandbox, so this shell is in ${shownName(to.folder)}.`,
      ]
        .filter(Boolean)
        .join(' ') || undefined
    );
  }
}
