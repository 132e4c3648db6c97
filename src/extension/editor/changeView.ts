import * as vscode from 'vscode';
import type { History } from '../../core/log/history';
import type { FileChange } from '../../protocol/events/details';
import { uriNamed } from './editorUri';

const SCHEME = 'waymark-text';

/**
 * Shows changes of files in the diff editor. Where a side is no file of the disk, it is a virtual document: no language service
 * fetches anything for it.
 */
export class ChangeView implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  readonly onDidChange = this.changed.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  /** Opens the change that an action made as a diff against the file as it is. Throws in words for the person. */
  async show(history: History, actionId: string, path: string, root: string): Promise<void> {
    const observation = history.find((event) => event.type === 'observation' && event.actionId === actionId);
    const change =
      observation?.type === 'observation' && observation.details?.kind === 'edit'
        ? observation.details.changes.find((candidate) => candidate.path === path)
        : undefined;
    if (!change) throw new Error(vscode.l10n.t('There is no change of {0} in this step.', path));
    const file = uriNamed(path, root);
    const now =
      change.kind === 'deleted'
        ? ''
        : (await vscode.workspace.openTextDocument(file)).getText().replaceAll('\r\n', '\n');
    const before = await undone(change, now);
    if (before === undefined)
      throw new Error(
        vscode.l10n.t('{0} was changed again since this step. The step itself shows what changed.', path),
      );
    const left = this.virtual(file, `before ${actionId}`, before);
    await openDiff(left, file, vscode.l10n.t('{0} (this step)', path));
  }

  /** Opens the change that an edit would make, which waits for approval: the file as it is on the left, as it would be on the right. */
  async showProposed(
    actionId: string,
    path: string,
    { before, after }: { readonly before: string | null; readonly after: string | null },
    root: string,
  ): Promise<void> {
    const file = uriNamed(path, root);
    const left = before === null ? this.virtual(file, `nothing ${actionId}`, '') : file;
    const right = this.virtual(file, `proposed ${actionId}`, after ?? '');
    await openDiff(left, right, vscode.l10n.t('{0} (waits for approval)', path));
  }

  /** Shows the same edit as it is now, where it is open. */
  renewProposed(
    actionId: string,
    { path, after }: { readonly path: string; readonly after: string | null },
    root: string,
  ): void {
    const uri = virtualUri(uriNamed(path, root), `proposed ${actionId}`);
    if (!this.texts.has(uri.toString())) return;
    this.texts.set(uri.toString(), after ?? '');
    this.changed.fire(uri);
  }

  /** A document that no file holds. Its path is that of the file, so that it is coloured as that. */
  private virtual(file: vscode.Uri, query: string, text: string): vscode.Uri {
    const uri = virtualUri(file, query);
    this.texts.set(uri.toString(), text);
    this.changed.fire(uri);
    return uri;
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }
}

const virtualUri = (file: vscode.Uri, query: string): vscode.Uri =>
  vscode.Uri.from({ scheme: SCHEME, path: file.path, query });

async function openDiff(left: vscode.Uri, right: vscode.Uri, title: string): Promise<void> {
  await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: true, preserveFocus: true });
}

/** The text before a change, or undefined when the text after it has become another at these lines. */
async function undone({ hunks, kind }: FileChange, now: string): Promise<string | undefined> {
  if (kind === 'created') return '';
  const { applyPatch } = await import('diff');
  const turn = (line: string) =>
    line.startsWith('+') ? `-${line.slice(1)}` : line.startsWith('-') ? `+${line.slice(1)}` : line;
  const reversed = hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    oldStart: newStart,
    oldLines: newLines,
    newStart: oldStart,
    newLines: oldLines,
    lines: lines.map(turn),
  }));
  const text = applyPatch(now, {
    oldFileName: 'now',
    newFileName: 'before',
    oldHeader: undefined,
    newHeader: undefined,
    hunks: reversed,
  });
  return text === false ? undefined : text;
}
