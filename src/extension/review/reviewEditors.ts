import * as vscode from 'vscode';
import type { BringConflict } from '../../core/changes/bringPlan';
import type { FileChanges } from '../../core/changes/changesOf';
import type { ReviewedHunk } from '../../core/changes/fileReview';
import { mergeSides } from '../../core/changes/fileReview';
import { isSpecial, shownText } from '../../core/changes/snapshot';
import { ContextKeys } from '../common/contextKeys';
import { VirtualDocuments } from '../common/virtualDocuments';
import { editorUri } from '../editor/editorUri';
import type { FileRow, HunkRow } from './changeRows';
import type { SessionReview } from './sessionReview';

/** URI scheme of virtual documents: files without the agent's changes, and sides of a merge. */
export const reviewScheme = 'waymark-review';

/** Returns the editor of the active tab: while a comment is typed, the active editor is the one of the comment. */
function editorOfTab(): vscode.TextEditor | undefined {
  const { activeTextEditor, visibleTextEditors, tabGroups } = vscode.window;
  const input = tabGroups.activeTabGroup.activeTab?.input;
  if (!(input instanceof vscode.TabInputText)) return activeTextEditor;
  const isOfTab = ({ document }: vscode.TextEditor): boolean => document.uri.toString() === input.uri.toString();
  return activeTextEditor && isOfTab(activeTextEditor) ? activeTextEditor : visibleTextEditors.find(isOfTab);
}

/**
 * Shows changes in editors: diffs against the file without the agent's changes, and code lenses above each hunk in the
 * file itself.
 */
