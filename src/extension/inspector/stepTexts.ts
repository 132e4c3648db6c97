import * as vscode from 'vscode';

const SCHEME = 'waymark-step';

/** Steps as text, read-only, in editors of their own. */
export class StepTexts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registered = [
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme === SCHEME) this.texts.delete(uri.toString());
    }),
  ];

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  async show(name: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name}`, query: String(Date.now()) });
    this.texts.set(uri.toString(), text);
    await vscode.window.showTextDocument(uri, { preview: true });
  }

  dispose(): void {
    this.registered.forEach((part) => part.dispose());
  }
}
