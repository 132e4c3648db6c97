import * as vscode from 'vscode';
import type { AgentTerminal } from '../../adapters/terminal/agentTerminal';
import { settingsOf } from '../../core/log/runSettings';
import type { History } from '../../core/log/projection';
import { secrets } from '../../core/secrets/secrets';
import type { LiveSession } from '../sessions/liveSession';
import type { OpenSessions } from '../sessions/openSessions';
import { lastOutput } from './lastOutput';

/**
 * Shows the shell of an open session in a VS Code terminal, in which the user may type. Closing the terminal does not
 * end the shell.
 */
export async function showTerminal(session: LiveSession | undefined, sessions: OpenSessions): Promise<void> {
  const environment = session && sessions.environmentOf(session.id);
  if (!session || !environment) throw new Error(vscode.l10n.t('No task is open, so there is no terminal.'));
  const { history } = session.conversation;
  const mirror = new TerminalMirror(await environment.shell(), history, sessions.keepOpen(session.id));
  const terminal = vscode.window.createTerminal({
    name: vscode.l10n.t('Waymark: {0}', settingsOf(history)?.title ?? ''),
    iconPath: new vscode.ThemeIcon('compass'),
    pty: mirror,
  });
  terminal.show(true);
}

/** Time after which text that may be the beginning of a secret is shown, in ms. */
const heldBackMs = 40;

/** Terminal that shows the shell of a session while it is open. */
class TerminalMirror implements vscode.Pseudoterminal {
  private readonly output = new vscode.EventEmitter<string>();
  readonly onDidWrite = this.output.event;
  private listening: { dispose(): void } | undefined;
  private late: NodeJS.Timeout | undefined;

  constructor(
    private readonly shell: AgentTerminal,
    private readonly history: History,
    /** Keeps the session of the shell open while the terminal exists. */
    private readonly hold: vscode.Disposable,
  ) {}

  open(dimensions: vscode.TerminalDimensions | undefined): void {
    this.output.fire(ranBefore(this.history));
    const shown = secrets.stream();
    // Text held back as a possible secret, such as a typed letter, is shown with a short delay.
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
    this.hold.dispose();
  }
}

/**
 * Returns the commands of a log with their output, as the shell would have shown them before this terminal was opened.
 */
function ranBefore(history: History): string {
  const tail = lastOutput(history);
  return tail.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '').replaceAll('\n', '\r\n');
}
