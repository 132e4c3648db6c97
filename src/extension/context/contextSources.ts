import * as vscode from 'vscode';
import { diskFiles } from '../../adapters/files/diskFiles';
import { existsOnlyForSandbox } from '../../adapters/sandbox/madePlaces';
import { fileNames } from '../../adapters/search/fileNames';
import { ripgrepSearch } from '../../adapters/search/ripgrep';
import type { Sessions } from '../../adapters/sessions/sessions';
import { createWorkspacePaths, type WorkspacePaths } from '../../adapters/files/workspacePaths';
import { maskedFiles } from '../../core/secrets/maskedFiles';
import type { Files } from '../../core/ports/files';
import { inSlices } from '../../core/text/slices';
import { cachedFor, derived } from '../common/cachedFor';
import { editorFiles } from '../editor/editorFiles';
import type { WorkspaceMcp } from '../mcp/workspaceMcp';
import { activeEditorFinder } from './activeEditor';
import { TerminalOutputs } from './terminalOutputs';

/** What mentions are resolved against. Files are read through the same layer as the tools use. */
export interface ContextSources {
  readonly folders: readonly string[];
  readonly paths: WorkspacePaths;
  /** Returns the editor that the user works in. */
  activeEditor(): vscode.TextEditor | undefined;
  readonly files: Files;
  /**
   * Returns the display name of every file in the workspace that is not ignored, at most a few seconds old. While a big
   * workspace is listed again, the names are those of the last time.
   */
  names(): Promise<readonly string[]>;
  /** Returns the folders of these files with a slash at the end: "src/core/". */
  folderNames(): Promise<readonly string[]>;
  /** Returns a file with a TODO comment, or undefined if there is none. At most a few minutes old. */
  fileWithTodo(): Promise<string | undefined>;
  readonly sessions: Sessions;
  readonly terminals: TerminalOutputs;
  /** MCP servers. Absent if this window does not manage them. */
  readonly mcp?: Pick<WorkspaceMcp, 'all'> | undefined;
}

const freshMilliseconds = 5_000;
/** Cache time of the TODO search. It is longer than that of names, because the whole folder is searched. */
const freshTodoMilliseconds = 10 * 60_000;
const searchMilliseconds = 3_000;

/** The sources for messages of a window, for the folders that are currently open. */
export class KnownSources implements vscode.Disposable {
  private readonly terminals = new TerminalOutputs();
  private cached: { readonly key: string; readonly sources: ContextSources | undefined } | undefined;

  constructor(
    private readonly sessions: Sessions,
    private readonly mcp: Pick<WorkspaceMcp, 'all'>,
  ) {}

  /** Returns undefined if no local folder is open. */
  get current(): ContextSources | undefined {
    const key = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString()).join('\0');
    if (this.cached?.key !== key)
      this.cached = { key, sources: contextSources(this.sessions, this.terminals, this.mcp) };
    return this.cached.sources;
  }

  dispose(): void {
    this.terminals.dispose();
  }
}

/** Returns undefined if no local folder is open. */
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
  const names = cachedFor(freshMilliseconds, () => fileNames(paths, { folders, editorRoot: vscode.env.appRoot }));
  const folderNames = derived(names, foldersOf);
  const fileWithTodo = cachedFor(freshTodoMilliseconds, () => findTodo(folders));
  return {
    folders,
    paths,
    activeEditor: activeEditorFinder(),
    sessions,
    terminals,
    mcp,
    files: maskedFiles(editorFiles(paths, diskFiles({ folders, isUnlisted: existsOnlyForSandbox }))),
    names,
    folderNames,
    fileWithTodo,
  };
}

/** Returns the folders that contain the files, with a slash at the end. */
async function foldersOf(names: readonly string[]): Promise<readonly string[]> {
  const folders = new Set<string>();
  await inSlices(names, (name) => {
    let folder = name.slice(0, name.lastIndexOf('/') + 1);
    // The folders around a known one are known, too.
    while (folder !== '' && folder !== '/' && !folders.has(folder)) {
      folders.add(folder);
      folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
    }
  });
  return [...folders];
}

/** Returns undefined if the search finds nothing, fails or takes too long. */
async function findTodo(folders: readonly string[]): Promise<string | undefined> {
  const query = { pattern: String.raw`(//|#|/\*|<!--)\s*TODO\b`, literal: false, caseSensitive: true, maxMatches: 1 };
  try {
    const search = ripgrepSearch({ folders, editorRoot: vscode.env.appRoot });
    const { matches } = await search.search(query, AbortSignal.timeout(searchMilliseconds));
    return matches[0]?.path;
  } catch {
    return undefined;
  }
}
