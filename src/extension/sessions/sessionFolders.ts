import { createHash } from 'node:crypto';
import fs from 'node:fs';
import * as vscode from 'vscode';
import { canonicalFolder } from '../../adapters/storage/canonicalFolder';
import { isWithin } from '../../adapters/storage/diskPaths';
import { isInWorktrees } from '../../adapters/storage/stateFolder';
import { SolvableError } from '../common/problemReports';
import type { LiveSession } from './liveSession';

/**
 * Returns the workspace folders on disk, starting with `first`. Throws a `SolvableError` with a message for people if
 * none is open.
 */
export function foldersHere(first?: string): readonly string[] {
  const folders = foldersOnDisk();
  if (folders.length === 0)
    throw new SolvableError(vscode.l10n.t('No folder is open. Open the project folder, then start the task.'), {
      title: vscode.l10n.t('Open Folder'),
      command: 'vscode.openFolder',
    });
  return startingWith(first, folders);
}

const foldersOnDisk = (): readonly string[] =>
  (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file').map(({ uri }) => uri.fsPath);

/** How the folders of the workspace differ from those of a session, which it has had since it was opened. */
export function folderChanges({ parts: { surroundings } }: Pick<LiveSession, 'parts'>): {
  readonly hasAdded: boolean;
  readonly hasRemoved: boolean;
} {
  const { root, otherFolders } = surroundings;
  // A worktree is in no workspace folder.
  if (isInWorktrees(root)) return { hasAdded: false, hasRemoved: false };
  const [before, now] = [[root, ...otherFolders], foldersOnDisk()].map(
    (folders) => new Set(folders.map(canonicalFolder)),
  );
  return {
    hasAdded: [...now!].some((folder) => !before!.has(folder)),
    hasRemoved: [...before!].some((folder) => ![...now!].some((other) => isWithin(folder, other))),
  };
}

/** Returns the folders, with `first` at the start if it is one of them or in one of them. Links are resolved. */
export function startingWith(first: string | undefined, all: readonly string[]): readonly string[] {
  if (first === undefined) return all;
  const isFirst = (folder: string): boolean => canonicalFolder(folder) === canonicalFolder(first);
  const found = all.find(isFirst);
  if (found === undefined) return isInOne(first, all) ? [first, ...all] : all;
  return [found, ...all.filter((folder) => !isFirst(folder))];
}

/** Returns whether a place exists and is one of these folders or in one of them. Links are resolved. */
const isInOne = (place: string, folders: readonly string[]): boolean =>
  fs.existsSync(place) && folders.some((folder) => isWithin(canonicalFolder(place), canonicalFolder(folder)));

/**
 * Returns whether a session began in a folder that still exists but is none of these: it must not continue in another
 * one, where its paths and approvals mean other files. A folder that no longer exists was moved.
 */
export const beganElsewhere = (began: string, folders: readonly string[]): boolean =>
  fs.existsSync(began) && !isInOne(began, folders);

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
