import fs from 'node:fs';
import * as vscode from 'vscode';
import { keptContent, refuseFullDisk, type KeptContent } from '../../adapters/storage/fullDisk';
import { largestFile } from '../../adapters/files/diskRead';
import { decodeText, type TextFormat } from '../../adapters/files/textEncoding';
import { textVersion } from '../../adapters/files/textVersion';
import type { WorkspacePath, WorkspacePaths } from '../../adapters/files/workspacePaths';
import { FileProblem, type FileSnapshot, type FileWrite, type Files } from '../../core/ports/files';
import { editorUri } from './editorUri';
import { editOpenNotebook, openNotebookAt, unsavedText } from './openNotebook';

/**
 * File access through VS Code. Reads return the unsaved buffer. Writes are one `WorkspaceEdit` that is saved; it keeps
 * the undo stack, line endings, byte order mark and encoding, opens no tab and takes no focus. Listing and all refusals
 * come from `disk`, as do writes of files that VS Code would not save unchanged. `runsSaveActions`: returns whether
 * formatters may run on save.
 */
export function editorFiles(paths: WorkspacePaths, disk: Files, runsSaveActions: () => boolean = () => true): Files {
  const openAt = (absolute: string) => {
    const { fsPath } = editorUri(absolute);
    return vscode.workspace.textDocuments.find(
      (document) => !document.isClosed && document.uri.scheme === 'file' && document.uri.fsPath === fsPath,
    );
  };

  async function read(spelled: string): Promise<FileSnapshot> {
    const { absolute, display } = paths.resolve(spelled, 'read');
    const document = openAt(absolute);
    if (document?.isDirty) return snapshotOf(document, display);
    const notebook = openNotebookAt(absolute);
    const text = notebook?.isDirty ? await unsavedText(notebook) : undefined;
    return text === undefined ? disk.read(spelled) : { path: display, text, version: textVersion(text) };
  }

  async function prepared({ path, text, expected }: FileWrite, edit: vscode.WorkspaceEdit): Promise<Target> {
    const place = paths.resolve(path, 'write');
    const { absolute, display } = place;
    // VS Code overwrites files in place. On a full disk the content would be lost.
    if (text !== null) refuseFullDisk(absolute, display, Buffer.byteLength(text));
    const kept = text === null ? undefined : keptContent(absolute);
    const uri = editorUri(absolute);
    if (expected === null) {
      if (await exists(uri))
        throw new FileProblem(
          'exists',
          `${display} already exists, but did not when this edit was prepared. Read it first.`,
        );
      edit.createFile(uri, { contents: Buffer.from(text ?? '') });
      return { place, uri, text, kept };
    }
    const now = await read(path);
    if (now.version !== expected) throw changedSince(display);
    if (text === null) {
      edit.deleteFile(uri);
      return { place, uri, text };
    }
    const document = await vscode.workspace.openTextDocument(uri);
    const shown = unified(document.getText());
    if (textVersion(shown) !== expected)
      throw new FileProblem(
        'changed',
        `${display} changed while it was being opened. Nothing was written. Read it again.`,
      );
    const change = smallestChange(shown, text);
    if (change)
      edit.replace(uri, document.validateRange(new vscode.Range(change.fromLine, 0, change.toLine, 0)), change.text);
    return { place, uri, text, kept };
  }

  const hasUnsaved = (absolute: string): boolean =>
    openAt(absolute)?.isDirty === true || openNotebookAt(absolute)?.isDirty === true;
  const isUnsaved = ({ path }: FileWrite): boolean => hasUnsaved(paths.resolve(path, 'write').absolute);
  const isOpenNotebook = ({ path }: FileWrite): boolean =>
    openNotebookAt(paths.resolve(path, 'write').absolute) !== undefined;

  /** Returns why VS Code would not write the change exactly as intended, or undefined if it would. */
  async function whyNotByEditor({ path, text, expected }: FileWrite): Promise<string | undefined> {
    const { absolute } = paths.resolve(path, 'write');
    // VS Code writes in place and so changes all hard links of a file. `disk` gives this name its own file.
    if (hasOtherNames(absolute)) return 'it has a second name on disk (a hard link)';
    if (text === null || expected === null) return undefined;
    const format = formatOnDisk(absolute);
    if (!format || isKeptByEditor(format)) return undefined;
    return 'VS Code would change its encoding or line endings when saving';
  }

  async function writeOnDisk(changes: readonly FileWrite[], why: string): Promise<FileSnapshot[]> {
    const unsaved = changes.find(isUnsaved);
    if (unsaved)
      throw new FileProblem(
        'not_permitted',
        `${unsaved.path} has unsaved changes, and ${why}. Nothing was written. Ask the user to save it first.`,
      );
    return disk.write(changes);
  }

  /**
   * Changes the cells of an open notebook and saves it. Returns undefined, without writing anything, if the change
   * affects more than cells.
   */
  async function writeOpenNotebook({ path, text, expected }: FileWrite): Promise<FileSnapshot | undefined> {
    const place = paths.resolve(path, 'write');
    const { absolute, display } = place;
    const notebook = openNotebookAt(absolute);
    if (!notebook || text === null || expected === null) return undefined;
    const now = await read(path);
    if (now.version !== expected) throw changedSince(display);
    refuseFullDisk(absolute, display, Buffer.byteLength(text));
    const isEdited = await editOpenNotebook(notebook, now.text, text);
    if (isEdited === undefined) return undefined;
    if (!isEdited || !(await notebook.save()))
      throw new FileProblem(
        'not_permitted',
        `${display} is open in the notebook editor, which did not ${isEdited ? 'save' : 'take'} the change.`,
      );
    refuseSwapped(place);
    const after = await disk.read(path);
    const wasFormatted = after.text !== text;
    return { ...after, ...(wasFormatted && { wasFormatted }) };
  }

  /**
   * Throws if the file has unsaved changes. Moves go through the disk, because VS Code would show a modal dialog about
   * updating imports.
   */
  function refuseUnsaved(path: string): void {
    const { absolute, display } = paths.resolve(path, 'write');
    if (hasUnsaved(absolute))
      throw new FileProblem(
        'not_permitted',
        `${display} has unsaved changes in the editor, so it was not changed. Ask the user to save it.`,
      );
  }

  return {
    read,
    readBytes: (path, most) => disk.readBytes(path, most),
    list: (path, options) => disk.list(path, options),
    async move(from, to, expected) {
      refuseUntrusted();
      refuseUnsaved(from);
      return disk.move(from, to, expected);
    },
    async remove(path, expected) {
      refuseUntrusted();
      refuseUnsaved(path);
      return disk.remove(path, expected);
    },
    async write(changes) {
      refuseUntrusted();
      for (const change of changes) {
        const why = await whyNotByEditor(change);
        if (why !== undefined) return writeOnDisk(changes, why);
      }
      if (!runsSaveActions() && !changes.some(isUnsaved)) return disk.write(changes);
      if (changes.some(isOpenNotebook)) {
        // A notebook without unsaved changes is reloaded from disk.
        if (changes.length > 1) return writeOnDisk(changes, 'the same edit changes an open notebook');
        const written = await writeOpenNotebook(changes[0]!);
        return written ? [written] : writeOnDisk(changes, 'the edit changes more than its cells');
      }
      const edit = new vscode.WorkspaceEdit();
      const targets: Target[] = [];
      for (const change of changes) targets.push(await prepared(change, edit));
      if (!(await vscode.workspace.applyEdit(edit))) {
        for (const { kept, text } of targets) kept?.restore(text ?? '');
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
            const snapshot = await saved(target);
            refuseSwapped(place);
            return snapshot;
          }),
      );
    },
  };
}

