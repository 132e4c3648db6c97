import * as vscode from 'vscode';
import { cleanText } from '../../adapters/terminal/output/cleanText';
import { withoutMiddle } from '../../core/text/withoutMiddle';

const maxCommands = 3;
const maxCharacters = 20_000;

interface Ran {
  readonly command: string;
  readonly terminal: vscode.Terminal;
  output: string;
  exitCode?: number | undefined;
  ended: boolean;
}

/**
 * The last commands of the window's terminals, as reported by shell integration. Kept in memory only, and long output
 * is truncated at the front.
 */
export class TerminalOutputs implements vscode.Disposable {
  private ran: Ran[] = [];
  private readonly outputs = new WeakMap<vscode.TerminalShellExecution, Ran>();
  private readonly registrations = [
    vscode.window.onDidStartTerminalShellExecution(({ execution, terminal }) => void this.follow(execution, terminal)),
    vscode.window.onDidEndTerminalShellExecution(({ execution, exitCode }) => {
      const ran = this.outputs.get(execution);
      if (ran) Object.assign(ran, { exitCode, ended: true });
    }),
  ];

  /** Returns commands and their output, newest last; empty if none are known. */
  async latest(): Promise<string> {
    const last = this.ran.at(-1);
    // VS Code reports no output for commands that end at once, but the terminal still shows it.
    if (last?.ended && last.output === '' && last.terminal === vscode.window.activeTerminal)
      last.output = (await copiedOutput(last.command)) ?? '';
    return this.ran
      .map(({ command, output, exitCode, ended }) => {
        const printed = withoutMiddle(cleanText(output).trim(), maxCharacters);
        const end = ended
          ? [
              ...(printed === '' ? ['[Its output, if any, is unknown.]'] : []),
              ...(exitCode === undefined ? [] : [`[exit ${exitCode}]`]),
            ]
          : ['[still running]'];
        return [`$ ${command}`, printed, ...end].filter(Boolean).join('\n');
      })
      .join('\n\n');
  }

  dispose(): void {
    for (const registration of this.registrations) registration.dispose();
  }

  private async follow(execution: vscode.TerminalShellExecution, terminal: vscode.Terminal): Promise<void> {
    const ran: Ran = { command: execution.commandLine.value, terminal, output: '', ended: false };
    this.outputs.set(execution, ran);
    this.ran = [...this.ran, ran].slice(-maxCommands);
    try {
      for await (const part of execution.read()) ran.output = (ran.output + part).slice(-4 * maxCharacters);
    } catch {
      /* the terminal was closed */
    }
  }
}

const timeoutMs = 2_000;

/**
 * Returns the output of the last command of the active terminal, using VS Code's copy command because there is no other
 * API. Restores the clipboard. Returns undefined if that is not possible: the clipboard cannot be read, or contains no
 * text and perhaps an image.
 */
async function copiedOutput(command: string): Promise<string | undefined> {
  const work = (async () => {
    const before = await vscode.env.clipboard.readText();
    if (before === '') return undefined;
    try {
      await vscode.commands.executeCommand('workbench.action.terminal.copyLastCommandAndLastCommandOutput');
      const copied = await vscode.env.clipboard.readText();
      return copied !== before && copied.startsWith(command)
        ? copied.slice(command.length).replace(/^\r?\n/, '')
        : undefined;
    } finally {
      await vscode.env.clipboard.writeText(before);
    }
  })();
  return Promise.race([
    work.catch(() => undefined),
    new Promise<undefined>((resolve) => {
      setTimeout(() => resolve(undefined), timeoutMs).unref();
    }),
  ]);
}
