import * as vscode from 'vscode';

/** Read-only documents without a file on disk. A text is dropped when no editor shows it. */
export class VirtualDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changes.event;
  private readonly registrations: vscode.Disposable;

  /** `scheme`: the URI scheme of these documents, used for nothing else. */
  constructor(private readonly scheme: string) {
    this.registrations = vscode.Disposable.from(
      this.changes,
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => this.forget(closed.flatMap(addressesOf))),
      // Some editors, such as the multi-file diff editor, do not report what they show. Their documents are closed with
      // them.
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget([uri])),
    );
  }

  /** Number of stored texts. */
  get size(): number {
    return this.texts.size;
  }

  /** Stores a text and returns its URI. `path`: absolute; its extension selects the language for highlighting. */
  keep(path: string, query: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: this.scheme, path, query });
    if (this.texts.get(uri.toString()) === text) return uri;
    this.texts.set(uri.toString(), text);
    this.changes.fire(uri);
    return uri;
  }

  /** Returns whether a text is stored under this URI. */
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

/** Returns the URIs that a tab shows. */
function addressesOf({ input }: vscode.Tab): vscode.Uri[] {
  if (input instanceof vscode.TabInputText) return [input.uri];
  return input instanceof vscode.TabInputTextDiff ? [input.original, input.modified] : [];
}
