import * as vscode from 'vscode';
import type { Waymark } from '../../api/waymark';
import { Contributions } from './contributed/contributions';
import { registerOwnTools } from './api/ownTools';
import { waymarkApi } from './api/waymarkApi';
import type { Application } from './window/application';
import { registerCommands } from './window/commands';
import { lazy } from './common/lazy';
import { PanelView } from './panel/panelView';
import { TrajectoryEditor } from './inspector/trajectoryEditor';

let started: Application | undefined;

/** Table of contents. Nothing heavy is loaded here; the rest follows right after activation. Answers what other extensions may use. */
export function activate(context: vscode.ExtensionContext): Waymark {
  const given = new Contributions();
  const application = lazy(async () => {
    const { Application } = await import('./window/application');
    const output = vscode.window.createOutputChannel('Waymark', { log: true });
    started = new Application(context, output, given);
    context.subscriptions.push(output, started);
    return started;
  });
  const editor = new TrajectoryEditor(context.extensionUri, application);
  context.subscriptions.push(
    ...registerCommands(application),
    ...registerOwnTools(),
    ...TrajectoryEditor.ids.map((id) =>
      vscode.window.registerCustomEditorProvider(id, editor, { supportsMultipleEditorsPerDocument: true }),
    ),
    vscode.window.registerWebviewViewProvider(PanelView.id, new PanelView(context.extensionUri, application)),
  );
  setImmediate(() =>
    application().catch((error: Error) =>
      vscode.window.showErrorMessage(vscode.l10n.t('Waymark did not start: {0}', error.message)),
    ),
  );
  return waymarkApi(context.extension.id, application, given);
}

/** VS Code waits a few seconds for it, so that what runs is stopped and recorded before the window is gone. */
export const deactivate = (): Promise<void> | undefined => started?.close();
