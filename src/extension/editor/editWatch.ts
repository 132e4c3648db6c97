import * as vscode from 'vscode';

/** Debounce delay: a save with a formatter causes several changes at once. */
const settleMs = 150;

interface Followed {
  readonly files: ReadonlySet<string>;
  readonly watchers: vscode.Disposable;
  readonly changed: () => void;
}

/** Reports changes of the files of waiting edits: in the editor, saved or not, and on disk. */
export class EditWatch implements vscode.Disposable {
  private readonly followed = new Map<string, Followed>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly typing = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    if (contentChanges.length > 0) this.fileTouched(document.uri);
  });

  /** Calls `changed` after each change of one of the files, until `forget` or the next `follow` for the same `key`. */
  follow(key: string, files: readonly vscode.Uri[], changed: () => Promise<void>): void {
    const names = files.map((each) => each.toString());
    const known = this.followed.get(key);
    if (known && names.length === known.files.size && names.every((name) => known.files.has(name))) return;
    this.forget(key);
    const watchers = vscode.Disposable.from(...files.map((file) => this.onDisk(file)));
    this.followed.set(key, { files: new Set(names), watchers, changed: () => void changed() });
  }

  forget(key: string): void {
    clearTimeout(this.timers.get(key));
    this.timers.delete(key);
    this.followed.get(key)?.watchers.dispose();
    this.followed.delete(key);
  }

  dispose(): void {
    for (const key of [...this.followed.keys()]) this.forget(key);
    this.typing.dispose();
  }

  private onDisk(file: vscode.Uri): vscode.Disposable {
    const folder = vscode.Uri.joinPath(file, '..');
    const name = file.path.slice(file.path.lastIndexOf('/') + 1);
    // In a glob pattern, brackets escape a special character.
    const literal = name.replace(/[*?[\]{}]/g, (sign) => `[${sign}]`);
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, literal));
    const touched = (): void => this.fileTouched(file);
    return vscode.Disposable.from(
      watcher,
      watcher.onDidChange(touched),
      watcher.onDidCreate(touched),
      watcher.onDidDelete(touched),
    );
  }

  private fileTouched(file: vscode.Uri): void {
    const name = file.toString();
    for (const [key, { files, changed }] of this.followed) {
      if (!files.has(name)) continue;
      clearTimeout(this.timers.get(key));
      this.timers.set(key, setTimeout(changed, settleMs));
    }
  }
}
