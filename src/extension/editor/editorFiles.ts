import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { refuseFullDisk } from '../../adapters/storage/fullDisk';
import { maxFileBytes } from '../../adapters/files/diskRead';
import { decodeText, encodeText, type DecodedText } from '../../adapters/files/textEncoding';
import type { WorkspacePaths } from '../../adapters/files/workspacePaths';
import { FileProblem, type FileSnapshot, type FileWrite, type Files } from '../../core/ports/files';
import { isWithin } from '../../adapters/storage/diskPaths';
import { applyAndSave } from './applyAndSave';
import { editorUri } from './editorUri';
import { changedSince, OpenFiles, refuseSwapped } from './openFiles';
import { editOpenNotebook, openNotebookAt } from './openNotebook';

/** What a window's file access depends on. */
interface EditorFilesOptions {
  /** Returns whether formatters may run on save. Default: they may. */
  runsSaveActions?(): boolean;
  /**
   * Called after a file was written that had unsaved changes, which were saved with it. `typed`: the file as it would be
   * if only they had been saved.
   */
  onUnsavedSaved?(path: string, typed: Buffer): Promise<void>;
}

/**
 * File access through VS Code. Reads return the unsaved buffer. Writes are one `WorkspaceEdit` that is saved; it keeps
 * the undo stack, line endings, byte order mark and encoding, opens no tab and takes no focus. Listing and all refusals
 * come from `disk`, as do writes of files that VS Code would not save unchanged.
 */
export function editorFiles(
  paths: WorkspacePaths,
  disk: Files,
  { runsSaveActions = () => true, onUnsavedSaved }: EditorFilesOptions = {},
): Files {
  const open = new OpenFiles(paths, disk);

  async function writeOnDisk(changes: readonly FileWrite[], why: string): Promise<FileSnapshot[]> {
    const unsaved = changes.find(({ path }) => open.hasUnsaved(path));
    if (unsaved)
      throw new FileProblem(
        'not_permitted',
        `${unsaved.path} has unsaved changes, and ${why}. Nothing was written. Ask the user to save it first.`,
      );
    return disk.write(changes);
  }

  /**
   * Throws if the file has unsaved changes. Moves go through the disk, because VS Code would show a modal dialog about
   * updating imports.
   */
  function refuseUnsaved(path: string): void {
    if (open.hasUnsaved(path))
      throw new FileProblem(
        'not_permitted',
        `${paths.resolve(path, 'write').display} has unsaved changes in the editor, so it was not changed. Ask the user to save it.`,
      );
  }

  async function writeInEditors(changes: readonly FileWrite[]): Promise<FileSnapshot[]> {
    if (changes.some(({ path }) => open.notebook(path))) {
      // A notebook without unsaved changes is reloaded from disk.
      if (changes.length > 1) return writeOnDisk(changes, 'the same edit changes an open notebook');
      const written = await writeOpenNotebook(changes[0]!, open, disk);
      return written ? [written] : writeOnDisk(changes, 'the edit changes more than its cells');
    }
    return applyAndSave(changes, open);
  }

  return {
    read: (path) => open.read(path),
    readBytes: (path, most) => disk.readBytes(path, most),
    list: (path, options) => disk.list(path, options),
    async move(from, to, expected) {
      refuseUntrusted();
      refuseUnsaved(from);
      const before = paths.resolve(from, 'write').absolute;
      const shown = await disk.move(from, to, expected);
      // The file was moved, whether or not its tab follows.
      await reopenMoved(before, paths.resolve(to, 'write').absolute).catch(() => undefined);
      return shown;
    },
    async remove(path, expected) {
      refuseUntrusted();
      refuseUnsaved(path);
      return disk.remove(path, expected);
    },
    async write(changes) {
      refuseUntrusted();
      for (const change of changes) {
        const why = whyNotByEditor(change, paths.resolve(change.path, 'write').absolute);
        if (why !== undefined) return writeOnDisk(changes, why);
      }
      const unsaved = changes.filter(({ path }) => open.hasUnsaved(path));
      if (!runsSaveActions() && unsaved.length === 0) return disk.write(changes);
      const typed = await Promise.all(unsaved.map(({ path }) => typedIn(path, open)));
      const written = await writeInEditors(changes);
      for (const each of typed) if (each) await onUnsavedSaved?.(each.path, each.bytes);
      return written;
    },
  };
}

