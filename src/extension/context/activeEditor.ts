import * as vscode from 'vscode';
import { tabType } from '../common/webviewShell';
import { openFiles } from './openFiles';

/** Of the document that shows what a request holds. */
export const contextScheme = 'waymark-context';

/**
 * The editor that the person works in. While they view the next request, it is the editor before that view, so that
 * viewing changes nothing; while they write in the tab of a session, it is the editor visible beside it.
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
  // VS Code puts a prefix of its own before the type.
  return input instanceof vscode.TabInputWebview && input.viewType.endsWith(tabType);
}
