import * as vscode from 'vscode';
import type { SessionCheckpoints } from '../../adapters/checkpoints/sessionCheckpoints';
import { inRealFolder } from '../../adapters/files/realPath';

/**
 * Tells the runs of this window which files the user saves or creates in editors while commands run, so that these
 * changes are not attributed to the commands. Writes of other programs cannot be told apart from those of a command.
 */
export class PersonSaves implements vscode.Disposable {
  private readonly listening: vscode.Disposable;

  constructor(
    private readonly runs: () => readonly SessionCheckpoints[],
    private readonly onProblem: (problem: unknown) => void,
  ) {
    this.listening = vscode.Disposable.from(
      vscode.workspace.onWillSaveTextDocument((event) => {
        const looked = this.each(event.document.uri, (run, place) => run.beforePersonSaves(place));
        event.waitUntil(looked.then(() => []));
      }),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => void this.saved(uri)),
      vscode.workspace.onDidCreateFiles(({ files }) => files.forEach((uri) => void this.saved(uri))),
      vscode.workspace.onDidDeleteFiles(({ files }) => files.forEach((uri) => void this.saved(uri))),
      vscode.workspace.onDidRenameFiles(({ files }) =>
        files.forEach(({ oldUri, newUri }) => {
          void this.saved(oldUri);
          void this.saved(newUri);
        }),
      ),
    );
  }

  dispose(): void {
    this.listening.dispose();
  }

  private saved(uri: vscode.Uri): Promise<void> {
    return this.each(uri, (run, place) => run.afterPersonSaved(place));
  }

  /** Calls `tell` for each run, unless a tool is writing the file. Never rejects. */
  private async each(uri: vscode.Uri, tell: (run: SessionCheckpoints, place: string) => Promise<void>): Promise<void> {
    const runs = this.runs();
    if (uri.scheme !== 'file' || runs.length === 0) return;
    const place = inRealFolder(uri.fsPath);
    if (runs.some((run) => run.isEditing(place))) return;
    await Promise.all(runs.map((run) => tell(run, place).catch((problem: unknown) => this.onProblem(problem))));
  }
}
