import * as vscode from 'vscode';
import type { SessionEnvironment } from './sessionEnvironment';

/** Shows the agent's shell in a real terminal of VS Code, where the person may type. Closing it leaves the shell alone. */
export async function showTerminal(title: string, environment: SessionEnvironment): Promise<void> {
  const shell = await environment.shell();
  const output = new vscode.EventEmitter<string>();
  let listening: { dispose(): void } | undefined;
  const mirror: vscode.Pseudoterminal = {
    onDidWrite: output.event,
    open(dimensions) {
      listening = shell.onData(data => output.fire(data));
      if (dimensions) shell.resize(dimensions.columns, dimensions.rows);
    },
    close: () => listening?.dispose(),
    handleInput: data => shell.write(data),
    setDimensions: ({ columns, rows }) => shell.resize(columns, rows),
  };
  const terminal = vscode.window.createTerminal({
    name: vscode.l10n.t('Waymark: {0}', title),
    iconPath: new vscode.ThemeIcon('compass'),
    pty: mirror,
  });
  terminal.show(true);
}
