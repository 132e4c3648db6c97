import * as vscode from 'vscode';
import { hashOf } from '../../adapters/checkpoints/blobStore';
import { shownText, type Snapshot } from '../../core/changes/snapshot';
import { editorUri } from '../editor/editorUri';

const mark = '\ufeff';

/** The document of a file that a person has typed in since it was saved. */
export function unsavedDocument(file: string): vscode.TextDocument | undefined {
  const uri = editorUri(file).toString();
  return vscode.workspace.textDocuments.find((document) => document.isDirty && document.uri.toString() === uri);
}

/** Only of UTF-8 it is known which bytes an editor would write. `text` has one character for each byte. */
const isUtf8 = (text: string): boolean => !/[^\0-\x7f]/.test(text) || shownText(text) !== text;

/** A file as a person sees it: with what they typed and did not save. `disk`: as it was saved. */
export function editorSnapshot(file: string, disk: Snapshot): Snapshot {
  const document = unsavedDocument(file);
  if (!document || disk.text === undefined || disk.state?.kind !== 'file') return disk;
  if (!isUtf8(disk.text)) return disk;
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

/** How long a document may take to follow its file, in milliseconds. Where nothing watches files it never does. */
const longestFollowing = 5000;

/**
 * Resolves when the open document of a file, if there is one without unsaved
 * changes, shows what the file holds: `disk`.
 */
export async function shownAsOnDisk(file: string, { text }: Snapshot): Promise<void> {
  if (text === undefined || !isUtf8(text)) return;
  const uri = editorUri(file).toString();
  const wanted = linesAlike(shownText(text));
  const isShown = (): boolean => {
    const document = vscode.workspace.textDocuments.find((each) => !each.isClosed && each.uri.toString() === uri);
    return !document || document.isDirty || linesAlike(document.getText()) === wanted;
  };
  if (isShown()) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(() => end(), longestFollowing);
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

/** An editor has no byte order mark and one kind of line ends. */
const linesAlike = (text: string): string => text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
