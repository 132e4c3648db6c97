import type * as vscode from 'vscode';
import { ChangesView } from './changesView';
import { ReviewEditors } from './reviewEditors';
import { SessionReview, type ReviewParts } from './sessionReview';

/** The review of what the shown session changed: the list, the editors, and what a person does with them. */
export class WindowReview implements vscode.Disposable {
  readonly changes: SessionReview;
  readonly view: ChangesView;
  readonly editors: ReviewEditors;
  private turns: Promise<unknown> = Promise.resolve();

  constructor(parts: ReviewParts) {
    this.changes = new SessionReview(parts);
    this.view = new ChangesView(this.changes);
    this.editors = new ReviewEditors(this.changes);
  }

  /** Does what a person asks for, one thing after the other. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.turns.then(work);
    this.turns = turn.catch(() => undefined);
    return turn;
  }

  dispose(): void {
    for (const part of [this.view, this.editors, this.changes]) part.dispose();
  }
}
