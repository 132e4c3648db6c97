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

/** Kept for `deactivate`, which gets no arguments. */
let started: { close(): Promise<void> | undefined } | undefined;

/** Entry point. Loads nothing heavy; the rest follows right after activation. Returns the API for other extensions. */
export function activate(context: vscode.ExtensionContext): Waymark {
  const contributions = new Contributions();
  let opened: WaymarkWindow | undefined;
  let isClosing = false;
  started = {
    close() {
      isClosing = true;
      return opened?.close();
    },
  };
  const window = lazy(async (): Promise<WaymarkWindow> => {
    const { loadWindow } = await import('./window/loadWindow');
    const WaymarkWindow = await loadWindow();
    // VS Code has already disposed the subscriptions, so nothing would end what this window starts.
    if (isClosing) throw new Error('VS Code closed the window before Waymark was loaded.');
    const output = vscode.window.createOutputChannel('Waymark', { log: true });
    opened = new WaymarkWindow(context, output, contributions, conversation);
    context.subscriptions.push(output, opened);
    return opened;
  });
  const conversation = new PanelView(context.extensionUri, async () => (await window()).sidebar);
  const editor = new TrajectoryEditor(window);
  context.subscriptions.push(
    contributions,
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
  setImmediate(() => {
    if (isClosing) return;
    window().catch((error: Error) => {
      if (!isClosing) void vscode.window.showErrorMessage(vscode.l10n.t('Waymark failed to start: {0}', error.message));
    });
  });
  return waymarkApi(context.extension.id, window, contributions);
}

/**
 * VS Code waits a few seconds for this, so that runs are stopped and recorded before the window closes. It disposes the
 * subscriptions at once, so closing begins without waiting for anything. A window that still loads is not opened.
 */
export const deactivate = (): Promise<void> | undefined => started?.close();
