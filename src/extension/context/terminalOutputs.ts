import * as vscode from 'vscode';
import { cleanText } from '../../adapters/terminal/cleanText';
import { shortened } from '../../core/condense/eventText';

const mostCommands = 3;
const mostCharacters = 20_000;

interface Ran { readonly command: string; output: string; exitCode?: number | undefined; ended: boolean }

/** The last commands of the window's terminals, as their shells tell VS Code of them. Kept in memory alone, and only their ends. */
export class TerminalOutputs implements vscode.Disposable {
  private ran: Ran[] = [];
  private readonly known = new WeakMap<vscode.TerminalShellExecution, Ran>();
  private readonly registrations = [
    vscode.window.onDidStartTerminalShellExecution(({ execution }) => void this.follow(execution)),
    vscode.window.onDidEndTerminalShellExecution(({ execution, exitCode }) => {
      const ran = this.known.get(execution);
      if (ran) Object.assign(ran, { exitCode, ended: true });
    }),
  ];

  /** Commands and what they printed, the last one last; empty where none is known. */
  latest(): string {
    return this.ran.map(({ command, output, exitCode, ended }) => {
      const end = ended ? (exitCode === undefined ? [] : [`[exit ${exitCode}]`]) : ['[still running]'];
      return [`$ ${command}`, shortened(cleanText(output).trim(), mostCharacters), ...end].filter(Boolean).join('\n');
    }).join('\n\n');
  }

  dispose(): void { for (const registration of this.registrations) registration.dispose(); }

  private async follow(execution: vscode.TerminalShellExecution): Promise<void> {
    const ran: Ran = { command: execution.commandLine.value, output: '', ended: false };
    this.known.set(execution, ran);
    this.ran = [...this.ran, ran].slice(-mostCommands);
    try {
      for await (const part of execution.read()) ran.output = (ran.output + part).slice(-4 * mostCharacters);
    } catch { /* the terminal was closed */ }
  }
}
