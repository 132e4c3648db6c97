import * as vscode from 'vscode';
import { createHash } from 'node:crypto';
import path from 'node:path';
import { FolderProvenance } from '../../adapters/provenance/folderProvenance';
import { unifyLineEndings } from '../../adapters/files/textEncoding';
import { withoutOwnFiles } from '../../adapters/storage/skippedFolders';
import type { MarkedText, StepOrigin } from '../../core/trajectory/provenance';
import { withSlashes, realPath } from '../../adapters/storage/diskPaths';

/** Maximum length of a text whose lines are attributed, in characters. */
const maxCharacters = 2 * 1024 * 1024;

interface Folder {
  /** Absolute paths: as VS Code spells it, and with links resolved. */ readonly names: readonly string[];
  readonly provenance: FolderProvenance;
}
interface Looked {
  readonly version: number;
  readonly typed: boolean;
  readonly marks: Promise<MarkedText | undefined>;
}

/**
 * Records which lines of the workspace's files the agent wrote. Listens to editors and the disk. Inactive while the
 * workspace is not trusted.
 */
export class WindowProvenance implements vscode.Disposable {
  private readonly folders = new Map<string, Folder>();
  private readonly looked = new Map<string, Looked>();
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  /** The marks of this file may have changed. */
  readonly onDidChange = this.changes.event;
  private readonly listening: vscode.Disposable[];
  private watcher: vscode.Disposable | undefined;
  /** Resolves when the records of folders that were removed are stored. */
  private leaving: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly storage: vscode.Uri,
    private readonly failed: (problem: unknown) => void,
  ) {
    this.listening = [
      vscode.workspace.onDidSaveTextDocument((document) => {
        const place =
          document.uri.scheme === 'file' && document.getText().length <= maxCharacters
            ? this.provenanceOf(document.uri.fsPath)
            : undefined;
        place?.provenance.saved(place.relative, unifyLineEndings(document.getText()).text);
      }),
      vscode.workspace.onDidRenameFiles(({ files }) => {
        for (const { oldUri, newUri } of files) {
          const [from, to] = [this.provenanceOf(oldUri.fsPath), this.provenanceOf(newUri.fsPath)];
          if (from && to && from.provenance === to.provenance) from.provenance.renamed(from.relative, to.relative);
        }
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.looked.delete(uri.toString())),
    ];
  }

  /** Called when the agent starts to work: reads the current state and starts watching the disk. */
  begin(): void {
    for (const folder of this.openFolders()) void folder.provenance.begin();
    if (this.watcher || !vscode.workspace.isTrusted) return;
    // VS Code runs this watcher anyway, so large folders cost nothing extra.
    const watcher = vscode.workspace.createFileSystemWatcher('**/*');
    const onChange = ({ scheme, fsPath }: vscode.Uri): void => {
      const place = scheme === 'file' ? this.provenanceOf(fsPath) : undefined;
      if (place && !place.relative.split('/').some((name) => withoutOwnFiles.has(name)))
        place.provenance.fileChanged(place.relative);
    };
    this.watcher = vscode.Disposable.from(
      watcher,
      watcher.onDidCreate(onChange),
      watcher.onDidChange(onChange),
      watcher.onDidDelete(onChange),
    );
  }

  /** Returns undefined if the file is not in a workspace folder or the workspace is not trusted. */
  provenanceOf(absolute: string): { readonly provenance: FolderProvenance; readonly relative: string } | undefined {
    for (const { names, provenance } of this.openFolders()) {
      const name = names.find((each) => absolute.startsWith(each + path.sep));
      if (name !== undefined)
        return {
          provenance,
          relative: withSlashes(absolute.slice(name.length + 1)),
        };
    }
    return undefined;
  }

  /** Resolves to a function to call when the command has ended. */
  async commandBegan(by: StepOrigin): Promise<() => void> {
    const ends = await Promise.all(this.openFolders().map(({ provenance }) => provenance.commandBegan(by)));
    return () => {
      for (const ended of ends) ended();
    };
  }

  /** Returns the lines of a document with their authors, or undefined if the agent did not change it. */
  marksOf(document: vscode.TextDocument): Promise<MarkedText | undefined> {
    const key = document.uri.toString();
    const known = this.looked.get(key);
    const { version, isDirty: typed } = document;
    if (known?.version === version && known.typed === typed) return known.marks;
    const place = document.uri.scheme === 'file' ? this.provenanceOf(document.uri.fsPath) : undefined;
    const text = document.getText();
    if (!place || text.length > maxCharacters) return Promise.resolve(undefined);
    const marks = place.provenance
      .marksOf(place.relative, unifyLineEndings(text).text, typed)
      .catch((error: unknown) => {
        this.failed(error);
        return undefined;
      });
    this.looked.set(key, { version, typed, marks });
    return marks;
  }

  /** Resolves when everything reported so far is stored. */
  async settled(): Promise<void> {
    await Promise.all([this.leaving, ...[...this.folders.values()].map(({ provenance }) => provenance.settled())]);
  }

  dispose(): void {
    for (const each of [...this.listening, this.changes]) each.dispose();
    this.watcher?.dispose();
    for (const { provenance } of this.folders.values()) provenance.dispose();
  }

  private openFolders(): Folder[] {
    if (!vscode.workspace.isTrusted) return [];
    const open = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
    const folders = open.map(({ uri }) => this.folder(uri));
    if (this.folders.size > folders.length) this.forgetOthers(folders);
    return folders;
  }

  /** Frees the texts of folders that were removed from the workspace. What is stored stays. */
  private forgetOthers(open: readonly Folder[]): void {
    for (const [key, folder] of this.folders) {
      if (open.includes(folder)) continue;
      this.folders.delete(key);
      const left = folder.provenance.settled().then(() => folder.provenance.dispose(), this.failed);
      this.leaving = Promise.all([this.leaving, left]);
    }
  }

  /** Marks are stored per folder, not per workspace, so a folder has the same marks in a multi-root workspace. */
  private folder(uri: vscode.Uri): Folder {
    const key = uri.toString();
    const known = this.folders.get(key);
    if (known) return known;
    const real = realPath(uri.fsPath);
    const storageFolder = vscode.Uri.joinPath(
      this.storage,
      'workspaces',
      createHash('sha256').update(key).digest('hex').slice(0, 16),
      'provenance',
    ).fsPath;
    const provenance = new FolderProvenance(
      real,
      storageFolder,
      (relative) => {
        for (const name of folder.names) {
          const changed = vscode.Uri.file(path.join(name, relative));
          this.looked.delete(changed.toString());
          this.changes.fire(changed);
        }
      },
      this.failed,
    );
    const folder: Folder = { names: [...new Set([uri.fsPath, real])], provenance };
    this.folders.set(key, folder);
    return folder;
  }
}
