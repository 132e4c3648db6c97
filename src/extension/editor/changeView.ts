import * as vscode from 'vscode';
import type { History } from '../../core/log/projection';
import type { FileChange } from '../../protocol/events/details';
import { VirtualDocuments } from '../common/virtualDocuments';
import { uriNamed } from './editorUri';

/** An edit that waits for approval. Action IDs are only unique within a session. */
export interface EditQuestion {
  readonly sessionId: string;
  readonly actionId: string;
}

/**
 * Shows file changes in the diff editor. A side that is not on disk is a virtual document, so no language service loads
 * anything for it.
 */
export class ChangeView implements vscode.Disposable {
  private readonly documents: VirtualDocuments;

  /** `scheme`: the URI scheme of its virtual documents; VS Code allows one provider per scheme. */
  constructor(private readonly scheme = 'waymark-text') {
    this.documents = new VirtualDocuments(scheme);
  }

  /**
   * Opens a diff of an action's change against the current file. Throws an `Error` with a message for people if that is
   * not possible.
   */
  async show(history: History, actionId: string, path: string, root: string): Promise<void> {
    const observation = history.find((event) => event.type === 'observation' && event.actionId === actionId);
    const change =
      observation?.type === 'observation' && observation.details?.kind === 'edit'
        ? observation.details.changes.find((candidate) => candidate.path === path)
        : undefined;
    if (!change) throw new Error(vscode.l10n.t('This step did not change {0}.', path));
    const isHeld =
      observation?.type === 'observation' && observation.details?.kind === 'edit' && observation.details.held;
    if (isHeld)
      throw new Error(vscode.l10n.t('This step held its edit back. While it waits, the Changes view shows it.'));
    const file = uriNamed(path, root);
    const now =
      change.kind === 'deleted'
        ? ''
        : (await vscode.workspace.openTextDocument(file)).getText().replaceAll('\r\n', '\n');
    const before = await undone(change, now);
    if (before === undefined)
      throw new Error(vscode.l10n.t('{0} changed again since this step. Open the step to see its own change.', path));
    const left = this.virtual(file, `before ${actionId}`, before);
    await openDiff(left, file, vscode.l10n.t('{0} (this step)', path));
  }

  /**
   * Opens the diff of an edit that waits for approval: the current file on the left, the proposed content on the right.
   */
  async showProposed(
    question: EditQuestion,
    path: string,
    { before, after }: { readonly before: string | null; readonly after: string | null },
    root: string,
  ): Promise<void> {
    const file = uriNamed(path, root);
    const left = before === null ? this.virtual(file, `nothing ${question.sessionId} ${question.actionId}`, '') : file;
    const right = this.virtual(file, proposedBy(question), after ?? '');
    await openDiff(left, right, vscode.l10n.t('{0} (waits for approval)', path));
  }

  /** Updates the proposed content if its diff is open. */
  renewProposed(
    question: EditQuestion,
    { path, after }: { readonly path: string; readonly after: string | null },
    root: string,
  ): void {
    const file = uriNamed(path, root);
    if (this.documents.has(file.path, proposedBy(question))) this.virtual(file, proposedBy(question), after ?? '');
  }

  /** Closes the diffs of an edit that has stopped waiting for approval. */
  async closeProposed(question: EditQuestion): Promise<void> {
    const tabs = vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(({ input }) => {
        if (!(input instanceof vscode.TabInputTextDiff)) return false;
        const { scheme, query } = input.modified;
        return scheme === this.scheme && query === proposedBy(question);
      });
    if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
  }

  /** Returns a virtual document. It has the path of the file, so that it gets the same syntax highlighting. */
  private virtual(file: vscode.Uri, query: string, text: string): vscode.Uri {
    return this.documents.keep(file.path, query, text);
  }

  dispose(): void {
    this.documents.dispose();
  }
}

const proposedBy = ({ sessionId, actionId }: EditQuestion): string => `proposed ${sessionId} ${actionId}`;

async function openDiff(left: vscode.Uri, right: vscode.Uri, title: string): Promise<void> {
  await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: true, preserveFocus: true });
}

const reversedSigns: Readonly<Record<string, string>> = { '+': '-', '-': '+' };
const reversedLine = (line: string): string => line.replace(/^[+-]/, (sign) => reversedSigns[sign]!);

/** Returns the text before a change, or undefined if these lines have changed again since. */
async function undone({ hunks, kind }: FileChange, now: string): Promise<string | undefined> {
  if (kind === 'created') return '';
  const { applyPatch } = await import('diff');
  const reversed = hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    oldStart: newStart,
    oldLines: newLines,
    newStart: oldStart,
    newLines: oldLines,
    lines: lines.map(reversedLine),
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
