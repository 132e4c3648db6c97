import * as vscode from 'vscode';
import type { Position } from '../../core/mcp/server';
import type { WorkspaceMcp } from './workspaceMcp';

/** What is wrong with the files that name servers, in the Problems panel. Told once the servers were looked at: for the list of them, or for a task. */
export function mcpProblems(mcp: WorkspaceMcp): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('waymark-mcp');
  const tell = (): void => {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const byFile = new Map<string, vscode.Diagnostic[]>();
    for (const { severity, message, file, from, to } of mcp.known?.problems ?? []) {
      const folder =
        folders.slice(1).find(({ uri }) => file.startsWith(`${uri.path.split('/').at(-1)}/`)) ?? folders[0];
      if (!folder || file === 'settings') continue;
      const uri = vscode.Uri.joinPath(
        folder.uri,
        folder === folders[0] ? file : file.slice(file.indexOf('/') + 1),
      ).toString();
      const diagnostic = new vscode.Diagnostic(
        new vscode.Range(at(from), at(to)),
        message,
        severity === 'error' ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning,
      );
      diagnostic.source = 'Waymark';
      byFile.set(uri, [...(byFile.get(uri) ?? []), diagnostic]);
    }
    collection.clear();
    for (const [uri, diagnostics] of byFile) collection.set(vscode.Uri.parse(uri), diagnostics);
  };
  return vscode.Disposable.from(collection, mcp.onDidChange(tell));
}

const at = ({ line, column }: Position): vscode.Position => new vscode.Position(line - 1, column - 1);
