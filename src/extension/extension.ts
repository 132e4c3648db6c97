import * as vscode from 'vscode';
import type { Waymark } from '../../api/waymark';
import { Contributions } from './contributed/contributions';
import { registerOwnTools } from './api/ownTools';
import { waymarkApi } from './api/waymarkApi';
import type { WaymarkWindow } from './window/waymarkWindow';
import { registerCommands } from './window/commands';
import { lazy } from './common/lazy';
import { tabType } from './common/webviewShell';
import { PanelView } from './panel/panelView';
import { TrajectoryEditor } from './inspector/trajectoryEditor';

/** Kept for `deactivate`, which gets no arguments. A promise while the window loads. */
let started: WaymarkWindow | Promise<WaymarkWindow> | undefined;

/** Entry point. Loads nothing heavy; the rest follows right after activation. Returns the API for other extensions. */
export function activate(context: vscode.ExtensionContext): Waymark {
  const given = new Contributions();
  const start = async (): Promise<WaymarkWindow> => {
    const { loadWindow } = await import('./window/loadWindow');
    const WaymarkWindow = await loadWindow();
    const output = vscode.window.createOutputChannel('Waymark', { log: true });
    started = new WaymarkWindow(context, output, given, conversation);
    context.subscriptions.push(output, started);
    return started;
  };
  const window = lazy(() => (started = start()));
  const conversation = new PanelView(context.extensionUri, async () => (await window()).sidebar);
  const editor = new TrajectoryEditor(window);
  context.subscriptions.push(
    given,
    ...registerCommands(async () => (await window()).parts()),
    ...registerOwnTools(),
    ...TrajectoryEditor.ids.map((id) =>
      vscode.window.registerCustomEditorProvider(id, editor, { supportsMultipleEditorsPerDocument: true }),
    ),
    vscode.window.registerWebviewPanelSerializer(tabType, {
      deserializeWebviewPanel: async (tab, kept) => (await window()).tabs.restore(tab, kept),
    }),
    vscode.window.registerWebviewViewProvider(PanelView.id, conversation),
  );
  setImmediate(() =>
    window().catch((error: Error) =>
      vscode.window.showErrorMessage(vscode.l10n.t('Waymark failed to start: {0}', error.message)),
    ),
  );
  return waymarkApi(context.extension.id, window, given);
}

/** VS Code waits a few seconds for this, so that runs are stopped and recorded before the window closes. */
export function deactivate(): Promise<void> | undefined {
  // Closing begins at once: VS Code disposes the subscriptions without waiting for this.
  return started instanceof Promise ? closeLoaded(started) : started?.close();
}

/** Closes a window that was still loading. VS Code has already disposed the subscriptions, so it does not dispose it. */
async function closeLoaded(loading: Promise<WaymarkWindow>): Promise<void> {
  const window = await loading.catch(() => undefined);
  await window?.close();
  window?.dispose();
}
