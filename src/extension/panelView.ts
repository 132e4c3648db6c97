import * as vscode from 'vscode';
import { randomBytes } from 'node:crypto';
import type { ToPanel } from '../protocol/panel';

/** What the view needs from the rest: where its messages go and when it comes and goes. */
export interface PanelPeer {
  receive(message: unknown): void;
  opened(post: (message: ToPanel) => void): void;
  closed(): void;
}

/** The conversation view: an HTML shell under a strict policy, and a wire to whoever `peer` resolves to. */
export class PanelView implements vscode.WebviewViewProvider {
  static readonly id = 'waymark.conversation';

  constructor(private readonly extension: vscode.Uri, private readonly peer: () => Promise<PanelPeer>) {}

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    const { webview } = view;
    const media = vscode.Uri.joinPath(this.extension, 'dist', 'webview');
    webview.options = { enableScripts: true, enableForms: false, enableCommandUris: false, localResourceRoots: [media] };
    const early: unknown[] = [];
    let receive = (message: unknown): void => void early.push(message);
    const listening = webview.onDidReceiveMessage((message: unknown) => receive(message));
    webview.html = shellOf(webview, media);
    const peer = await this.peer();
    view.onDidDispose(() => {
      listening.dispose();
      peer.closed();
    });
    view.onDidChangeVisibility(() => { if (!view.visible) peer.closed(); });
    peer.opened(message => void webview.postMessage(message));
    receive = message => peer.receive(message);
    early.forEach(receive);
  }
}

/** The translations of this language, for the panel to look its words up in; none for English. As data, so that nothing in them can act. */
function strings(): string {
  const { bundle } = vscode.l10n;
  return bundle ? `<script type="application/json" id="strings">${JSON.stringify(bundle).replaceAll('<', '\\u003c')}</script>` : '';
}

function shellOf(webview: vscode.Webview, media: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64url');
  const source = webview.cspSource;
  const file = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(media, name)).toString();
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${source}; font-src ${source}; img-src ${source} data:; connect-src 'none'; form-action 'none'; base-uri 'none'`;
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${file('panel.css')}">
<title>Waymark</title>
</head>
<body><div id="root"></div>${strings()}<script nonce="${nonce}" src="${file('panel.js')}"></script></body>
</html>`;
}
