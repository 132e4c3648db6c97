import * as vscode from 'vscode';
import type { FileChanges } from '../../core/changes/changesOf';
import type { ReviewedHunk } from '../../core/changes/fileReview';
import { ListView } from '../common/listView';
import { editorUri } from '../editor/editorUri';
import type { SessionReview } from './sessionReview';

/** A row of the Changes view: a file, or a hunk of it. */
export type ChangeRow =
  | { readonly kind: 'file'; readonly file: FileChanges }
  | { readonly kind: 'hunk'; readonly file: FileChanges; readonly hunk: ReviewedHunk };

const kindWords = (file: FileChanges, shown: (path: string) => string): string => {
  switch (file.kind) {
    case 'created':
      return vscode.l10n.t('created');
    case 'deleted':
      return vscode.l10n.t('deleted');
    case 'renamed':
      return vscode.l10n.t('renamed from {0}', shown(file.from ?? ''));
    case 'mode':
      return vscode.l10n.t('file mode');
    default:
      return '';
  }
};

/** What a hunk is about: a line, or the whole file. */
function placeWords({ kind, block }: ReviewedHunk): string {
  switch (kind) {
    case 'lines':
      return vscode.l10n.t('line {0}', block.newFrom + 1);
    case 'created':
      return vscode.l10n.t('created');
    case 'deleted':
      return vscode.l10n.t('deleted');
    case 'mode':
      return vscode.l10n.t('file mode');
    case 'replaced':
      return vscode.l10n.t('replaced');
  }
}

const icons: Readonly<Record<FileChanges['kind'], readonly [icon: string, color: string]>> = {
  created: ['diff-added', 'gitDecoration.addedResourceForeground'],
  modified: ['diff-modified', 'gitDecoration.modifiedResourceForeground'],
  deleted: ['diff-removed', 'gitDecoration.deletedResourceForeground'],
  renamed: ['diff-renamed', 'gitDecoration.renamedResourceForeground'],
  mode: ['diff-modified', 'gitDecoration.modifiedResourceForeground'],
};

/** What package.json asks for the menus of a row: "held.file", "change.hunk.contested". */
function contextOf(what: 'file' | 'folder' | 'hunk', { isHeld }: FileChanges, isContested: boolean): string {
  if (isHeld) return `held.${what}`;
  return isContested ? `change.${what}.contested` : `change.${what}`;
}

/** "+3 −1"; empty for what has no lines. */
const countsOf = ({ isText, added, removed }: Pick<FileChanges, 'isText' | 'added' | 'removed'>): string =>
  isText ? `+${added} −${removed}` : '';

/** Of what belongs to no step. */
export const betweenWords = (): string =>
  vscode.l10n.t('Changed between steps, by a process the agent left running or by another program.');

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' · ');

/** How long VS Code may take to open what was selected. Milliseconds. */
const longestOpeningMs = 1000;

/** The changes that wait for review: files, and below them their hunks. The badge counts the files. */
export class ChangesView implements vscode.Disposable {
  private readonly list: ListView<ChangeRow>;
  private readonly view: vscode.TreeView<ChangeRow>;
  private readonly status = vscode.window.createStatusBarItem('waymark.review', vscode.StatusBarAlignment.Left, 9);
  private readonly listening: vscode.Disposable;
  private quietUntil = 0;

  constructor(private readonly review: SessionReview) {
    this.list = new ListView<ChangeRow>(
      (row) => this.rows(row),
      (row) => (row.kind === 'file' ? this.fileItem(row) : this.hunkItem(row)),
    );
    this.view = vscode.window.createTreeView('waymark.changes', { treeDataProvider: this.list, showCollapseAll: true });
    this.status.name = vscode.l10n.t('Waymark: Files to Review');
    this.status.command = 'waymark.changes.focus';
    this.listening = review.onDidChange(() => this.refresh());
    this.refresh();
  }

  /** The row that has the focus. */
  get selected(): ChangeRow | undefined {
    return this.view.selection[0];
  }

  /**
   * Selects the row that has the focus, as arrow keys give it. VS Code opens what is selected, which nobody asked for:
   * that one time `opensNothing` says so.
   */
  async selectFocused(): Promise<ChangeRow | undefined> {
    this.quietUntil = Date.now() + longestOpeningMs;
    await vscode.commands.executeCommand('list.selectAndPreserveFocus');
    return this.selected;
  }

