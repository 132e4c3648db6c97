import type * as vscode from 'vscode';
import type { ToPanel } from '../../protocol/panel/panel';
import { shellOf, webviewOptions } from '../common/webviewShell';

/** What the view needs from the rest: where its messages go and when it comes and goes. */
export interface PanelPeer {
  receive(message: unknown): void;
  opened(post: (message: ToPanel) => void): void;
  closed(): void;
}

/** Messages that wait while the rest is loaded; a view sends two or three of them. */
const MOST_EARLY = 100;

/** The conversation view: an HTML shell under a strict policy, and a wire to whoever `peer` resolves to. */
export class PanelView implements vscode.WebviewViewProvider {
  static readonly id = 'waymark.conversation';

  constructor(
    private readonly extension: vscode.Uri,
    private readonly peer: () => Promise<PanelPeer>,
  ) {}

  async resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    const { webview } = view;
    webview.options = webviewOptions(this.extension);
    const early: unknown[] = [];
    let receive = (message: unknown): void => {
      if (early.length < MOST_EARLY) early.push(message);
    };
    const listening = webview.onDidReceiveMessage((message: unknown) => receive(message));
    webview.html = shellOf(webview, this.extension, 'panel');
    const peer = await this.peer();
    view.onDidDispose(() => {
      listening.dispose();
      peer.closed();
    });
    view.onDidChangeVisibility(() => {
      if (!view.visible) peer.closed();
    });
    peer.opened((message) => void webview.postMessage(message));
    receive = (message) => peer.receive(message);
    early.forEach(receive);
  }
}
