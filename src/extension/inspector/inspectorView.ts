import type * as vscode from 'vscode';
import type { ToInspector } from '../../protocol/inspector/inspector';
import { webviewShell, webviewOptions } from '../common/webviewShell';
import { InspectorChannel, type InspectorParts } from './inspectorChannel';

/**
 * Sets up a webview that shows trajectories: the document with a strict policy, and its message channel, which is
 * disposed with the panel.
 */
export function inspectorView(
  panel: vscode.WebviewPanel,
  extension: vscode.Uri,
  parts: Omit<InspectorParts, 'post'>,
): InspectorChannel {
  const { webview } = panel;
  webview.options = webviewOptions(extension);
  // Posting to a webview that is being closed may fail.
  const post = (message: ToInspector): void => {
    webview.postMessage(message).then(undefined, () => undefined);
  };
  const channel = new InspectorChannel({ ...parts, post });
  const listening = webview.onDidReceiveMessage((message: unknown) => void channel.receive(message));
  panel.onDidDispose(() => {
    listening.dispose();
    channel.dispose();
  });
  webview.html = webviewShell(webview, extension, 'inspector');
  return channel;
}
