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

/**
 * How long VS Code gets to ask for what it activated the extension for, in ms. Its request to show a view would otherwise
 * arrive only after the code of the window is loaded, instead of at the same time.
 */
const headStart = 500;

/** Kept for `deactivate`, which gets no arguments. */
let started: { close(): Promise<void> | undefined } | undefined;

/**
 * Entry point. Loads nothing heavy; the rest follows when it is needed, or soon after. Returns the API for other
 * extensions.
 */
export function activate(context: vscode.ExtensionContext): Waymark {
  const contributions = new Contributions();
  let opened: WaymarkWindow | undefined;
  let isClosing = false;
  started = {
    close() {
      isClosing = true;
      clearTimeout(loading);
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
  const loading = setTimeout(() => {
    window().catch((error: Error) => {
      if (!isClosing) void vscode.window.showErrorMessage(vscode.l10n.t('Waymark failed to start: {0}', error.message));
    });
  }, headStart);
  return waymarkApi(context.extension.id, window, contributions);
}

/**
 * VS Code waits a few seconds for this, so that runs are stopped and recorded before the window closes. It disposes the
 * subscriptions at once, so closing begins without waiting for anything. A window that still loads is not opened.
 */
export const deactivate = (): Promise<void> | undefined => started?.close();