/** Returns a file as it would be after saving its unsaved changes. Undefined if its format is unknown. */
async function typedIn(
  path: string,
  open: OpenFiles,
): Promise<{ readonly path: string; readonly bytes: Buffer } | undefined> {
  const onDisk = formatOnDisk(open.paths.resolve(path, 'write').absolute);
  const bytes = onDisk && (await encodeText((await open.read(path)).text, onDisk));
  return bytes && { path, bytes };
}

/** Replaces tabs of a moved file, or of files in a moved folder, by tabs of where it is now. The focus stays. */
export async function reopenMoved(before: string, after: string): Promise<void> {
  const from = editorUri(before).fsPath;
  for (const { tabs, viewColumn } of vscode.window.tabGroups.all)
    for (const tab of tabs) {
      const { input } = tab;
      const isMoved =
        input instanceof vscode.TabInputText && input.uri.scheme === 'file' && isWithin(input.uri.fsPath, from);
      if (!isMoved || tab.isDirty) continue;
      const { uri } = input;
      const editor = vscode.window.visibleTextEditors.find(
        (each) => each.viewColumn === viewColumn && each.document.uri.toString() === uri.toString(),
      );
      const options: vscode.TextDocumentShowOptions & { readonly background: boolean } = {
        viewColumn,
        preserveFocus: true,
        preview: tab.isPreview,
        background: !tab.isActive,
        ...(editor && { selection: editor.selection }),
      };
      const target = editorUri(path.join(after, path.relative(from, uri.fsPath)));
      await vscode.commands.executeCommand('vscode.open', target, options);
      // A preview tab was replaced by the other one.
      const isThere = vscode.window.tabGroups.all.some((group) => group.tabs.includes(tab));
      if (isThere && !tab.isDirty) await vscode.window.tabGroups.close(tab, true);
    }
}

function refuseUntrusted(): void {
  if (vscode.workspace.isTrusted) return;
  throw new FileProblem(
    'untrusted',
    'This folder is not trusted, so Waymark changes nothing in it. Trust it in VS Code ("Manage Workspace Trust") and try again.',
  );
}

/** Returns why VS Code would not write a change exactly as intended, or undefined if it would. */
function whyNotByEditor({ text, expected }: FileWrite, absolute: string): string | undefined {
  // VS Code writes in place and so changes all hard links of a file. `disk` gives this name its own file.
  if (hasOtherNames(absolute)) return 'it has a second name on disk (a hard link)';
  if (text === null || expected === null) return undefined;
  const format = formatOnDisk(absolute);
  if (!format || isKeptByEditor(format)) return undefined;
  return 'VS Code would change its encoding or line endings when saving';
}

const hasOtherNames = (absolute: string): boolean => {
  const stat = fs.lstatSync(absolute, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.nlink > 1;
};

/**
 * Returns the encoding and line endings of a file. Returns undefined if it cannot be read; the write itself then fails.
 */
function formatOnDisk(absolute: string): DecodedText | undefined {
  try {
    if (fs.statSync(absolute).size > maxFileBytes) return undefined;
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
function isKeptByEditor({ format, text }: DecodedText): boolean {
  const { encoding, endings } = format;
  return encoding !== 'windows1252' && typeof endings === 'string' && !text.includes('\r');
}

/**
 * Changes the cells of an open notebook and saves it. Returns undefined, without writing anything, if the change
 * affects more than cells.
 */
async function writeOpenNotebook(
  { path, text, expected }: FileWrite,
  open: OpenFiles,
  disk: Files,
): Promise<FileSnapshot | undefined> {
  const place = open.paths.resolve(path, 'write');
  const { absolute, display } = place;
  const notebook = openNotebookAt(absolute);
  if (!notebook || text === null || expected === null) return undefined;
  const now = await open.read(path);
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