const changedSince = (display: string): FileProblem =>
  new FileProblem(
    'changed',
    `You or another program changed ${display} since it was read. Nothing was written. Read it again.`,
  );

function refuseUntrusted(): void {
  if (vscode.workspace.isTrusted) return;
  throw new FileProblem(
    'untrusted',
    'This folder is not trusted, so Waymark changes nothing in it. Trust it in VS Code ("Manage Workspace Trust") and try again.',
  );
}

interface Target {
  readonly place: WorkspacePath;
  readonly uri: vscode.Uri;
  readonly text: string | null;
  readonly kept?: KeptContent | undefined;
}

const hasOtherNames = (absolute: string): boolean => {
  const stat = fs.lstatSync(absolute, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.nlink > 1;
};

/** VS Code writes by path. This detects, but cannot prevent, that a folder on the way was replaced by a link. */
function refuseSwapped({ absolute, display }: WorkspacePath): void {
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

/**
 * Returns the encoding and line endings of a file. Returns undefined if it cannot be read; the write itself then fails.
 */
function formatOnDisk(absolute: string): { readonly format: TextFormat; readonly text: string } | undefined {
  try {
    if (fs.statSync(absolute).size > largestFile) return undefined;
    const decoded = decodeText(fs.readFileSync(absolute));
    return typeof decoded === 'string' ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/**
 * True if VS Code would keep the format. It normalizes mixed line endings, including a lone "\\r", and reads files
 * without a byte order mark as UTF-8.
 */
function isKeptByEditor({ format, text }: { readonly format: TextFormat; readonly text: string }): boolean {
  const { encoding, endings } = format;
  return encoding !== 'windows1252' && typeof endings === 'string' && !text.includes('\r');
}

/** Saves the document and returns its content, which a formatter may have changed. */
async function saved({ uri, text, kept, place: { display } }: Target): Promise<FileSnapshot> {
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.isDirty && !(await isSaved(document))) {
    const whole = kept?.restore(text ?? '') !== false;
    throw new FileProblem(
      'not_permitted',
      `${display} was changed in the editor but could not be saved. Its text is in the unsaved editor.${whole ? '' : ' The file itself may be incomplete: save it again as soon as possible.'}`,
    );
  }
  const snapshot = snapshotOf(document, display);
  const wasFormatted = snapshot.text !== unified(text ?? '');
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

function snapshotOf(document: vscode.TextDocument, path: string): FileSnapshot {
  const text = unified(document.getText());
  return { path, text, version: textVersion(text) };
}

const unified = (text: string) => text.replace(/(?<!\r)\r+\n/g, '\n');

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
