import type * as vscode from 'vscode';
import type { PanelChange, ToPanel } from '../../protocol/panel/panel';
import type { FileChanges } from '../../core/changes/changesOf';
import { ChangesView } from './changesView';
import { ReviewComments } from './reviewComments';
import { ReviewEditors } from './reviewEditors';
import { SessionReview, type ReviewParts } from './sessionReview';

/** The panel lists this many files, and says how many more there are. */
const mostFilesTold = 50;

/** The review of what the shown session changed: the list, the editors, and what a person does with them. */
export class WindowReview implements vscode.Disposable {
  readonly changes: SessionReview;
  readonly view: ChangesView;
  readonly editors: ReviewEditors;
  readonly comments: ReviewComments;
  private turns: Promise<unknown> = Promise.resolve();

  constructor(parts: ReviewParts) {
    this.changes = new SessionReview(parts);
    this.view = new ChangesView(this.changes);
    this.editors = new ReviewEditors(this.changes);
    this.comments = new ReviewComments(this.changes);
  }

  /** Tells the panel what of the shown session waits for review. */
  tell(post: (message: ToPanel) => void): void {
    const { session, files, isKept } = this.changes;
    if (session === undefined) return;
    const shown = files.slice(0, mostFilesTold).map((file) => this.told(file));
    post({ type: 'changes', session, kept: isKept, total: files.length, files: shown });
  }

  /** Shows what waits for review of a file; nothing where that is nothing any more. */
  async openFile(path: string): Promise<void> {
    const file = this.changes.files.find((each) => each.path === path);
    if (file) await this.editors.open(file);
  }

  private told({ path, from, kind, isText, added, removed }: FileChanges): PanelChange {
    const name = this.changes.shown(path);
    return {
      path,
      shown: from === undefined ? name : `${this.changes.shown(from)} → ${name}`,
      kind,
      ...(isText && { added, removed }),
    };
  }

  /** Does what a person asks for, one thing after the other. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.turns.then(work);
    this.turns = turn.catch(() => undefined);
    return turn;
  }

  dispose(): void {
    for (const part of [this.view, this.comments, this.editors, this.changes]) part.dispose();
  }
}
