import * as vscode from 'vscode';
import { tabType } from '../common/webviewShell';
import { openFiles } from './openFiles';

/** Of the document that shows what a request holds. */
export const contextScheme = 'waymark-context';

/**
 * Tells the editor that the person works in. While they look at what the next request holds it is the one
 * before, so that looking changes nothing of it; while they write in the tab of a session, the one they see beside it.
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
