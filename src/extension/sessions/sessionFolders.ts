import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { SolvableError } from '../common/problemReports';

/**
 * Returns the workspace folders on disk, starting with `first`. Throws a `SolvableError` with a message for people if
 * none is open.
 */
export function foldersHere(first?: string): readonly string[] {
  const folders = (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
  if (folders.length === 0)
    throw new SolvableError(vscode.l10n.t('No folder is open. Open the project folder, then start the task.'), {
      title: vscode.l10n.t('Open Folder'),
      command: 'vscode.openFolder',
    });
  return startingWith(first, folders);
}

/** Returns the folders, with `first` at the start if it is among them. */
export function startingWith(first: string | undefined, all: readonly string[]): readonly string[] {
  if (first === undefined || !all.includes(first)) return all;
  return [first, ...all.filter((folder) => folder !== first)];
}

/**
 * Returns the folder for the sessions of the open workspace: `storage`/workspaces/<hash>. `context.storageUri` is not
 * used: VS Code gives a second window on the same folder another one, in which the sessions would be missing.
 */
export function sessionStorage(storage: vscode.Uri): vscode.Uri {
  const open = vscode.workspace.workspaceFile ?? vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = createHash('sha256')
    .update(open?.toString() ?? '')
    .digest('hex')
    .slice(0, 16);
  return vscode.Uri.joinPath(storage, 'workspaces', name);
}

/** Returns the folder for checkpoints, which all workspaces share. `storage`: a folder from `sessionStorage`. */
export const checkpointsIn = (storage: vscode.Uri): vscode.Uri =>
  vscode.Uri.joinPath(storage, '..', '..', 'checkpoints');
