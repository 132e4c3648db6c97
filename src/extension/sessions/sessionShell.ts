import * as vscode from 'vscode';
import type { AgentTerminal } from '../../adapters/terminal/agentTerminal';
import { shellNameFor } from '../../adapters/terminal/shells';
import type { Warn } from '../../core/log/eventFacts';
import type { Terminal } from '../../core/ports/terminal';
import { lazy } from '../common/lazy';
import type { Settings } from '../common/settings';

/** What a session gives its shell. `outputFolder` is absolute. */
export interface SessionShellOptions {
  /** Folders of the session. The shell starts in the first one. */
  readonly folders: readonly string[];
  readonly outputFolder: string;
  readonly settings: Settings;
  readonly warn: Warn;
}

/** The shell of a session. It starts with the first command, and only in a trusted workspace. */
export class SessionShell {
  readonly terminal: Terminal;
  private readonly root: string;
  private isStarted = false;
  private readonly start = lazy(() => this.startTerminal());

  constructor(private readonly options: SessionShellOptions) {
    this.root = options.folders[0]!;
    this.terminal = {
      // Available before the shell starts, because commands are assessed first.
      shellName: shellNameFor(options.settings.shell, process.env, this.root),
      isConfined: async () => vscode.workspace.isTrusted && (await this.start()).isConfined(),
      hasOwnTemporary: async () => vscode.workspace.isTrusted && (await this.start()).hasOwnTemporary(),
      fileSystem: async () => (vscode.workspace.isTrusted ? (await this.start()).fileSystem() : undefined),
      place: async (types) =>
        vscode.workspace.isTrusted
          ? (await this.start()).place(types)
          : { runs: 'nowhere', domains: [], why: 'this folder is not trusted' },
      hold: async () => (await this.startIfTrusted()).hold(),
      ...this.running((shell) => shell),
      outside: this.running((shell) => shell.outside),
      readOnly: this.running((shell) => shell.readOnly),
    };
  }

  /** Returns the shell, for the terminal that shows it. Starts it if necessary. */
  startedShell(): Promise<AgentTerminal> {
    return this.start();
  }

  /** Starts the shell ahead of the first command. Does nothing in an untrusted workspace. */
  async prepare(): Promise<void> {
    if (!vscode.workspace.isTrusted) return;
    const { prepareCommands } = await import('../../adapters/terminal/prepareCommands');
    await prepareCommands({ prepare: async () => (await this.start()).prepare() });
  }

  async hasProcesses(): Promise<boolean> {
    return this.isStarted && (await this.start()).hasProcesses();
  }

  async wroteOnlyInside(): Promise<boolean> {
    return this.isStarted && (await this.start()).wroteOnlyInside();
  }

  /** Returns the number of live processes of its commands. */
  async processes(): Promise<number> {
    return this.isStarted ? (await this.start()).processes() : 0;
  }

  /** Kills all processes and the shell. */
  async endProcesses(): Promise<void> {
    if (this.isStarted) await (await this.start()).endProcesses();
  }

  private async startTerminal(): Promise<AgentTerminal> {
    this.isStarted = true;
    const { AgentTerminal } = await import('../../adapters/terminal/agentTerminal');
    const { folders, outputFolder, settings, warn } = this.options;
    return new AgentTerminal({
      cwd: this.root,
      folders,
      wanted: settings.sandbox,
      allowedDomains: settings.allowedDomains,
      limits: settings.sandboxLimits,
      outputFolder,
      passEnvironment: settings.environment,
      onNotice: (text) => warn(text, 'sandbox_limited'),
      ...(settings.shell && { shell: settings.shell }),
    });
  }

  /** Runs commands in one of the terminals of the shell. */
  private running(which: (shell: AgentTerminal) => Terminal): Terminal {
    return {
      run: async (command, options) => which(await this.startIfTrusted()).run(command, options),
      answer: async (text, options) => which(await this.startIfTrusted()).answer(text, options),
      dispose: async () => {
        if (this.isStarted) await (await this.start()).dispose();
      },
    };
  }

  private startIfTrusted(): Promise<AgentTerminal> {
    if (!vscode.workspace.isTrusted)
      return Promise.reject(
        new Error(
          'This folder is not trusted, so nothing runs in it. Trust it in VS Code ("Manage Workspace Trust") and try again.',
        ),
      );
    return this.start();
  }
}
