import * as vscode from 'vscode';
import { diskFiles } from '../../adapters/files/diskFiles';
import { fileNames } from '../../adapters/search/fileNames';
import { ripgrepSearch } from '../../adapters/search/ripgrep';
import type { Sessions } from '../../adapters/sessions/sessions';
import { createWorkspacePaths, type WorkspacePaths } from '../../adapters/files/workspacePaths';
import { maskedFiles } from '../../core/secrets/maskedFiles';
import type { Files } from '../../core/ports/environment';
import { editorFiles } from '../editor/editorFiles';
import type { WorkspaceMcp } from '../mcp/workspaceMcp';
import { activeEditorFinder } from './activeEditor';
import { TerminalOutputs } from './terminalOutputs';

/** Where mentions are looked for. Files are read as the tools read them. */
export interface ContextSources {
  readonly folders: readonly string[];
  readonly paths: WorkspacePaths;
  /** The editor that the person works in. */
  activeEditor(): vscode.TextEditor | undefined;
  readonly files: Files;
  /** Every file of the workspace that is not ignored, as people are shown it; at most a few seconds old. */
  names(): Promise<readonly string[]>;
  /** A file with a TODO comment that was found within the last minutes; undefined if there is none. */
  fileWithTodo(): Promise<string | undefined>;
  readonly sessions: Sessions;
  readonly terminals: TerminalOutputs;
  /** Absent where nobody looks after servers. */
  readonly mcp?: Pick<WorkspaceMcp, 'all'> | undefined;
}

const freshMilliseconds = 5_000;
/** The whole folder is searched for it, so what was found is kept for longer. */
const freshTodoMilliseconds = 10 * 60_000;
const searchMilliseconds = 3_000;

/** Where the messages of a window look, in the folders that are open now. */
export class KnownSources implements vscode.Disposable {
  private readonly terminals = new TerminalOutputs();
  private known: { readonly key: string; readonly sources: ContextSources | undefined } | undefined;

  constructor(
    private readonly sessions: Sessions,
    private readonly mcp: Pick<WorkspaceMcp, 'all'>,
  ) {}

  /** Undefined where no folder is open. */
  get now(): ContextSources | undefined {
    const key = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString()).join('\0');
    if (this.known?.key !== key) this.known = { key, sources: contextSources(this.sessions, this.terminals, this.mcp) };
    return this.known.sources;
  }

  dispose(): void {
    this.terminals.dispose();
  }
}

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
  const names = keptFor(freshMilliseconds, () => fileNames(paths, { folders, editorRoot: vscode.env.appRoot }));
  const fileWithTodo = keptFor(freshTodoMilliseconds, () => findTodo(folders));
  return {
    folders,
    paths,
    activeEditor: activeEditorFinder(),
    sessions,
    terminals,
    mcp,
    files: maskedFiles(editorFiles(paths, diskFiles({ folders }))),
    names,
    fileWithTodo,
  };
}

/** Asks again only when the answer is older than that. */
function keptFor<Answer>(milliseconds: number, ask: () => Promise<Answer>): () => Promise<Answer> {
  let known: { readonly at: number; readonly answer: Promise<Answer> } | undefined;
  return () => {
    if (!known || performance.now() - known.at > milliseconds) known = { at: performance.now(), answer: ask() };
    return known.answer;
  };
}

/** The search may be slow or missing: then there is nothing to offer. */
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
