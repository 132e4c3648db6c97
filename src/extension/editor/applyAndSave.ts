import * as vscode from 'vscode';
import { backUpContent, refuseFullDisk, type ContentBackup } from '../../adapters/storage/fullDisk';
import { textVersion } from '../../adapters/files/textVersion';
import type { WorkspacePath } from '../../adapters/files/workspacePaths';
import { FileProblem, type FileSnapshot, type FileWrite } from '../../core/ports/files';
import { editorUri } from './editorUri';
import { changedSince, refuseSwapped, snapshotOf, withUnixLineEnds, type OpenFiles } from './openFiles';

/**
 * Writes text files as one `WorkspaceEdit` and saves them. Returns their content, which a formatter may have changed;
 * deleted files are left out. Throws `FileProblem`, without writing anything, if a file is not as expected.
 */
export async function applyAndSave(changes: readonly FileWrite[], files: OpenFiles): Promise<FileSnapshot[]> {
  const edit = new vscode.WorkspaceEdit();
  const targets: Target[] = [];
  for (const change of changes) targets.push(await prepareChange(change, edit, files));
  if (!(await vscode.workspace.applyEdit(edit))) {
    for (const { backup, text } of targets) backup?.restore(text ?? '');
    throw new FileProblem(
      'not_permitted',
      `VS Code did not apply the change to ${targets.map(({ place }) => place.display).join(', ')}. The file may be read-only. Nothing was written.`,
    );
  }
  return Promise.all(
    targets
      .filter(({ text }) => text !== null)
      .map(async (target) => {
        const { place } = target;
        const snapshot = await saveDocument(target);
        refuseSwapped(place);
        return snapshot;
      }),
  );
}

interface Target {
  readonly place: WorkspacePath;
  readonly uri: vscode.Uri;
  readonly text: string | null;
  readonly backup?: ContentBackup | undefined;
}

/** Adds a change to the edit after checking that the file is as expected. */
async function prepareChange(
  { path, text, expected }: FileWrite,
  edit: vscode.WorkspaceEdit,
  files: OpenFiles,
): Promise<Target> {
  const place = files.paths.resolve(path, 'write');
  const { absolute, display } = place;
  // VS Code overwrites files in place. On a full disk the content would be lost.
  if (text !== null) refuseFullDisk(absolute, display, Buffer.byteLength(text));
  const backup = text === null ? undefined : backUpContent(absolute);
  const uri = editorUri(absolute);
  if (expected === null) {
    if (await exists(uri))
      throw new FileProblem(
        'exists',
        `${display} already exists, but did not when this edit was prepared. Read it first.`,
      );
    edit.createFile(uri, { contents: Buffer.from(text ?? '') });
    return { place, uri, text, backup };
  }
  const now = await files.read(path);
  if (now.version !== expected) throw changedSince(display);
  if (text === null) {
    edit.deleteFile(uri);
    return { place, uri, text };
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const shown = withUnixLineEnds(document.getText());
  if (textVersion(shown) !== expected)
    throw new FileProblem(
      'changed',
      `${display} changed while it was being opened. Nothing was written. Read it again.`,
    );
  const change = smallestChange(shown, text);
  if (change)
    edit.replace(uri, document.validateRange(new vscode.Range(change.fromLine, 0, change.toLine, 0)), change.text);
  return { place, uri, text, backup };
}

/** Saves the document and returns its content, which a formatter may have changed. */
async function saveDocument({ uri, text, backup, place: { display } }: Target): Promise<FileSnapshot> {
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.isDirty && !(await isSaved(document))) {
    const whole = backup?.restore(text ?? '') !== false;
    throw new FileProblem(
      'not_permitted',
      `${display} was changed in the editor but could not be saved. Its text is in the unsaved editor.${whole ? '' : ' The file itself may be incomplete: save it again as soon as possible.'}`,
    );
  }
  const snapshot = snapshotOf(document, display);
  const wasFormatted = snapshot.text !== withUnixLineEnds(text ?? '');
  return { ...snapshot, ...(wasFormatted && { wasFormatted }) };
}

/** How long to wait for a save that VS Code started itself, in ms. */
const ownSaveMs = 5000;

/**
 * Saves a document and returns whether that succeeded. While VS Code is already saving it (auto save) and waits for
 * formatters, `save` returns false immediately.
 */
async function isSaved(document: vscode.TextDocument): Promise<boolean> {
  let heard: (wasSaved: boolean) => void = () => undefined;
  const ownSave = new Promise<boolean>((resolve) => (heard = resolve));
  const listening = vscode.workspace.onDidSaveTextDocument((saved) => saved === document && heard(true));
  let timer: NodeJS.Timeout | undefined;
  try {
    if (await document.save()) return true;
    timer = setTimeout(() => heard(false), ownSaveMs);
    const wasSaved = await ownSave;
    return !document.isDirty || (wasSaved && document.save());
  } finally {
    clearTimeout(timer);
    listening.dispose();
  }
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

/** Returns the differing lines as a range of whole lines and their replacement, or undefined if the texts are equal. */
function smallestChange(before: string, after: string): { fromLine: number; toLine: number; text: string } | undefined {
  if (before === after) return undefined;
  const old = before.split('\n');
  const now = after.split('\n');
  let start = 0;
  while (start < old.length - 1 && start < now.length - 1 && old[start] === now[start]) start++;
  let end = 0;
  while (
    end < old.length - 1 - start &&
    end < now.length - 1 - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end++;
  // Replace whole lines up to the first equal line after the change, or up to the end of the document if there is none.
  const hasSameEnd = end > 0;
  return {
    fromLine: start,
    toLine: hasSameEnd ? old.length - end : Number.MAX_SAFE_INTEGER,
    text: now.slice(start, now.length - end).join('\n') + (hasSameEnd ? '\n' : ''),
  };
}
