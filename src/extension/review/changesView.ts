import * as vscode from 'vscode';
import { changesByTurn } from '../../core/changes/changesByTurn';
import type { FileChanges } from '../../core/changes/changesOf';
import type { ReviewedHunk } from '../../core/changes/fileReview';
import { ContextKeys } from '../common/contextKeys';
import { joinWithDots, ListView } from '../common/listView';
import { FocusedRow } from '../common/focusedRow';
import { editorUri } from '../editor/editorUri';
import type { ChangeRow, FileRow, HunkRow, TurnRow } from './changeRows';
import type { SessionReview } from './sessionReview';

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

/** Returns the place of a hunk: a line, or the whole file. */
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

/**
 * Returns the `contextValue` of a row for the menus in package.json, such as "held.file" or "change.hunk.contested".
 */
function contextOf(what: 'file' | 'folder' | 'hunk', { isHeld }: FileChanges, isContested: boolean): string {
  if (isHeld) return `held.${what}`;
  return isContested ? `change.${what}.contested` : `change.${what}`;
}

/** Returns "+3 −1"; empty for a file that is not text. */
const countsOf = ({ isText, added, removed }: Pick<FileChanges, 'isText' | 'added' | 'removed'>): string =>
  isText ? `+${added} −${removed}` : '';

/** Returns the description of changes that belong to no step. */
export const betweenStepsWords = (): string =>
  vscode.l10n.t('Changed between steps, by a hook, a process the agent left running or another program.');

/** Makes row IDs unique: a file is listed under each turn that changed it. */
const idOfTurn = ({ of }: ChangeRow): string => (of ? `turn ${of.turn ?? ''} ` : '');

const BY_TURN = 'waymark.changesByTurn';

/**
 * The Changes view: files to review with their hunks, optionally grouped by turn. The badge shows the number of files.
 */
export class ChangesView implements vscode.Disposable {
  private readonly list: ListView<TurnRow | ChangeRow>;
  private readonly view: vscode.TreeView<TurnRow | ChangeRow>;
  private readonly status = vscode.window.createStatusBarItem('waymark.review', vscode.StatusBarAlignment.Left, 9);
  private readonly listening: vscode.Disposable;
  private readonly keys = new ContextKeys();
  /** The focused row. Selecting a turn row opens nothing. */
  readonly focused: FocusedRow<TurnRow | ChangeRow>;
  /** The state last sent to VS Code, serialized. */
  private listed: string | undefined;

  /** `workspaceState`: stores how the user groups the list. */
  constructor(
    private readonly review: SessionReview,
    private readonly workspaceState: vscode.Memento,
  ) {
    this.list = new ListView<TurnRow | ChangeRow>(
      (row) => this.rows(row),
      (row) => {
        if (row.kind === 'turn') return this.turnItem(row);
        return row.kind === 'file' ? this.fileItem(row) : this.hunkItem(row);
      },
    );
    this.view = vscode.window.createTreeView('waymark.changes', { treeDataProvider: this.list, showCollapseAll: true });
    this.focused = new FocusedRow(this.view, ({ kind }) => kind !== 'turn');
    this.status.name = vscode.l10n.t('Waymark: Files to Review');
    this.status.command = 'waymark.changes.focus';
    this.listening = review.onDidChange(() => this.refresh());
    this.refresh();
  }

  /** The selected row. Moving the focus with arrow keys does not select. */
  get selected(): TurnRow | ChangeRow | undefined {
    return this.view.selection[0];
  }

  /** The selected row, unless it is a turn. */
  get selectedChange(): ChangeRow | undefined {
    const { selected } = this;
    return selected?.kind === 'turn' ? undefined : selected;
  }

  /** Groups the changes by turn, or lists them by file. */
  async listByTurn(isByTurn: boolean): Promise<void> {
    await this.workspaceState.update(BY_TURN, isByTurn || undefined);
    this.refresh();
  }

  private get isByTurn(): boolean {
    return this.workspaceState.get(BY_TURN, false);
  }

  dispose(): void {
    for (const part of [this.listening, this.view, this.list, this.status]) part.dispose();
  }

  private refresh(): void {
    const { length } = this.review.files;
    const words = length === 1 ? vscode.l10n.t('1 file to review') : vscode.l10n.t('{0} files to review', length);
    this.view.badge = length > 0 ? { value: length, tooltip: words } : undefined;
    const help = vscode.l10n.t('Changes by the agent that are not yet kept or undone');
    this.status.text = `$(diff-multiple) ${words}`;
    this.status.tooltip = help;
    this.status.accessibilityInformation = { label: `${words}, ${help}` };
    if (length > 0) this.status.show();
    else this.status.hide();
    this.keys.set('waymark.changesPending', length > 0);
    const paths = this.review.files.filter(({ isHeld }) => !isHeld).map(({ path }) => path);
    this.keys.set('waymark.changedPaths', paths);
    const areHeld = this.review.heldFiles.length > 0;
    this.keys.set('waymark.editsHeld', areHeld);
    this.keys.set('waymark.inWorktree', this.review.isInWorktree);
    this.keys.set('waymark.canRedo', this.review.canRedo);
    this.keys.set('waymark.changesByTurn', this.isByTurn);
    // While a list is being redrawn, it has no rows and ignores key presses. So redraw only if it changed.
    const listed = this.inOneText();
    if (listed === this.listed) return;
    this.listed = listed;
    this.list.refresh();
  }

