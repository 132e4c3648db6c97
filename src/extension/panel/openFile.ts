import * as vscode from 'vscode';
import { uriNamed } from '../editor/editorUri';
import type { SessionEnvironment } from '../sessions/sessionEnvironment';

/** Opens a file that the conversation names. Throws a `FileProblem` in words for what lies outside or cannot be shown. */
export async function openFile({ root, files }: SessionEnvironment, path: string, line = 1): Promise<void> {
  await files.read(path);
  const position = new vscode.Position(line - 1, 0);
  await vscode.window.showTextDocument(uriNamed(path, root), {
    preview: true,
    selection: new vscode.Range(position, position),
  });
}
