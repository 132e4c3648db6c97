import * as vscode from 'vscode';
import { createHash } from 'node:crypto';

/**
 * The folder that keeps the sessions of what is open: `storage`/workspaces/<hash>. Not `context.storageUri`, since VS Code gives a second
 * window on the same folder another one, and sessions would seem to be gone there.
 */
export function sessionStorage(storage: vscode.Uri): vscode.Uri {
  const open = vscode.workspace.workspaceFile ?? vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = createHash('sha256')
    .update(open?.toString() ?? '')
    .digest('hex')
    .slice(0, 16);
  return vscode.Uri.joinPath(storage, 'workspaces', name);
}
