import * as vscode from 'vscode';
import { tabType } from '../common/webviewShell';

/** URI scheme of the document that shows the next request. */
export const contextScheme = 'waymark-context';

/**
 * Returns a function that finds the editor the user works in. While the user views the next request, it returns the
 * editor that was active before, so that viewing changes nothing. In the tab of a session, it returns the editor that
 * is visible beside it.
 */
export function activeEditorFinder(): () => vscode.TextEditor | undefined {
  let last: vscode.TextEditor | undefined;
  return () => {
    const now = vscode.window.activeTextEditor;
    if (!now && isInSessionTab()) return vscode.window.visibleTextEditors.find((editor) => editor === last);
    if (now?.document.uri.scheme !== contextScheme) {
      last = now ?? last;
      return now;
    }
    const before = last?.document.uri.toString();
    return openFiles().some((uri) => uri.toString() === before) ? last : undefined;
  };
}

function isInSessionTab(): boolean {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  // VS Code adds its own prefix to the view type.
  return input instanceof vscode.TabInputWebview && input.viewType.endsWith(tabType);
}

/** Returns the files shown in tabs; of a diff, the modified side. */
export const openFiles = (): vscode.Uri[] =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .map(({ input }) => uriOf(input))
    .filter((uri) => uri !== undefined)
    .filter(({ scheme }) => scheme === 'file');

function uriOf(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  const isFile =
    input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputNotebook ||
    input instanceof vscode.TabInputCustom;
  return isFile ? input.uri : undefined;
}
