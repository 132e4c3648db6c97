import type * as vscode from 'vscode';
import type { ToInspector } from '../../protocol/inspector/inspector';
import { shellOf, webviewOptions } from '../common/webviewShell';
import { InspectorChannel, type InspectorParts } from './inspectorChannel';

/**
 * A webview that shows trajectories: the document under a strict policy, and the wire to it, which ends with the panel.
 */
export function inspectorView(
  panel: vscode.WebviewPanel,
  extension: vscode.Uri,
  parts: Omit<InspectorParts, 'post'>,
): InspectorChannel {
  const { webview } = panel;
  webview.options = webviewOptions(extension);
  // A view that is being closed refuses what is said to it.
  const post = (message: ToInspector): void => {
    webview.postMessage(message).then(undefined, () => undefined);
  };
  const channel = new InspectorChannel({ ...parts, post });
  const listening = webview.onDidReceiveMessage((message: unknown) => void channel.receive(message));
  panel.onDidDispose(() => {
    listening.dispose();
    channel.dispose();
  });
  webview.html = shellOf(webview, extension, 'inspector');
  return channel;
}
