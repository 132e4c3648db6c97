import { createHash } from 'node:crypto';
import * as vscode from 'vscode';

/** The workspace folders on disk, `first` before the others. Throws an `Error` in words where none is open. */
export function foldersHere(first?: string): readonly string[] {
  const folders = (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
  if (folders.length === 0)
    throw new Error(vscode.l10n.t('No folder is open. Open the project folder, then start the task.'));
  return startingWith(first, folders);
}

/** The same folders, `first` before the others where it is one of them. */
export function startingWith(first: string | undefined, all: readonly string[]): readonly string[] {
  if (first === undefined || !all.includes(first)) return all;
  return [first, ...all.filter((folder) => folder !== first)];
}

/**
 * The folder that keeps the sessions of what is open: `storage`/workspaces/<hash>. Not `context.storageUri`, since VS
 * Code gives a second window on the same folder another one, and sessions would seem to be gone there.
 */
export function sessionStorage(storage: vscode.Uri): vscode.Uri {
  const open = vscode.workspace.workspaceFile ?? vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = createHash('sha256')
    .update(open?.toString() ?? '')
    .digest('hex')
    .slice(0, 16);
  return vscode.Uri.joinPath(storage, 'workspaces', name);
}

/** The folder of the copies, which all workspaces share: `storage` is one of `sessionStorage`. */
export const checkpointFolder = (storage: vscode.Uri): vscode.Uri =>
  vscode.Uri.joinPath(storage, '..', '..', 'checkpoints');
