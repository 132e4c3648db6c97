import * as vscode from 'vscode';
import type { Application } from './application';
import { registerCommands } from './commands';
import { lazy } from './lazy';
import { PanelView } from './panelView';
import { TrajectoryEditor } from './trajectoryEditor';

let started: Application | undefined;

/** Table of contents. Nothing heavy is loaded here; the rest follows right after activation. */
export function activate(context: vscode.ExtensionContext): void {
  const application = lazy(async () => {
    const { Application } = await import('./application');
    const output = vscode.window.createOutputChannel('Waymark', { log: true });
    started = new Application(context, output);
    context.subscriptions.push(output, started);
    return started;
  });
  const editor = new TrajectoryEditor(context.extensionUri, application);
  context.subscriptions.push(
    ...registerCommands(application),
    ...TrajectoryEditor.ids.map(id => vscode.window.registerCustomEditorProvider(id, editor, { supportsMultipleEditorsPerDocument: true })),
    vscode.window.registerWebviewViewProvider(PanelView.id, new PanelView(context.extensionUri, application)),
  );
  setImmediate(() => application().catch((error: Error) => vscode.window.showErrorMessage(vscode.l10n.t('Waymark did not start: {0}', error.message))));
}

/** VS Code waits a few seconds for it, so that what runs is stopped and recorded before the window is gone. */
export const deactivate = (): Promise<void> | undefined => started?.close();
