import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { createWorkspacePaths } from '../../adapters/files/workspacePaths';
import { isWithin } from '../../adapters/storage/diskPaths';

/**
 * Returns the URI by which VS Code knows a file. A workspace folder may be a link, and VS Code keeps the path it was
 * opened with. `absolute`: with links resolved.
 */
export function editorUri(
  absolute: string,
  folders: readonly Pick<vscode.WorkspaceFolder, 'uri'>[] = vscode.workspace.workspaceFolders ?? [],
): vscode.Uri {
  for (const { uri } of folders) {
    const real = uri.scheme === 'file' ? realPathOfExistingPart(uri.fsPath) : uri.fsPath;
    if (real === uri.fsPath) continue;
    if (isWithin(absolute, real)) return vscode.Uri.joinPath(uri, path.relative(real, absolute));
  }
  return vscode.Uri.file(absolute);
}

/**
 * Returns the URI of a file named in a conversation. `root`: the working folder of its session. Throws `FileProblem` if
 * the file is outside.
 */
export function uriNamed(name: string, root: string): vscode.Uri {
  if (path.isAbsolute(name)) return editorUri(realPathOfExistingPart(name));
  const folders = (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
  return editorUri(createWorkspacePaths([root, ...folders]).resolve(name, 'read').absolute);
}

/** Resolves the links of a path, as far as it exists. */
export function realPathOfExistingPart(file: string): string {
  try {
    return fs.realpathSync.native(file);
  } catch {
    /* does not exist, but its folder may */
  }
  const folder = path.dirname(file);
  return folder === file ? file : path.join(realPathOfExistingPart(folder), path.basename(file));
}
