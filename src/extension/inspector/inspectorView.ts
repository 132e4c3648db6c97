import type * as vscode from 'vscode';
import { shellOf, webviewOptions } from '../common/webviewShell';
import { InspectorChannel, type InspectorParts } from './inspectorChannel';

/** A webview that shows trajectories: the document under a strict policy, and the wire to it. */
export function inspectorView(
  panel: vscode.WebviewPanel,
  extension: vscode.Uri,
  parts: Omit<InspectorParts, 'post'>,
): InspectorChannel {
  const { webview } = panel;
  webview.options = webviewOptions(extension);
  const channel = new InspectorChannel({ ...parts, post: (message) => void webview.postMessage(message) });
  const listening = webview.onDidReceiveMessage((message: unknown) => void channel.receive(message));
  panel.onDidDispose(() => listening.dispose());
  webview.html = shellOf(webview, extension, 'inspector');
  return channel;
}
