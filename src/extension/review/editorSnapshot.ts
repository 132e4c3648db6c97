import * as vscode from 'vscode';
import { blobHash } from '../../adapters/checkpoints/packGroups';
import { shownText, type Snapshot } from '../../core/changes/snapshot';
import type { FileRestore } from '../../core/changes/undoPlan';
import { editorUri } from '../editor/editorUri';

const byteOrderMark = '\ufeff';

/** Returns the document of a file if it has unsaved changes. */
function unsavedDocument(file: string): vscode.TextDocument | undefined {
  const uri = editorUri(file).toString();
  return vscode.workspace.textDocuments.find((document) => document.isDirty && document.uri.toString() === uri);
}

/**
 * Returns which restores are made in an editor: those of files with unsaved changes. `unsaved` collects their documents
 * by path, so that they are still changed in the editor if they are saved meanwhile.
 */
export const madeInEditors =
  (unsaved: Map<string, vscode.TextDocument>) =>
  (restore: FileRestore): boolean => {
    const document = unsaved.get(restore.path) ?? documentFor(restore);
    if (document) unsaved.set(restore.path, document);
    return document !== undefined;
  };

/** Returns undefined if the restore is made on disk. */
function documentFor({ path, before, after }: FileRestore): vscode.TextDocument | undefined {
  // A creation, a deletion, binary content or another encoding cannot be restored through an editor.
  const isText = before.text !== undefined && after.text !== undefined && isUtf8(before.text);
  return isText ? unsavedDocument(path) : undefined;
}

/**
 * For encodings other than UTF-8, the bytes that an editor would write are unknown. `text` has one character per byte.
 */
const isUtf8 = (text: string): boolean => !/[^\0-\x7f]/.test(text) || shownText(text) !== text;

/** Returns a file with its unsaved changes. `disk`: the saved state. */
export function editorSnapshot(file: string, disk: Snapshot): Snapshot {
  const document = unsavedDocument(file);
  if (!document || disk.text === undefined || disk.state?.kind !== 'file') return disk;
  if (!isUtf8(disk.text)) return disk;
  const hasMark = shownText(disk.text).startsWith(byteOrderMark);
  const bytes = Buffer.from(`${hasMark ? byteOrderMark : ''}${document.getText()}`, 'utf8');
  return {
    state: { kind: 'file', mode: disk.state.mode, size: bytes.length, hash: blobHash(bytes) },
    text: bytes.toString('latin1'),
  };
}

/**
 * Restores an unsaved document as one undoable edit. Returns false, without changes, if the user has typed since the
 * restore was planned.
 */
export async function restoreInEditor(document: vscode.TextDocument, { before, after }: FileRestore): Promise<boolean> {
  if (before.text === undefined || after.text === undefined) return false;
  if (withUniformLines(document.getText()) !== withUniformLines(shownText(before.text))) return false;
  const shown = shownText(after.text);
  const whole = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, whole, shown.startsWith(byteOrderMark) ? shown.slice(1) : shown);
  // VS Code rejects the edit if the document changes before it is applied.
  return vscode.workspace.applyEdit(edit);
}

/**
 * Throws an `Error` with a message for people if any document was not restored. `shown`: returns the display name of a
 * path.
 */
export function assertRestored([first]: readonly FileRestore[], shown: (path: string) => string): void {
  if (!first) return;
  const words = vscode.l10n.t(
    'The editor of {0} changed at the same moment, so Waymark changed nothing in it.',
    shown(first.path),
  );
  throw new Error(words);
}

/** How long a document may take to reload its file, in ms. Without a file watcher it never does. */
const maxReloadMs = 5000;

/**
 * Resolves when the open document of a file shows the content of `disk`, or after 5 seconds. Resolves immediately if
 * there is no open document without unsaved changes, or if the content is not UTF-8 text.
 */
export async function shownAsOnDisk(file: string, { text }: Snapshot): Promise<void> {
  if (text === undefined || !isUtf8(text)) return;
  const uri = editorUri(file).toString();
  const wanted = withUniformLines(shownText(text));
  const isShown = (): boolean => {
    const document = vscode.workspace.textDocuments.find((each) => !each.isClosed && each.uri.toString() === uri);
    return !document || document.isDirty || withUniformLines(document.getText()) === wanted;
  };
  if (isShown()) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => end(), maxReloadMs);
    const listening = vscode.workspace.onDidChangeTextDocument(() => {
      if (isShown()) end();
    });
    const end = (): void => {
      clearTimeout(timer);
      listening.dispose();
      resolve();
    };
  });
}

/** A document has no byte order mark and uniform line endings. */
const withUniformLines = (text: string): string => text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