  /** Returns the serialized state of the rows. */
  private inOneText(): string {
    const { files, steps, session } = this.review;
    const placesOf = (actions: readonly string[]): unknown =>
      actions.map((action) => [action, steps.get(action)?.turn, steps.get(action)?.step]);
    return JSON.stringify([
      session,
      this.isByTurn,
      files.map(({ path, from, kind, isHeld, isText, missing, hunks, reviews }) => [
        [path, from, kind, isHeld, isText, missing],
        hunks.map(({ id, block, actions, isBetween, isContested }) => [
          id,
          block.newFrom,
          placesOf(actions),
          isBetween,
          isContested,
        ]),
        reviews.map(({ base, current }) => [base.state, current.state]),
      ]),
    ]);
  }

  private rows(row: TurnRow | ChangeRow | undefined): (TurnRow | ChangeRow)[] {
    const { files, steps, session } = this.review;
    if (session === undefined) return [];
    if (!row && this.isByTurn) return changesByTurn(files, steps).map((each) => ({ kind: 'turn', session, ...each }));
    if (!row) return files.map((file) => ({ kind: 'file', session, file }));
    // Another session may be on display since the row was listed.
    if (!this.review.isShown(row.session)) {
      this.listed = undefined;
      return [];
    }
    if (row.kind === 'turn')
      return row.files.map((file) => ({ kind: 'file', session, file, isPart: this.isPart(file), of: row }));
    if (row.kind === 'hunk' || row.file.hunks.length === 1) return [];
    return row.file.hunks.map((hunk) => ({
      kind: 'hunk',
      session,
      file: row.file,
      hunk,
      ...(row.of && { of: row.of }),
    }));
  }

  private isPart({ path, isHeld, hunks }: FileChanges): boolean {
    const whole = this.review.files.find((file) => file.path === path && file.isHeld === isHeld);
    return whole !== undefined && whole.hunks.length > hunks.length;
  }

  private turnItem({ turn, files }: TurnRow): vscode.TreeItem {
    const words = turn === undefined ? '' : this.review.turnInWords(turn);
    const item = new vscode.TreeItem(
      turn === undefined ? vscode.l10n.t('Between steps') : joinWithDots(vscode.l10n.t('Turn {0}', turn), words),
      vscode.TreeItemCollapsibleState.Expanded,
    );
    item.id = `turn ${turn ?? ''}`;
    item.iconPath = new vscode.ThemeIcon(turn === undefined ? 'question' : 'comment');
    item.description = files.length === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', files.length);
    item.tooltip = turn === undefined ? betweenStepsWords() : words;
    item.contextValue = turn === undefined ? 'turn.none' : 'turn';
    return item;
  }

  private fileItem(row: FileRow): vscode.TreeItem {
    const { file } = row;
    const item = new vscode.TreeItem(
      this.review.displayPath(file.path),
      file.hunks.length > 1 ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
    );
    const [icon, color] = icons[file.kind];
    const contested = file.hunks.some(({ isContested }) => isContested);
    const changedSince = contested ? vscode.l10n.t('changed since by you') : '';
    const held = file.isHeld ? vscode.l10n.t('held back') : '';
    item.id = `${idOfTurn(row)}${file.isHeld ? 'held ' : ''}${file.path}`;
    item.iconPath = new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
    const between = file.isBetween ? vscode.l10n.t('changed between steps') : '';
    item.description = joinWithDots(
      countsOf(file),
      kindWords(file, this.review.displayPath),
      held,
      between,
      changedSince,
    );
    item.tooltip = [
      this.review.displayPath(file.path),
      this.review.reasonOf(file),
      file.isBetween ? betweenStepsWords() : '',
      file.missing ?? '',
    ]
      .filter((line) => line !== '')
      .join('\n');
    item.contextValue = contextOf(file.isFolder ? 'folder' : 'file', file, contested);
    item.resourceUri = editorUri(file.path);
    if (!file.isFolder)
      item.command = { command: 'waymark.openChange', title: vscode.l10n.t('Open Changes'), arguments: [row] };
    item.accessibilityInformation = { label: joinWithDots(this.review.displayPath(file.path), item.description) };
    return item;
  }

  private hunkItem(row: HunkRow): vscode.TreeItem {
    const { hunk, file } = row;
    const place = placeWords(hunk);
    const first = [...hunk.added, ...hunk.removed].find((each) => each.trim() !== '') ?? '';
    const item = new vscode.TreeItem(joinWithDots(place, first.trim().slice(0, 60)));
    const counts = `+${hunk.added.length} −${hunk.removed.length}`;
    const between = hunk.isBetween ? vscode.l10n.t('changed between steps') : '';
    const note = hunk.isContested ? vscode.l10n.t('changed since by you') : between;
    item.id = `${idOfTurn(row)}${file.isHeld ? 'held ' : ''}${file.path} ${hunk.id}`;
    item.description = joinWithDots(counts, note, this.review.reasonOf(hunk));
    item.tooltip = [...hunk.removed.map((each) => `- ${each}`), ...hunk.added.map((each) => `+ ${each}`)]
      .slice(0, 40)
      .join('\n');
    item.contextValue = contextOf('hunk', file, hunk.isContested);
    item.command = { command: 'waymark.openChange', title: vscode.l10n.t('Open Changes'), arguments: [row] };
    return item;
  }
}
