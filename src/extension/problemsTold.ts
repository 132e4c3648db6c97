import * as vscode from 'vscode';

/**
 * Tells the Problems panel anew, at first and after each of `changes` or when the folder becomes trusted; several of one moment are one.
 * `tell` fills the collection, which is `name`.
 */
export function problemsTold(name: string, changes: vscode.Event<void>, tell: (collection: vscode.DiagnosticCollection) => Promise<void>): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection(name);
  let timer: NodeJS.Timeout | undefined;
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void tell(collection), 200);
  };
  const quiet = new vscode.Disposable(() => clearTimeout(timer));
  later();
  return vscode.Disposable.from(quiet, collection, changes(later), vscode.workspace.onDidGrantWorkspaceTrust(later));
}
