import * as vscode from 'vscode';
import { diskFiles } from '../../adapters/files/diskFiles';
import { fileNames } from '../../adapters/search/fileNames';
import type { Sessions } from '../../adapters/sessions/sessions';
import { createWorkspacePaths, type WorkspacePaths } from '../../adapters/files/workspacePaths';
import { maskedFiles } from '../../core/secrets/maskedFiles';
import type { Files } from '../../core/ports/environment';
import { editorFiles } from '../editor/editorFiles';
import type { WorkspaceMcp } from '../mcp/workspaceMcp';
import { activeEditorFinder } from './activeEditor';
import type { TerminalOutputs } from './terminalOutputs';

/** Where mentions are looked for. Files are read as the tools read them. */
export interface ContextSources {
  readonly folders: readonly string[];
  readonly paths: WorkspacePaths;
  /** The editor that the person works in. */
  activeEditor(): vscode.TextEditor | undefined;
  readonly files: Files;
  /** Every file of the workspace that is not ignored, as people are shown it; at most a few seconds old. */
  names(): Promise<readonly string[]>;
  readonly sessions: Sessions;
  readonly terminals: TerminalOutputs;
  /** Absent where nobody looks after servers. */
  readonly mcp?: Pick<WorkspaceMcp, 'all'> | undefined;
}

const freshMilliseconds = 5_000;

/** Undefined where no folder is open. */
export function contextSources(
  sessions: Sessions,
  terminals: TerminalOutputs,
  mcp?: Pick<WorkspaceMcp, 'all'>,
): ContextSources | undefined {
  const folders = (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
  if (folders.length === 0) return undefined;
  const paths = createWorkspacePaths(folders);
  let known: { readonly at: number; readonly names: Promise<readonly string[]> } | undefined;
  return {
    folders,
    paths,
    activeEditor: activeEditorFinder(),
    sessions,
    terminals,
    mcp,
    files: maskedFiles(editorFiles(paths, diskFiles({ folders }))),
    names() {
      if (!known || performance.now() - known.at > freshMilliseconds)
        known = { at: performance.now(), names: fileNames(paths, { folders, editorRoot: vscode.env.appRoot }) };
      return known.names;
    },
  };
}
