import type * as vscode from 'vscode';
import type { ToPanel } from '../../protocol/panel/panel';
import { shellOf, webviewOptions } from '../common/webviewShell';

/** The wire to one view. It ends with the view. */
export interface PanelConnection extends vscode.Disposable {
  /** A message of the view. */
  receive(message: unknown): void;
  /** The view cannot be seen, and its script does not run until it is shown again. */
  hidden(): void;
}

/** Whom the view talks to. */
export interface PanelPeer {
  connect(post: (message: ToPanel) => void): PanelConnection;
}

/** What the panel is drawn in: a view of the side bar, or a tab. */
export interface PanelFrame {
  readonly webview: vscode.Webview;
  readonly visible: boolean;
  readonly onDidDispose: vscode.Event<void>;
}

/** The difference between a view of the side bar and a tab. */
export interface PanelLook {
  readonly onDidChangeVisibility: vscode.Event<unknown>;
  readonly bodyClass: '' | 'tab';
}

/** Messages that wait while the rest is loaded; a view sends two or three of them. */
const MOST_EARLY = 100;

/** The conversation view of the side bar. */
export class PanelView implements vscode.WebviewViewProvider {
  static readonly id = 'waymark.conversation';
  private view: vscode.WebviewView | undefined;
  private badge: vscode.ViewBadge | undefined;

  constructor(
    private readonly extension: vscode.Uri,
    private readonly peer: () => Promise<PanelPeer>,
  ) {}

  /** On the icon of Waymark, from the first time on that the view was opened. */
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

/** Draws the panel: an HTML shell under a strict policy, and a wire to whoever `peer` resolves to. */
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
  webview.html = shellOf(webview, extension, 'panel', bodyClass);
  const known = await peer();
  // It may have been closed while the rest was loaded.
  if (isGone) return;
  connection = known.connect((message) => {
    // A view that is being closed refuses what is said to it; the next one asks for everything anew.
    webview.postMessage(message).then(undefined, () => undefined);
  });
  for (const message of early) connection.receive(message);
}
