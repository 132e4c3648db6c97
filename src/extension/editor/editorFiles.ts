import fs from 'node:fs';
import * as vscode from 'vscode';
import { keptContent, refuseFullDisk, type KeptContent } from '../../adapters/storage/fullDisk';
import { largestFile } from '../../adapters/files/diskRead';
import { decodeText, type TextFormat } from '../../adapters/files/textEncoding';
import { textVersion } from '../../adapters/files/textVersion';
import type { WorkspacePath, WorkspacePaths } from '../../adapters/files/workspacePaths';
import { FileProblem, type FileSnapshot, type FileWrite, type Files } from '../../core/ports/environment';
import { editorUri } from './editorUri';
import { editOpenNotebook, openNotebookAt, unsavedText } from './openNotebook';

/**
 * Files as the editor sees them: reads give the unsaved buffer, writes are one `WorkspaceEdit` that keeps the undo
 * stack, line ends, byte order mark and encoding, opens no tab and takes no focus, and is saved. Listing and all
 * refusals are the disk's, and so is the writing of files that VS Code would not write back as they are.
 * `runsSaveActions`: whether formatters may change what is saved.
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
    // VS Code overwrites a file where it is: on a full disk nothing would be left of it.
    if (text !== null) refuseFullDisk(absolute, display, Buffer.byteLength(text));
    const kept = text === null ? undefined : keptContent(absolute);
    const uri = editorUri(absolute);
    if (expected === null) {
      if (await exists(uri))
        throw new FileProblem(
          'exists',
          `${display} exists already, and was not there when this was prepared. Read it first.`,
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
      throw new FileProblem('changed', `${display} changed while it was opened. Nothing was written. Read it again.`);
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

  /** Undefined where VS Code writes the change as it is meant; else why it would not. */
  async function whyNotByEditor({ path, text, expected }: FileWrite): Promise<string | undefined> {
    const { absolute } = paths.resolve(path, 'write');
    // VS Code writes into a file, and so into all of its names; the disk's own way gives the name a file of its own.
    if (hasOtherNames(absolute)) return 'it has, on the disk, a second name (a hard link)';
    if (text === null || expected === null) return undefined;
    const format = formatOnDisk(absolute);
    if (!format || isKeptByEditor(format)) return undefined;
    return 'VS Code would change its encoding or line ends on saving';
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
   * Changes the cells of an open notebook and saves it. Undefined where the change is none of cells; then nothing is
   * written.
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
   * VS Code itself would ask, in a dialog before everything else, whether imports shall
   * follow a moved file. So the disk moves it.
   */
  function refuseUnsaved(path: string): void {
    const { absolute, display } = paths.resolve(path, 'write');
    if (hasUnsaved(absolute))
      throw new FileProblem(
        'not_permitted',
        `${display} has unsaved changes in the editor, so it was left as it is. Ask the user to save it.`,
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
        // A notebook without unsaved changes follows its file.
        if (changes.length > 1) return writeOnDisk(changes, 'a notebook that is open is to be changed with it');
        const written = await writeOpenNotebook(changes[0]!);
        return written ? [written] : writeOnDisk(changes, 'the change is not one of its cells alone');
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
    `${display} was changed since it was read, by you or by another program. Nothing was written. Read it again.`,
  );

function refuseUntrusted(): void {
  if (vscode.workspace.isTrusted) return;
  throw new FileProblem(
    'untrusted',
    'This folder is not trusted, so nothing in it is changed. Trust it in VS Code ("Manage Workspace Trust") and try again.',
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

/** VS Code writes by path. Whoever put a link on the way meanwhile is found out, though not kept from it. */
function refuseSwapped({ absolute, display }: WorkspacePath): void {
  let real: string | undefined;
  try {
    real = fs.realpathSync.native(absolute);
  } catch {
    /* gone again */
  }
  if (real !== undefined && real !== absolute)
    throw new FileProblem(
      'outside',
      `While ${display} was written, a folder on the way became a link. What was written is in ${real}; look at it before going on.`,
    );
}

/** What the bytes of a file say beside its text; undefined for what cannot be read, which the write itself refuses. */
function formatOnDisk(absolute: string): { readonly format: TextFormat; readonly text: string } | undefined {
  try {
    if (fs.statSync(absolute).size > largestFile) return undefined;
    const decoded = decodeText(fs.readFileSync(absolute));
    return typeof decoded === 'string' ? undefined : decoded;
  } catch {
    return undefined;
  }
}

/** VS Code makes all line ends of a file alike, a lone "\r" among them, and reads files without a mark as UTF-8. */
function isKeptByEditor({ format, text }: { readonly format: TextFormat; readonly text: string }): boolean {
  const { encoding, endings } = format;
  return encoding !== 'windows1252' && typeof endings === 'string' && !text.includes('\r');
}

/** Saves the document and returns its content: a formatter may have run. */
async function saved({ uri, text, kept, place: { display } }: Target): Promise<FileSnapshot> {
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.isDirty && !(await isSaved(document))) {
    const whole = kept?.restore(text ?? '') !== false;
    throw new FileProblem(
      'not_permitted',
      `${display} was changed in the editor but could not be saved. Its text is in the unsaved editor.${whole ? '' : ' The file itself may not be whole: save it again as soon as it can be.'}`,
    );
  }
  const snapshot = snapshotOf(document, display);
  const wasFormatted = snapshot.text !== unified(text ?? '');
  return { ...snapshot, ...(wasFormatted && { wasFormatted }) };
}

/** How long a save that VS Code began itself is waited for. Milliseconds. */
const ownSaveMs = 5000;

/**
 * Saves a document and says whether that went well. While VS Code saves it already, as auto save does, and waits for
 * formatters, `save` answers at once that nothing was saved.
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

/**
 * The lines that differ, as a range of whole lines and what stands there afterwards; undefined when nothing differs.
 */
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
  // Whole lines up to the start of the first equal one; without such a line, up to the end of the document.
  const hasSameEnd = end > 0;
  return {
    fromLine: start,
    toLine: hasSameEnd ? old.length - end : Number.MAX_SAFE_INTEGER,
    text: now.slice(start, now.length - end).join('\n') + (hasSameEnd ? '\n' : ''),
  };
}
