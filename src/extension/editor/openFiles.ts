import fs from 'node:fs';
import * as vscode from 'vscode';
import { textVersion } from '../../adapters/files/textVersion';
import type { WorkspacePath, WorkspacePaths } from '../../adapters/files/workspacePaths';
import { FileProblem, type FileSnapshot, type Files } from '../../core/ports/files';
import { editorUri } from './editorUri';
import { openNotebookAt, unsavedText } from './openNotebook';

/** The files of a session as they are open in the window. Files that are not open are read from `disk`. */
export class OpenFiles {
  constructor(
    readonly paths: WorkspacePaths,
    private readonly disk: Files,
  ) {}

  /** Reads the unsaved text of a file, or the file if it has no unsaved changes. Throws `FileProblem`. */
  async read(spelled: string): Promise<FileSnapshot> {
    const { absolute, display } = this.paths.resolve(spelled, 'read');
    const document = documentAt(absolute);
    if (document?.isDirty) return snapshotOf(document, display);
    const notebook = openNotebookAt(absolute);
    const text = notebook?.isDirty ? await unsavedText(notebook) : undefined;
    return text === undefined ? this.disk.read(spelled) : { path: display, text, version: textVersion(text) };
  }

  hasUnsaved(path: string): boolean {
    const { absolute } = this.paths.resolve(path, 'write');
    return documentAt(absolute)?.isDirty === true || openNotebookAt(absolute)?.isDirty === true;
  }

  notebook(path: string): vscode.NotebookDocument | undefined {
    return openNotebookAt(this.paths.resolve(path, 'write').absolute);
  }
}

function documentAt(absolute: string): vscode.TextDocument | undefined {
  const { fsPath } = editorUri(absolute);
  return vscode.workspace.textDocuments.find(
    (document) => !document.isClosed && document.uri.scheme === 'file' && document.uri.fsPath === fsPath,
  );
}

/** Returns the text of a document, with unified line endings. `path`: as shown to the model. */
export function snapshotOf(document: vscode.TextDocument, path: string): FileSnapshot {
  const text = withUnixLineEnds(document.getText());
  return { path, text, version: textVersion(text) };
}

/** Returns the text with "\n" as line end. A lone "\r" is not a line end and stays. */
export const withUnixLineEnds = (text: string): string => text.replace(/(?<!\r)\r+\n/g, '\n');

export const changedSince = (display: string): FileProblem =>
  new FileProblem(
    'changed',
    `You or another program changed ${display} since it was read. Nothing was written. Read it again.`,
  );

/** VS Code writes by path. This detects, but cannot prevent, that a folder on the way was replaced by a link. */
export function refuseSwapped({ absolute, display }: WorkspacePath): void {
  let real: string | undefined;
  try {
    real = fs.realpathSync.native(absolute);
  } catch {
    /* deleted meanwhile */
  }
  if (real !== undefined && real !== absolute)
    throw new FileProblem(
      'outside',
      `While ${display} was written, a folder in its path became a link. The text was written to ${real}. Check it before you continue.`,
    );
}
