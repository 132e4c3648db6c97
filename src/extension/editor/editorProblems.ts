import * as vscode from 'vscode';
import type { WorkspacePaths } from '../../adapters/files/workspacePaths';
import type { KnownProblems } from '../../core/ports/codeServices';
import { editorUri } from './editorUri';
import { problemLine } from './problemLine';

/**
 * In ms: until the first diagnostics of a newly opened file, the quiet period after the last ones, and the maximum in
 * total.
 */
const waits = { first: 3_000, quiet: 400, most: 6_000 };

/** Returns the problems of one file, or of all files of the workspace that have diagnostics. */
export async function problemsOf(
  paths: WorkspacePaths,
  path: string | undefined,
  signal: AbortSignal,
): Promise<KnownProblems> {
  if (path !== undefined) {
    const uri = editorUri(paths.resolve(path, 'read').absolute);
    const isOpen = vscode.workspace.textDocuments.some((document) => document.uri.toString() === uri.toString());
    if (!isOpen) await openAndWait(uri, signal);
    return toKnownProblems(vscode.languages.getDiagnostics(uri), () => paths.resolve(path, 'read').display);
  }
  const all = vscode.languages.getDiagnostics().flatMap(([uri, found]) => {
    if (uri.scheme !== 'file' || !vscode.workspace.getWorkspaceFolder(uri)) return [];
    try {
      const displayPath = paths.resolve(uri.fsPath, 'read').display;
      return found.map((diagnostic) => ({ displayPath, diagnostic }));
    } catch {
      return []; // excluded by .agentignore
    }
  });
  return formatProblems(all);
}

const toKnownProblems = (found: readonly vscode.Diagnostic[], displayPath: () => string): KnownProblems =>
  formatProblems(found.map((diagnostic) => ({ displayPath: displayPath(), diagnostic })));

function formatProblems(
  all: readonly { readonly displayPath: string; readonly diagnostic: vscode.Diagnostic }[],
): KnownProblems {
  const wrong = all.filter(({ diagnostic }) => diagnostic.severity <= vscode.DiagnosticSeverity.Warning);
  const sorted = wrong.sort(
    (a, b) =>
      a.diagnostic.severity - b.diagnostic.severity ||
      a.displayPath.localeCompare(b.displayPath) ||
      a.diagnostic.range.start.line - b.diagnostic.range.start.line,
  );
  const errors = sorted.filter(({ diagnostic }) => diagnostic.severity === vscode.DiagnosticSeverity.Error).length;
  return {
    lines: sorted.map(({ displayPath, diagnostic }) => problemLine(displayPath, diagnostic)),
    errors,
    warnings: sorted.length - errors,
  };
}

/** Opens a file without a tab and waits until its diagnostics settle. */
async function openAndWait(uri: vscode.Uri, signal: AbortSignal): Promise<void> {
  let heard: () => void = () => undefined;
  const listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    if (uris.some((each) => each.toString() === uri.toString())) heard();
  });
  try {
    await vscode.workspace.openTextDocument(uri);
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(quiet);
        clearTimeout(most);
        signal.removeEventListener('abort', end);
        resolve();
      };
      let quiet = setTimeout(end, waits.first);
      const most = setTimeout(end, waits.most);
      heard = () => {
        clearTimeout(quiet);
        quiet = setTimeout(end, waits.quiet);
      };
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
    });
  } finally {
    listening.dispose();
  }
}
