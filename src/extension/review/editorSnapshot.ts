import * as vscode from 'vscode';
import { hashOf } from '../../adapters/checkpoints/blobStore';
import { diskSnapshot } from '../../adapters/checkpoints/changeSource';
import { usualLimits } from '../../adapters/checkpoints/coverage';
import { shownText, type Snapshot } from '../../core/changes/snapshot';
import { editorUri } from '../editor/editorUri';

const mark = '\ufeff';

/** The document of a file that a person has typed in since it was saved. */
export function unsavedDocument(file: string): vscode.TextDocument | undefined {
  const uri = editorUri(file).toString();
  return vscode.workspace.textDocuments.find((document) => document.isDirty && document.uri.toString() === uri);
}

/** A file as a person sees it: with what they typed and did not save. */
export function editorSnapshot(file: string): Snapshot {
  const disk = diskSnapshot(file, usualLimits.largestFile);
  const document = unsavedDocument(file);
  // Only of UTF-8 it is known which bytes an editor would write.
  if (!document || disk.text === undefined || disk.state?.kind !== 'file') return disk;
  const isPlain = shownText(disk.text) !== disk.text || !/[^\0-\x7f]/.test(disk.text);
  if (!isPlain) return disk;
  const hasMark = shownText(disk.text).startsWith(mark);
  const bytes = Buffer.from(`${hasMark ? mark : ''}${document.getText()}`, 'utf8');
  return {
    state: { kind: 'file', mode: disk.state.mode, size: bytes.length, hash: hashOf(bytes) },
    text: bytes.toString('latin1'),
  };
}

/** Replaces the text of a document, as one change that the editor can undo. */
export async function replaceText(document: vscode.TextDocument, text: string): Promise<boolean> {
  const shown = shownText(text);
  const whole = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, whole, shown.startsWith(mark) ? shown.slice(1) : shown);
  return vscode.workspace.applyEdit(edit);
}
