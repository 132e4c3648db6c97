import * as vscode from 'vscode';
import type { History } from '../core/agent/history';
import type { FileChange } from '../protocol/details';
import { uriNamed } from './editorUri';

const SCHEME = 'waymark-before';

/** What files were before a change, for the diff editor. Virtual documents: no language service fetches anything for them. */
export class ChangeView implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly before = new Map<string, string>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);

  provideTextDocumentContent(uri: vscode.Uri): string { return this.before.get(uri.toString()) ?? ''; }

  /** Opens the change that an action made as a diff against the file as it is. Throws in words for the person. */
  async show(history: History, actionId: string, path: string, root: string): Promise<void> {
    const observation = history.find(event => event.type === 'observation' && event.actionId === actionId);
    const change = observation?.type === 'observation' && observation.details?.kind === 'edit' ? observation.details.changes.find(candidate => candidate.path === path) : undefined;
    if (!change) throw new Error(vscode.l10n.t('There is no change of {0} in this step.', path));
    const file = uriNamed(path, root);
    const now = change.kind === 'deleted' ? '' : (await vscode.workspace.openTextDocument(file)).getText().replaceAll('\r\n', '\n');
    const before = await undone(change, now);
    if (before === undefined) throw new Error(vscode.l10n.t('{0} was changed again since this step. The step itself shows what changed.', path));
    const left = vscode.Uri.from({ scheme: SCHEME, path: file.path, query: actionId });
    this.before.set(left.toString(), before);
    await vscode.commands.executeCommand('vscode.diff', left, file, vscode.l10n.t('{0} (this step)', path), { preview: true, preserveFocus: true });
  }

  dispose(): void { this.registration.dispose(); }
}

/** The text before a change, or undefined when the text after it has become another at these lines. */
async function undone({ hunks, kind }: FileChange, now: string): Promise<string | undefined> {
  if (kind === 'created') return '';
  const { applyPatch } = await import('diff');
  const turn = (line: string) => (line.startsWith('+') ? `-${line.slice(1)}` : line.startsWith('-') ? `+${line.slice(1)}` : line);
  const reversed = hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({ oldStart: newStart, oldLines: newLines, newStart: oldStart, newLines: oldLines, lines: lines.map(turn) }));
  const text = applyPatch(now, { oldFileName: 'now', newFileName: 'before', oldHeader: undefined, newHeader: undefined, hunks: reversed });
  return text === false ? undefined : text;
}
