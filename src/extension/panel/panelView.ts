import type * as vscode from 'vscode';
import type { ToPanel } from '../../protocol/panel/panel';
import { webviewShell, webviewOptions } from '../common/webviewShell';

/** Connection to one view, disposed with it. */
export interface PanelConnection extends vscode.Disposable {
  /** Handles a message of the view. */
  receive(message: unknown): void;
  /** Called when the view is hidden. Its script does not run until it is shown again. */
  hidden(): void;
}

/** The counterpart of a view. */
export interface PanelPeer {
  connect(post: (message: ToPanel) => void): PanelConnection;
}

/** Container of the panel: a view in the side bar, or a tab. */
interface PanelFrame {
  readonly webview: vscode.Webview;
  readonly visible: boolean;
  readonly onDidDispose: vscode.Event<void>;
}

/** What differs between a side bar view and a tab. */
interface PanelLook {
  readonly onDidChangeVisibility: vscode.Event<unknown>;
  readonly bodyClass: '' | 'tab';
}

/** Maximum number of messages queued while the extension loads. A view sends two or three. */
const MOST_EARLY = 100;

/** The conversation view in the side bar. */
export class PanelView implements vscode.WebviewViewProvider {
  static readonly id = 'waymark.conversation';
  private view: vscode.WebviewView | undefined;
  private badge: vscode.ViewBadge | undefined;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly peer: () => Promise<PanelPeer>,
  ) {}

  /** Sets the badge on Waymark's icon. It appears once the view has been opened. */
  showBadge(badge: vscode.ViewBadge | undefined): void {
    this.badge = badge;
    if (this.view) this.view.badge = badge;
  }

  resolveWebviewView(view: vscode.WebviewView): Promise<void> {
    this.view = view;
    view.badge = this.badge;
    const listening = view.onDidDispose(() => {
      if (this.view === view) this.view = undefined;
      listening.dispose();
    });
    const { onDidChangeVisibility } = view;
    return drawPanel(view, { onDidChangeVisibility, bodyClass: '' }, this.extension, this.peer);
  }
}

/** Sets up the panel: an HTML shell with a strict policy, and a connection to the peer. */
export async function drawPanel(
  frame: PanelFrame,
  { onDidChangeVisibility, bodyClass }: PanelLook,
  extension: vscode.Uri,
  peer: () => Promise<PanelPeer>,
): Promise<void> {
  const { webview } = frame;
  const early: unknown[] = [];
  let connection: PanelConnection | undefined;
  let isGone = false;
  const listening = [
    webview.onDidReceiveMessage((message: unknown) => {
      if (connection) connection.receive(message);
      else if (early.length < MOST_EARLY) early.push(message);
    }),
    onDidChangeVisibility(() => {
      if (!isGone && !frame.visible) connection?.hidden();
    }),
    frame.onDidDispose(() => {
      isGone = true;
      connection?.dispose();
      connection = undefined;
      for (const each of listening) each.dispose();
    }),
  ];
  webview.options = webviewOptions(extension);
  webview.html = webviewShell(webview, extension, 'panel', bodyClass);
  const known = await peer();
  // The panel may have been closed while the extension was loading.
  if (isGone) return;
  connection = known.connect((message) => {
    // Posting to a webview that is being closed may fail. The next view requests everything again.
    webview.postMessage(message).then(undefined, () => undefined);
  });
  for (const message of early) connection.receive(message);
}
