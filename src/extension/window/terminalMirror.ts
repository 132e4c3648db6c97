import * as vscode from 'vscode';
import type { AgentTerminal } from '../../adapters/terminal/agentTerminal';
import { settingsOf, type History } from '../../core/log/history';
import { secrets } from '../../core/secrets/secrets';
import type { SessionEnvironment } from '../sessions/sessionEnvironment';
import { lastOutput } from './lastOutput';

/**
 * Shows the agent's shell in a real terminal of VS Code, where the person may type. Closing it leaves the shell alone.
 */
export async function showTerminal(
  history: History | undefined,
  environment: SessionEnvironment | undefined,
): Promise<void> {
  if (!history || !environment) throw new Error(vscode.l10n.t('No task is open, so there is no terminal.'));
  const mirror = new TerminalMirror(await environment.shell(), history);
  const terminal = vscode.window.createTerminal({
    name: vscode.l10n.t('Waymark: {0}', settingsOf(history)?.title ?? ''),
    iconPath: new vscode.ThemeIcon('compass'),
    pty: mirror,
  });
  terminal.show(true);
}

/** Milliseconds after which what could be the beginning of a secret is shown. */
const heldBackMs = 40;

/** The shell of a session as a terminal, from the moment it is opened until the person closes it. */
class TerminalMirror implements vscode.Pseudoterminal {
  private readonly output = new vscode.EventEmitter<string>();
  readonly onDidWrite = this.output.event;
  private listening: { dispose(): void } | undefined;
  private late: NodeJS.Timeout | undefined;

  constructor(
    private readonly shell: AgentTerminal,
    private readonly history: History,
  ) {}

  open(dimensions: vscode.TerminalDimensions | undefined): void {
    this.output.fire(ranBefore(this.history));
    const shown = secrets.stream();
    // What is held back, such as a letter that the person typed, comes a moment later.
    this.listening = this.shell.onData((data) => {
      this.output.fire(shown.push(data));
      clearTimeout(this.late);
      this.late = setTimeout(() => this.output.fire(shown.end()), heldBackMs);
    });
    if (dimensions) this.setDimensions(dimensions);
  }

  close(): void {
    this.dispose();
  }

  handleInput(data: string): void {
    this.shell.write(data);
  }

  setDimensions({ columns, rows }: vscode.TerminalDimensions): void {
    this.shell.resize(columns, rows);
  }

  dispose(): void {
    clearTimeout(this.late);
    this.listening?.dispose();
    this.output.dispose();
  }
}

/**
 * The commands of a log and what they printed, as the shell of the session would
 * have shown them: nobody watched it then.
 */
function ranBefore(history: History): string {
  const tail = lastOutput(history);
  return tail.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '').replaceAll('\n', '\r\n');
}
