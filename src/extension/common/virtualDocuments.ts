import * as vscode from 'vscode';

/**
 * Texts that no file holds, which editors show and nobody can change. A text is
 * forgotten when no editor shows it any more.
 */
export class VirtualDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changes.event;
  private readonly registrations: vscode.Disposable;

  /** `scheme`: of the addresses of these texts alone. */
  constructor(private readonly scheme: string) {
    this.registrations = vscode.Disposable.from(
      this.changes,
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => this.forget(closed.flatMap(addressesOf))),
      // Some editors, as that of several files, do not say what they show; their documents are closed with them.
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget([uri])),
    );
  }

  /** How many texts are kept. */
  get size(): number {
    return this.texts.size;
  }

  /** Stores a text and returns its address. `path`: absolute; its ending decides the language for highlighting. */
  keep(path: string, query: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: this.scheme, path, query });
    if (this.texts.get(uri.toString()) === text) return uri;
    this.texts.set(uri.toString(), text);
    this.changes.fire(uri);
    return uri;
  }

  /** Whether a text is kept under this address. */
  has(path: string, query: string): boolean {
    return this.texts.has(vscode.Uri.from({ scheme: this.scheme, path, query }).toString());
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return (
      this.texts.get(uri.toString()) ??
      vscode.l10n.t('This text is no longer available. Open it again from where you opened it.')
    );
  }

  dispose(): void {
    this.registrations.dispose();
    this.texts.clear();
  }

  private forget(closed: readonly vscode.Uri[]): void {
    const gone = closed.filter(({ scheme }) => scheme === this.scheme);
    if (gone.length === 0) return;
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).flatMap(addressesOf);
    const documents = vscode.workspace.textDocuments.filter(({ isClosed }) => !isClosed).map(({ uri }) => uri);
    const shown = new Set([...tabs, ...documents].map((uri) => uri.toString()));
    for (const uri of gone) if (!shown.has(uri.toString())) this.texts.delete(uri.toString());
  }
}

/** What a tab shows. */
function addressesOf({ input }: vscode.Tab): vscode.Uri[] {
  if (input instanceof vscode.TabInputText) return [input.uri];
  return input instanceof vscode.TabInputTextDiff ? [input.original, input.modified] : [];
}