export class ReviewEditors implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly lensesChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.lensesChanged.event;
  private readonly documents = new VirtualDocuments(reviewScheme);
  /** File path → URI query of the side without the agent's changes, which may be open in a diff. */
  private readonly opened = new Map<string, string>();
  private readonly marked = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.modifiedForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
    borderWidth: '0 0 0 2px',
    borderStyle: 'solid',
    borderColor: new vscode.ThemeColor('editorGutter.modifiedBackground'),
  });
  private readonly registered: vscode.Disposable;
  private readonly keys = new ContextKeys();
  /** The editor of all changes that was opened last. */
  private editorOfAll: { readonly title: string; readonly session: string | undefined } | undefined;

  constructor(private readonly review: SessionReview) {
    this.registered = vscode.Disposable.from(
      this.marked,
      vscode.languages.registerCodeLensProvider({ scheme: 'file' }, this),
      vscode.window.onDidChangeVisibleTextEditors(() => this.mark()),
      vscode.window.tabGroups.onDidChangeTabs(() => this.updateAllShown()),
      vscode.window.tabGroups.onDidChangeTabGroups(() => this.updateAllShown()),
      review.onDidChange(() => this.refresh()),
    );
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const file = this.review.fileAt(document.uri);
    if (!file) return [];
    return file.hunks.flatMap((hunk) => this.lensesOf(file, hunk, document));
  }

  /** Opens a file's changes as a diff, optionally at a hunk. */
  async open(file: FileChanges, hunk?: ReviewedHunk): Promise<void> {
    if (!hasContent(file)) return void vscode.window.showInformationMessage(file.missing ?? file.path);
    const [left, right] = this.sides(file);
    const name = this.review.displayPath(file.path);
    const title = file.isHeld
      ? vscode.l10n.t('{0} (held back)', name)
      : vscode.l10n.t('{0} (changes of the agent)', name);
    const line = hunk?.kind === 'lines' ? hunk.block.newFrom : undefined;
    await vscode.commands.executeCommand('vscode.diff', left, right, title, {
      preview: true,
      ...(line !== undefined && { selection: new vscode.Range(line, 0, line, 0) }),
    });
  }

  /** Opens all changes in one multi-diff editor. */
  async openAll(files: readonly FileChanges[], title: string): Promise<void> {
    const resources = files
      .filter((file) => !file.isFolder && hasContent(file))
      .map((file) => {
        const [left, right] = this.sides(file);
        return [editorUri(file.path), left, right] as const;
      });
    this.editorOfAll = { title, session: this.review.session };
    await vscode.commands.executeCommand('vscode.changes', title, resources);
    this.updateAllShown();
  }

  /**
   * Opens the changes of some actions in one multi-diff editor. `part`: identifies these actions, since the same file
   * may be open with the changes of others. The right side is the file itself if it is unchanged since.
   */
  async openPart(files: readonly FileChanges[], title: string, part: string): Promise<void> {
    const side = (name: string, { path }: { readonly path: string }, text = ''): vscode.Uri =>
      this.documents.keep(editorUri(path).path, `${name} of ${part} ${this.review.session ?? ''}`, shownText(text));
    const resources = files
      .filter(({ isFolder }) => !isFolder)
      .map(({ path, reviews }) => {
        const first = reviews[0]!;
        const last = reviews.at(-1)!;
        const isUnchanged = last.current.text !== undefined && this.review.asSeen(last.path).text === last.current.text;
        const right = isUnchanged ? editorUri(last.path) : side('after', last, last.current.text);
        return [editorUri(path), side('before', first, first.base.text), right] as const;
      });
    await vscode.commands.executeCommand('vscode.changes', title, resources);
  }

  /** Moves the cursor to the next or previous hunk, across files and wrapping around at the end. */
  async go(step: 1 | -1): Promise<void> {
    const hunks = this.review.files
      .filter(({ isHeld }) => !isHeld)
      .filter(({ isText, kind, isFolder }) => isText && kind !== 'deleted' && !isFolder)
      .flatMap((file) => file.hunks.filter(({ path }) => path === file.path).map((hunk) => ({ file, hunk })));
    if (hunks.length === 0) return void vscode.window.setStatusBarMessage(vscode.l10n.t('Nothing to review.'), 3000);
    const editor = editorOfTab();
    const currentPath = editor?.document.uri.fsPath;
    const currentLine = editor?.selection.active.line ?? 0;
    const isBeyond = ({ file, hunk }: (typeof hunks)[number]): boolean => {
      if (currentPath === undefined) return true;
      if (file.path !== currentPath) return step > 0 ? file.path > currentPath : file.path < currentPath;
      return step > 0 ? hunk.block.newFrom > currentLine : hunk.block.newFrom < currentLine;
    };
    const next = step > 0 ? (hunks.find(isBeyond) ?? hunks[0]!) : (hunks.findLast(isBeyond) ?? hunks.at(-1)!);
    const start = new vscode.Position(next.hunk.block.newFrom, 0);
    const place = new vscode.Range(start, start);
    const isInActiveEditor =
      editor !== undefined &&
      editor === vscode.window.activeTextEditor &&
      currentPath === next.file.path &&
      editor.document.uri.scheme === 'file';
    // Showing a document takes the focus and would close an open command palette.
    const target = isInActiveEditor
      ? editor
      : await vscode.window.showTextDocument(editorUri(next.file.path), { selection: place });
    target.selection = new vscode.Selection(start, start);
    target.revealRange(place, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  /**
   * Opens VS Code's merge editor for lines of the agent that the user changed: the current file against the file
   * without the agent's change. The file is only changed by what the user does there. Returns false if the lines cannot
   * be merged.
   */
  async merge(file: FileChanges, hunks: readonly ReviewedHunk[] = file.hunks): Promise<boolean> {
    const review = file.reviews.at(-1)!;
    const contested = hunks.filter(({ path, isContested }) => path === review.path && isContested);
    const sides = await mergeSides(review, contested.length > 0 ? contested : hunks);
    if (!sides) return false;
    const { path } = editorUri(review.path);
    const side = (name: string, text: string): vscode.Uri =>
      this.documents.keep(path, `${name} ${this.review.session ?? ''}`, shownText(text));
    await vscode.commands.executeCommand('_open.mergeEditor', {
      base: side('agent', sides.agent),
      input1: { uri: side('now', sides.now), title: vscode.l10n.t('Your version') },
      input2: { uri: side('without', sides.without), title: vscode.l10n.t('Without the agent’s change') },
      output: editorUri(review.path),
    });
    return true;
  }

  /**
   * Opens the merge editor for a bring-back, when the user changed the same lines in the workspace as the agent in its
   * worktree.
   */
  async mergeBrought({ place, base, agent, now }: BringConflict): Promise<void> {
    const output = editorUri(place);
    const side = (name: string, text: string): vscode.Uri =>
      this.documents.keep(output.path, `${name} ${this.review.session ?? ''}`, shownText(text));
    await vscode.commands.executeCommand('_open.mergeEditor', {
      base: side('base', base),
      input1: { uri: side('now', now), title: vscode.l10n.t('Your version') },
      input2: { uri: side('agent', agent), title: vscode.l10n.t('From the worktree') },
      output,
    });
  }

  /** The changes of the file in the active editor. */
  get fileHere(): FileRow | undefined {
    const { session } = this.review;
    const file = this.review.fileAt(vscode.window.activeTextEditor?.document.uri);
    return file && session !== undefined ? { kind: 'file', session, file } : undefined;
  }

  /** Returns the hunk at the cursor. */
  atCursor(): HunkRow | undefined {
    const editor = vscode.window.activeTextEditor;
    const { fileHere } = this;
    if (!editor || !fileHere) return undefined;
    const { session, file } = fileHere;
    const { line } = editor.selection.active;
    const hunk = file.hunks.find(
      ({ kind, block }) =>
        kind !== 'lines' || (line >= block.newFrom && line <= Math.max(block.newFrom, block.newTo - 1)),
    );
    return hunk && { kind: 'hunk', session, file, hunk };
  }

  dispose(): void {
    for (const part of [this.registered, this.documents, this.lensesChanged]) part.dispose();
    this.opened.clear();
  }

  private lensesOf(file: FileChanges, hunk: ReviewedHunk, document: vscode.TextDocument): vscode.CodeLens[] {
    const line = Math.min(hunk.kind === 'lines' ? hunk.block.newFrom : 0, Math.max(0, document.lineCount - 1));
    const range = new vscode.Range(line, 0, line, 0);
    const row = { kind: 'hunk', session: this.review.session, file, hunk };
    const lens = (title: string, command: string, ...args: unknown[]) =>
      new vscode.CodeLens(range, { title, command, arguments: args });
    const place = hunk.actions.flatMap((action) => this.review.steps.get(action) ?? []).at(-1);
    const removed =
      hunk.kind === 'lines' && hunk.added.length === 0
        ? [lens(vscode.l10n.t('{0} lines removed', hunk.removed.length), 'waymark.openChange', row)]
        : [];
    return [
      this.review.isInWorktree
        ? lens(vscode.l10n.t('Bring Back'), 'waymark.bringBackChange', row)
        : lens(vscode.l10n.t('Keep'), 'waymark.keepChange', row),
      hunk.isContested
        ? lens(vscode.l10n.t('You changed this since: Merge…'), 'waymark.mergeChange', row)
        : lens(vscode.l10n.t('Undo'), 'waymark.undoChange', row),
      ...removed,
      ...(place ? [lens(this.review.reasonOf(hunk), 'waymark.showStep', this.review.session, place.seq)] : []),
    ];
  }

  /**
   * Returns both sides of a diff: without the agent's changes, and current. A side that is not on disk is a virtual
   * document with the same name, for the same highlighting.
   */
  private sides(file: FileChanges): readonly [vscode.Uri, vscode.Uri] {
    const [first] = file.reviews;
    const base = this.virtual(first!.path, 'before', first!.base.text);
    this.opened.set(first!.path, base.query);
    const last = file.reviews.at(-1)!;
    if (file.isHeld) return this.sidesOfHeld(file);
    const isGone = last.current.state === null || last.current.text === undefined;
    return [base, isGone ? this.virtual(last.path, 'after', last.current.text) : editorUri(last.path)];
  }

  /** Returns both sides of the diff of a held-back edit: the current file, and the file with the edit. */
  private sidesOfHeld({ path, from, reviews }: FileChanges): readonly [vscode.Uri, vscode.Uri] {
    const last = reviews.at(-1)!;
    const exists = reviews[0]!.base.state !== null;
    const left = exists ? editorUri(from ?? path) : this.virtual(path, 'before', '');
    return [left, this.virtual(last.path, 'held', last.current.text)];
  }

  private virtual(file: string, side: 'before' | 'after' | 'held', text = ''): vscode.Uri {
    return this.documents.keep(editorUri(file).path, `${side} ${this.review.session ?? ''}`, shownText(text));
  }

  /** Updates open diffs to what is left to review. For a file with nothing left, both sides become equal. */
  private refresh(): void {
    const reviewByPath = new Map(
      this.review.files.flatMap((file) => file.reviews.map((review) => [review.path, review] as const)),
    );
    for (const file of this.review.heldFiles) {
      const last = file.reviews.at(-1)!;
      const query = `held ${this.review.session ?? ''}`;
      if (this.documents.has(editorUri(last.path).path, query)) this.virtual(last.path, 'held', last.current.text);
    }
    for (const [file, query] of this.opened) {
      const { path } = editorUri(file);
      if (!this.documents.has(path, query)) this.opened.delete(file);
      else if (query === `before ${this.review.session ?? ''}`) {
        const text = reviewByPath.get(file)?.base.text ?? this.review.asSeen(file).text ?? '';
        this.documents.keep(path, query, shownText(text));
      }
    }
    this.lensesChanged.fire();
    this.mark();
    this.updateAllShown();
  }

  /**
   * Updates the context key for the buttons that keep or undo all changes. They are only visible in the editor of all
   * changes of the session on display. VS Code identifies such an editor only by its title.
   */
  private updateAllShown(): void {
    const { editorOfAll } = this;
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const opened = tabs.filter(({ label }) => editorOfAll && label.startsWith(editorOfAll.title));
    const isShown = opened.length === 1 && opened[0]!.isActive && editorOfAll?.session === this.review.session;
    this.keys.set('waymark.allChangesShown', isShown);
  }

  /** Marks the changed lines in visible editors. */
  private mark(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const file = this.review.fileAt(editor.document.uri);
      const lines = (file?.hunks ?? []).filter(({ kind, block }) => kind === 'lines' && block.newTo > block.newFrom);
      editor.setDecorations(
        this.marked,
        lines.map(({ block }) => new vscode.Range(block.newFrom, 0, block.newTo - 1, 0)),
      );
    }
  }
}

/** Returns whether a diff can show a file. An editor would wait forever for the content of a named pipe. */
const hasContent = ({ reviews }: FileChanges): boolean =>
  !reviews.some(({ base, current }) => isSpecial(base.state) || isSpecial(current.state));