  /** Whether opening a row comes from `selectFocused`. True once. */
  opensNothing(): boolean {
    const isQuiet = Date.now() < this.quietUntil;
    this.quietUntil = 0;
    return isQuiet;
  }

  dispose(): void {
    for (const part of [this.listening, this.view, this.list, this.status]) part.dispose();
  }

  private refresh(): void {
    const { length } = this.review.files;
    const words = length === 1 ? vscode.l10n.t('1 file to review') : vscode.l10n.t('{0} files to review', length);
    this.view.badge = length > 0 ? { value: length, tooltip: words } : undefined;
    this.status.text = `$(diff-multiple) ${words}`;
    this.status.tooltip = vscode.l10n.t('Changes by the agent that are not yet kept or undone');
    if (length > 0) this.status.show();
    else this.status.hide();
    void vscode.commands.executeCommand('setContext', 'waymark.changesPending', length > 0);
    const areHeld = this.review.heldFiles.length > 0;
    void vscode.commands.executeCommand('setContext', 'waymark.editsHeld', areHeld);
    void vscode.commands.executeCommand('setContext', 'waymark.inWorktree', this.review.isInWorktree);
    void vscode.commands.executeCommand('setContext', 'waymark.canRedo', this.review.canRedo);
    this.list.refresh();
  }

  private rows(row: ChangeRow | undefined): ChangeRow[] {
    if (!row) return this.review.files.map((file) => ({ kind: 'file', file }));
    if (row.kind === 'hunk' || row.file.hunks.length === 1) return [];
    return row.file.hunks.map((hunk) => ({ kind: 'hunk', file: row.file, hunk }));
  }

  private fileItem(row: ChangeRow & { readonly kind: 'file' }): vscode.TreeItem {
    const { file } = row;
    const item = new vscode.TreeItem(
      this.review.shown(file.path),
      file.hunks.length > 1 ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
    );
    const [icon, color] = icons[file.kind];
    const contested = file.hunks.some(({ isContested }) => isContested);
    const changedSince = contested ? vscode.l10n.t('changed since by you') : '';
    const held = file.isHeld ? vscode.l10n.t('held back') : '';
    item.id = `${file.isHeld ? 'held ' : ''}${file.path}`;
    item.iconPath = new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
    const between = file.isBetween ? vscode.l10n.t('changed between steps') : '';
    item.description = joined(countsOf(file), kindWords(file, this.review.shown), held, between, changedSince);
    item.tooltip = [
      this.review.shown(file.path),
      this.review.reasonOf(file),
      file.isBetween ? betweenWords() : '',
      file.missing ?? '',
    ]
      .filter((line) => line !== '')
      .join('\n');
    item.contextValue = contextOf(file.isFolder ? 'folder' : 'file', file, contested);
    item.resourceUri = editorUri(file.path);
    if (!file.isFolder)
      item.command = { command: 'waymark.openChange', title: vscode.l10n.t('Open Changes'), arguments: [row] };
    item.accessibilityInformation = { label: joined(this.review.shown(file.path), item.description) };
    return item;
  }

  private hunkItem(row: ChangeRow & { readonly kind: 'hunk' }): vscode.TreeItem {
    const { hunk, file } = row;
    const place = placeWords(hunk);
    const first = [...hunk.added, ...hunk.removed].find((each) => each.trim() !== '') ?? '';
    const item = new vscode.TreeItem(joined(place, first.trim().slice(0, 60)));
    const counts = `+${hunk.added.length} −${hunk.removed.length}`;
    const between = hunk.isBetween ? vscode.l10n.t('changed between steps') : '';
    const note = hunk.isContested ? vscode.l10n.t('changed since by you') : between;
    item.id = `${file.isHeld ? 'held ' : ''}${file.path} ${hunk.id}`;
    item.description = joined(counts, note, this.review.reasonOf(hunk));
    item.tooltip = [...hunk.removed.map((each) => `- ${each}`), ...hunk.added.map((each) => `+ ${each}`)]
      .slice(0, 40)
      .join('\n');
    item.contextValue = contextOf('hunk', file, hunk.isContested);
    item.command = { command: 'waymark.openChange', title: vscode.l10n.t('Open Changes'), arguments: [row] };
    return item;
  }
}
