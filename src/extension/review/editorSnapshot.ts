import * as vscode from 'vscode';
import { hashOf } from '../../adapters/checkpoints/blobStore';
import { shownText, type Snapshot } from '../../core/changes/snapshot';
import type { FileRestore } from '../../core/changes/undoPlan';
import { editorUri } from '../editor/editorUri';

const mark = '\ufeff';

/** The document of a file that a person has typed in since it was saved. */
export function unsavedDocument(file: string): vscode.TextDocument | undefined {
  const uri = editorUri(file).toString();
  return vscode.workspace.textDocuments.find((document) => document.isDirty && document.uri.toString() === uri);
}

/**
 * Which restores are made in an editor: those of files with unsaved changes. `unsaved` remembers their documents, by
 * path: they may be saved meanwhile, and are to be changed all the same.
 */
export const madeInEditors =
  (unsaved: Map<string, vscode.TextDocument>) =>
  (restore: FileRestore): boolean => {
    const document = unsaved.get(restore.path) ?? documentFor(restore);
    if (document) unsaved.set(restore.path, document);
    return document !== undefined;
  };

/** Undefined where it is made on the disk. */
function documentFor({ path, before, after }: FileRestore): vscode.TextDocument | undefined {
  // What goes, comes back, is no text or of another encoding is put back on the disk: no editor could do it.
  const isText = before.text !== undefined && after.text !== undefined && isUtf8(before.text);
  return isText ? unsavedDocument(path) : undefined;
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

/**
 * Makes an unsaved document what a restore says, as one change that the editor can undo. False where the person typed
 * since the restore was planned: the document then stays as it is.
 */
export async function restoreInEditor(document: vscode.TextDocument, { before, after }: FileRestore): Promise<boolean> {
  if (before.text === undefined || after.text === undefined) return false;
  if (linesAlike(document.getText()) !== linesAlike(shownText(before.text))) return false;
  const shown = shownText(after.text);
  const whole = new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, whole, shown.startsWith(mark) ? shown.slice(1) : shown);
  // VS Code refuses it where the document changed before the edit arrives.
  return vscode.workspace.applyEdit(edit);
}

/** Throws in words where documents stayed as they were. `shown` words a path. */
export function assertRestored([first]: readonly FileRestore[], shown: (path: string) => string): void {
  if (!first) return;
  const words = vscode.l10n.t(
    'The editor of {0} changed at the same moment, so Waymark changed nothing in it.',
    shown(first.path),
  );
  throw new Error(words);
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
